"""Variety among the first documents: maximal marginal relevance and exploration (seed 001)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.vectors import Matrix
from graphpalace.errors import InvalidInput

_Column = Float64[np.ndarray, " candidates"]
_SHARE = 4  # one in four of the ranks that can be promoted is promoted


def clamped(value: float) -> float:
    """Return a lambda, limited to 0 to 1.

    Raises:
        InvalidInput: If it is not a number.
    """
    if math.isnan(value):
        raise InvalidInput("mmr_lambda is not a number; it must be 0 to 1", field="mmr_lambda")
    return min(max(value, 0.0), 1.0)


def mmr(vectors: Matrix, relevance: Float64[np.ndarray, " candidates"], *, mmr_lambda: float, top_k: int) -> list[int]:
    """Return the rows of the chosen documents in the order of their choice.

    The most relevant document is chosen first. Each further document has the greatest lambda x relevance -
    (1 - lambda) x its greatest cosine to a chosen document. Ties go by row. Each choice takes one matrix-vector
    product, so the cost is O(top_k x candidates x dimension).

    Args:
        vectors: Length one each.
        mmr_lambda: 1 means relevance alone. Values outside 0 to 1 are limited to it.

    Example:
        >>> same = np.array([[1, 0], [1, 0], [0, 1]], np.float32)
        >>> mmr(same, np.array([0.9, 0.8, 0.5]), mmr_lambda=0.5, top_k=2)
        [0, 2]

    Source: seed 001, "MMR Diversification".
    """
    share = clamped(mmr_lambda)
    wanted = min(top_k, len(relevance))
    if wanted < 1:
        return []
    weighed = share * relevance
    nearest = np.full(len(relevance), -np.inf, np.float32)
    chosen = [int(np.argmax(relevance))]
    while len(chosen) < wanted:
        np.maximum(nearest, vectors @ vectors[chosen[-1]], out=nearest)
        gain = weighed - (1.0 - share) * nearest
        gain[chosen] = -np.inf
        chosen.append(int(np.argmax(gain)))
    return chosen


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
