"""Epsilon-greedy exploration: now and then a document of the middle ranks moves up by one (seed 001)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64

_Column = Float64[np.ndarray, " candidates"]
_SHARE = 4  # of the places that can be promoted, one in four is


@dataclass(frozen=True, slots=True)
class Promotion:
    """A row that moved up from one rank to the next higher one; ranks count from 1."""

    row: int
    from_rank: int
    to_rank: int


def explore(
    relevance: _Column, *, epsilon: float, top_k: int, random: np.random.Generator | None
) -> tuple[_Column, list[Promotion]]:
    """Return the relevance with, at a chance of epsilon, some middle ranks swapped with their upper neighbours.

    The middle begins at half of `top_k` and ends with the first rank below the cut, which then comes into the answer;
    further down nobody would see it. No two swaps touch the same document, so each moves by one place and no further.

    Args:
        relevance: Scores in any order; equal ones rank by row.
        epsilon: Chance, 0 to 1.
        random: None: nothing is explored (deterministic mode).

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
