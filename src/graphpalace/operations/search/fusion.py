"""Fuse the rankings of the lanes into one order."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from graphpalace.domain.deadline import at_most_s
from graphpalace.domain.search.answer import FusedDrawer, Ranking
from graphpalace.domain.search.evidence import Pooling
from graphpalace.domain.search.pseudo_feedback import Rocchio
from graphpalace.domain.vectors import Vector
from graphpalace.errors import DatabaseFailed, EmbeddingFailed
from graphpalace.fuse.lane_fusion import EvidencePool, reciprocal_rank
from graphpalace.operations.search.lanes.entity import MOST_LEADS, EntityLane, EntityLaneResult
from graphpalace.operations.search.preparation import PreparedSearch
from graphpalace.operations.search.side_by_side import LaneResults, failure_of
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.settings.sections.search import SearchSettings
from graphpalace.vectors.drawer_rows import DrawerVectors

_SURE = 0.5  # fused score of the best drawer from which on the names that lead on from it count in full


class FusedOrder(Protocol):
    """All drawers that the lanes found, best first. They are created only when they are requested."""

    def first(self, limit: int | None = None) -> list[FusedDrawer]:
        """Return the best drawers; all of them if no limit is given."""
        ...

    def of(self, drawers: Collection[str]) -> list[FusedDrawer]:
        """Return those of some drawers that were found, best first."""
        ...

    def ids(self) -> Iterator[str]:
        """Return the ids of all drawers, best first."""
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

    Fusion by evidence also moves the question towards the best drawers and scores again (Rocchio). If the plan has the
    lane `entity`, it starts from the best of this order, and its ranking is fused with the others.
    """

    def __init__(
        self, indexes: DrawerIndexes, rocchio: Rocchio, entity_lane: EntityLane, *, settings: SearchSettings
    ) -> None:
        self._indexes = indexes
        self._rocchio = rocchio
        self._entity_lane = entity_lane
        self._settings = settings

    async def of(self, search: PreparedSearch, found: LaneResults) -> FusedRanking:
        """Fuse what the lanes found, in the way that the search's plan says."""
        known = await self._known(search, found)
        fused = self._fused(search, found.rankings, known)
        if EntityLane.name not in search.plan.lanes:
            return fused
        result = await self._by_names(search, found, fused)
        if not result.ranking.ids:
            return fused
        found.rankings.append(result.ranking)
        found.ways, found.trails = dict(result.ways), {**result.trails, **found.trails}
        return self._fused(search, found.rankings, await self._with_names(search, found, result.ranking, known))

    async def _by_names(self, search: PreparedSearch, found: LaneResults, fused: FusedRanking) -> EntityLaneResult:
        """Return what the lane `entity` finds; nothing, and the reason in `left_out`, if it fails."""
        leads = fused.order.first(MOST_LEADS) or found.entries[:MOST_LEADS]
        sure = min(1.0, max(leads[0].score, 0.0) / _SURE) if leads and search.plan.fusion != "rrf" else 1.0
        timeout_s = at_most_s(self._settings.lane_timeout_s)
        try:
            async with asyncio.timeout(timeout_s):
                with search.timer.stage(EntityLane.name):
                    asked = search.lane_query
                    return await self._entity_lane.among(search.palace, asked, leads, sure=sure, limit=asked.depth)
        except (DatabaseFailed, EmbeddingFailed, TimeoutError) as error:
            found.left_out[EntityLane.name] = failure_of(EntityLane.name, error, timeout_s=timeout_s).message
            return EntityLaneResult(Ranking(EntityLane.name, (), ()))

    async def _known(self, search: PreparedSearch, found: LaneResults) -> _KnownCosines | None:
        """Look up the cosines of what was found, if words and meaning are fused by evidence."""
        if search.plan.fusion == "rrf" or len(found.rankings) <= 1 or not found.by_meaning:
            return None
        goal = await search.vector.value()
        ids = dict.fromkeys(drawer for ranking in found.rankings for drawer in ranking.ids)
        vectors = await self._indexes.vectors(search.palace, list(ids), asked=goal)
        looked_up = {} if "looked-up cosines" in search.request.without else vectors.cosines(goal)
        pool = EvidencePool(found.rankings, self._pooling(search), looked_up={"semantic": looked_up})
        rescored = {} if "rocchio" in search.request.without else self._moved(pool, vectors, goal)
        return _KnownCosines(pool, vectors, looked_up, rescored)

    async def _with_names(
        self, search: PreparedSearch, found: LaneResults, ranking: Ranking, known: _KnownCosines | None
    ) -> _KnownCosines | None:
        """Add the cosines of drawers that only names found."""
        if known is None:
            return None
        there = set(known.vectors.ids)
        goal = await search.vector.value()
        new = await self._indexes.vectors(search.palace, [one for one in ranking.ids if one not in there], asked=goal)
        looked_up = {} if "looked-up cosines" in search.request.without else new.cosines(goal)
        vectors = DrawerVectors([*known.vectors.ids, *new.ids], np.concatenate([known.vectors.vectors, new.vectors]))
        looked_up = {**known.looked_up, **looked_up}
        pool = EvidencePool(found.rankings, self._pooling(search), looked_up={"semantic": looked_up})
        return _KnownCosines(pool, vectors, looked_up, known.rescored)

    def _fused(self, search: PreparedSearch, rankings: Sequence[Ranking], known: _KnownCosines | None) -> FusedRanking:
        if search.plan.fusion == "rrf" or not rankings:
            ranked = reciprocal_rank(rankings, k=self._settings.rrf_k, weights=search.plan.weights)
            return FusedRanking(_RankOrder(ranked))
        if known is None:
            return FusedRanking(EvidencePool(rankings, self._pooling(search)).order())
        return FusedRanking(known.pool.order({"semantic": known.rescored}), known.vectors)

    def _pooling(self, search: PreparedSearch) -> Pooling:
        return Pooling(self._settings.temperature, search.plan.weights, search.lane_query.cosines)

    def _moved(self, pool: EvidencePool, vectors: DrawerVectors, goal: Vector) -> dict[str, float]:
        """Return the cosines of the drawers to the question after it was moved towards the best drawers."""
        best = vectors.of(pool.best(self._rocchio.drawers))
        return vectors.cosines(self._rocchio.moved(goal, best)) if len(best) else {}


@dataclass(frozen=True, slots=True)
class _KnownCosines:
    """What is known of the drawers that were found.

    Attributes:
        pool: Their evidence.
        looked_up: Cosines to the question.
        rescored: Cosines to the question after it was moved towards the best drawers.
    """

    pool: EvidencePool
    vectors: DrawerVectors
    looked_up: dict[str, float]
    rescored: dict[str, float]


@dataclass(frozen=True, slots=True)
class _RankOrder:
    ranked: Sequence[FusedDrawer]

    def first(self, limit: int | None = None) -> list[FusedDrawer]:
        """Return the best drawers."""
        return list(self.ranked[:limit])

    def of(self, drawers: Collection[str]) -> list[FusedDrawer]:
        """Return those of some drawers that were found."""
        return [hit for hit in self.ranked if hit.id in drawers]

    def ids(self) -> Iterator[str]:
        """Return the ids of all drawers, best first."""
        return (hit.id for hit in self.ranked)
