"""Epsilon-greedy exploration: sometimes, documents in the middle ranks move up by one (seed 001)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64

_Column = Float64[np.ndarray, " candidates"]
_SHARE = 4  # one in four of the ranks that can be promoted is promoted


@dataclass(frozen=True, slots=True)
class Promotion:
    """A row that moved up from one rank to the next higher one; ranks count from 1."""

    row: int
    from_rank: int
    to_rank: int


def explore(
    relevance: _Column, *, epsilon: float, top_k: int, random: np.random.Generator | None
) -> tuple[_Column, list[Promotion]]:
    """Return the relevance. With probability epsilon, some middle ranks are swapped with the rank above them.

    The middle ranks start at half of `top_k` and end at the first rank below the cut, which can move into the answer.
    No two swaps involve the same document, so each document moves by at most one rank.

    Args:
        relevance: Scores in any order; equal scores rank by row.
        epsilon: Probability of exploring, 0 to 1.
        random: None turns exploration off (deterministic mode).

    Source: seed 001, "Exploration Adjustment".
    """
    first, end = max(1, top_k // 2), min(top_k + 1, len(relevance))
    if random is None or first >= end or random.random() >= epsilon:
        return relevance, []
    places = np.arange(first, end)[int(random.integers(2)) if end - first > 1 else 0 :: 2]
    chosen = np.sort(random.choice(places, size=max(1, len(places) // _SHARE), replace=False))
    order = np.argsort(-relevance, kind="stable")
    changed = relevance.copy()
    upper, lower = order[chosen - 1], order[chosen]
    changed[lower], changed[upper] = relevance[upper], relevance[lower]
    return changed, [Promotion(int(order[at]), int(at) + 1, int(at)) for at in chosen]
