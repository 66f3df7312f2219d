"""Reciprocal rank fusion (Cormack, Clarke and Buettcher 2009; seed 004, 6.1)."""

from __future__ import annotations

from collections.abc import Sequence

from graphpalace.domain.ranking import Fused, LaneScore, Ranking


def reciprocal_rank(rankings: Sequence[Ranking], *, k: int = 60) -> list[Fused]:
    """Return all drawers of the rankings by the sum of 1 / (k + rank).

    Args:
        rankings: One per lane, best first.
        k: Damps the lead of the first ranks, >= 1.
    Returns:
        Best first, ties by id. Each lane's share is its part of the fused score; a drawer's shares sum to 1.
    """
    lanes: dict[str, dict[str, tuple[int, float]]] = {}
    for ranking in rankings:
        for rank, (drawer, score) in enumerate(zip(ranking.ids, ranking.scores, strict=True), start=1):
            lanes.setdefault(drawer, {})[ranking.lane] = (rank, score)
    fused = []
    for drawer, seen in lanes.items():
        total = sum(1 / (k + rank) for rank, _ in seen.values())
        shares = {lane: LaneScore(rank, score, 1 / (k + rank) / total) for lane, (rank, score) in seen.items()}
        fused.append(Fused(drawer, total, shares))
    return sorted(fused, key=lambda hit: (-hit.score, hit.id))
