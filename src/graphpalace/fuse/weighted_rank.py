"""Weighted reciprocal rank fusion over arrays (Cormack, Clarke and Buettcher 2009; seed 004, 6.1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray


def pooled(rankings: Sequence[Sequence[str]]) -> tuple[list[str], list[Int[ndarray, " ranked"]]]:
    """Collect the distinct ids of several rankings, sorted, and return them with each ranking as indices into them.

    Because the ids are sorted, a stable sort by score breaks ties by id.
    """
    ids = sorted(set().union(*rankings))
    place = dict(zip(ids, range(len(ids)), strict=True))
    return ids, [np.fromiter(map(place.__getitem__, ranking), np.intp, len(ranking)) for ranking in rankings]


def rank_scores(ranking: Int[ndarray, " ranked"], *, size: int, weight: float, k: int) -> Float[ndarray, " size"]:
    """Return weight / (k + rank) for each document of a pool, with ranks from 1; 0 for documents that are not ranked.

    Args:
        ranking: Indices of documents, best first, without duplicates.
        size: Number of documents in the pool.
        weight: Weight of the ranking, >= 0.
        k: Smoothing constant, >= 1.

    Source: Cormack, Clarke and Buettcher 2009; seed 004, 6.1.
    """
    scores = np.zeros(size)
    scores[ranking] = weight / (k + np.arange(1, len(ranking) + 1))
    return scores


def best_first(scores: Float[ndarray, " size"]) -> Int[ndarray, " ranked"]:
    """Return the documents with a score above 0, best first, ties in the order of the pool."""
    order = np.argsort(-scores, kind="stable")
    return order[: np.count_nonzero(scores > 0)]
