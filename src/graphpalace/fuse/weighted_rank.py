"""Weighted reciprocal rank fusion over arrays (Cormack, Clarke and Buettcher 2009; seed 004, 6.1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray


def pooled(rankings: Sequence[Sequence[str]]) -> tuple[list[str], list[Int[ndarray, " ranked"]]]:
    """Return all ids of some rankings, each once, in their own order, and each ranking as indices into them.

    As the pool is in the order of ids, a stable sort by score breaks ties by id.
    """
    ids = sorted(set().union(*rankings))
    place = dict(zip(ids, range(len(ids)), strict=True))
    return ids, [np.fromiter(map(place.__getitem__, ranking), np.intp, len(ranking)) for ranking in rankings]


def rank_scores(ranking: Int[ndarray, " ranked"], *, size: int, weight: float, k: int) -> Float[ndarray, " size"]:
    """Return weight / (k + rank), rank from 1, for each document of a pool; 0 for those that are not ranked.

    Args:
        ranking: Documents as indices into the pool, best first, each once.
        size: Of the pool.
        k: >= 1.
    """
    scores = np.zeros(size)
    scores[ranking] = weight / (k + np.arange(1, len(ranking) + 1))
    return scores


def best_first(scores: Float[ndarray, " size"]) -> Int[ndarray, " ranked"]:
    """Return the documents with a score above 0, best first, ties in the order of the pool."""
    order = np.argsort(-scores, kind="stable")
    return order[: np.count_nonzero(scores > 0)]
