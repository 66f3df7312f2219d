"""Fuse the rankings of the lanes into one order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from graphpalace.domain.search.pooling import Pooling
from graphpalace.domain.search.ranking import FusedDrawer
from graphpalace.domain.search.rocchio import Rocchio
from graphpalace.domain.vectors import Vector
from graphpalace.fuse.evidence import EvidencePool
from graphpalace.fuse.reciprocal_rank import reciprocal_rank
from graphpalace.operations.search.preparation import PreparedSearch
from graphpalace.operations.search.side_by_side import LaneResults
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.vectors.drawer_matrix import DrawerVectors


class FusedOrder(Protocol):
    """All drawers that the lanes found, best first. They are created only when they are requested."""

    def first(self, limit: int | None = None) -> list[FusedDrawer]:
        """Return the best drawers; all of them if no limit is given."""
        ...


@dataclass(frozen=True, slots=True)
class FusedRanking:
    """The fused order of what the lanes found.

    Attributes:
        vectors: Vectors of the drawers, if they were looked up.
    """

    order: FusedOrder
    vectors: DrawerVectors | None = None


class Fusion:
    """Fuses rankings, either by evidence or by reciprocal rank.

    Fusion by evidence also moves the question towards the best drawers and scores again (Rocchio).
    """

    def __init__(self, indexes: DrawerIndexes, rocchio: Rocchio, *, rrf_k: int, temperature: float) -> None:
        self._indexes = indexes
        self._rocchio = rocchio
        self._rrf_k = rrf_k
        self._temperature = temperature

    async def of(self, search: PreparedSearch, found: LaneResults) -> FusedRanking:
        """Fuse what the lanes found, in the way that the search's plan says."""
        if search.plan.fusion == "rrf":
            ranked = reciprocal_rank(found.rankings, k=self._rrf_k, weights=search.plan.weights)
            return FusedRanking(_RankOrder(ranked))
        pooling = Pooling(self._temperature, search.plan.weights)
        if len(found.rankings) == 1 or not found.by_meaning:
            return FusedRanking(EvidencePool(found.rankings, pooling).order())
        goal = await search.vector.value()
        ids = dict.fromkeys(drawer for ranking in found.rankings for drawer in ranking.ids)
        vectors = await self._indexes.vectors(search.palace, list(ids))
        looked_up = {} if "looked-up cosines" in search.request.without else vectors.cosines(goal)
        pool = EvidencePool(found.rankings, pooling, looked_up={"semantic": looked_up})
        rescored = {} if "rocchio" in search.request.without else self._moved(pool, vectors, goal)
        return FusedRanking(pool.order({"semantic": rescored}), vectors)

    def _moved(self, pool: EvidencePool, vectors: DrawerVectors, goal: Vector) -> dict[str, float]:
        """Return the cosines of the drawers to the question after it was moved towards the best drawers."""
        best = vectors.of(pool.best(self._rocchio.drawers))
        return vectors.cosines(self._rocchio.moved(goal, best)) if len(best) else {}


@dataclass(frozen=True, slots=True)
class _RankOrder:
    ranked: Sequence[FusedDrawer]

    def first(self, limit: int | None = None) -> list[FusedDrawer]:
        """Return the best drawers."""
        return list(self.ranked[:limit])
