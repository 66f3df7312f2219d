"""Reciprocal rank fusion, of rankings and over arrays (Cormack, Clarke and Buettcher 2009; seed 004, 6.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from graphpalace.domain.search.ranking import FusedDrawer, LaneScore, Ranking


def reciprocal_rank(
    rankings: Sequence[Ranking], *, k: int = 60, weights: Mapping[str, float] | None = None
) -> list[FusedDrawer]:
    """Fuse rankings by the sum of weight / (k + rank) over all lanes.

    Args:
        rankings: One for each lane, best first.
        k: Smoothing constant, >= 1. The larger it is, the smaller the advantage of the first ranks.
        weights: Weight of each lane, >= 0; 1 for lanes that are not named. Drawers that only lanes of weight 0 found
            are left out.

    Returns:
        Drawers, best first, ties by id. The share of a lane is its part of the fused score; shares sum to 1.

    Source: Cormack, Clarke and Buettcher 2009; seed 004, 6.1.
    """
    lanes: dict[str, dict[str, tuple[int, float, float]]] = {}
    for ranking in rankings:
        weight = (weights or {}).get(ranking.lane, 1.0)
        for rank, (drawer, score) in enumerate(zip(ranking.ids, ranking.scores, strict=True), start=1):
            lanes.setdefault(drawer, {})[ranking.lane] = (rank, score, weight / (k + rank))
    fused = []
    for drawer, seen in lanes.items():
        total = sum(part for _, _, part in seen.values())
        if total > 0:
            shares = {lane: LaneScore(rank, score, part / total) for lane, (rank, score, part) in seen.items()}
            fused.append(FusedDrawer(drawer, total, shares))
    return sorted(fused, key=lambda hit: (-hit.score, hit.id))


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
