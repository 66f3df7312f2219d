"""Reciprocal rank fusion (Cormack, Clarke and Buettcher 2009; seed 004, 6.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graphpalace.domain.search.ranking import FusedDrawer, LaneScore, Ranking


def reciprocal_rank(
    rankings: Sequence[Ranking], *, k: int = 60, weights: Mapping[str, float] | None = None
) -> list[FusedDrawer]:
    """Return all drawers of the rankings by the sum of weight / (k + rank).

    Args:
        rankings: One per lane, best first.
        k: Damps the lead of the first ranks, >= 1.
        weights: One per lane, >= 0; a lane without one has 1, and what only lanes of weight 0 saw is left out.
    Returns:
        Best first, ties by id. Each lane's share is its part of the fused score; a drawer's shares sum to 1.
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
