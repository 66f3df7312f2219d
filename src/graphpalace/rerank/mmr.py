"""Maximal marginal relevance: relevant documents that differ (Carbonell and Goldstein 1998; seed 001)."""

from __future__ import annotations

import math

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.vectors import Matrix
from graphpalace.errors import InvalidInput


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
