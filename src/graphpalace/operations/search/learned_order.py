"""Reorder what was found by what was learned from feedback, and record every change."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from graphpalace.domain.deadline import at_most_s
from graphpalace.domain.search.evidence import Pooling
from graphpalace.domain.search.pseudo_feedback import Rocchio
from graphpalace.domain.search.ranking import FusedDrawer
from graphpalace.errors import DatabaseFailed, NotFound
from graphpalace.learn.learned import LearnedRanking
from graphpalace.learn.replay import Balance
from graphpalace.operations.history.search_log import MOST_CANDIDATES
from graphpalace.operations.search.fusion import FusedRanking
from graphpalace.operations.search.learned_scores import FoundDrawers, MemoryChanges, Rescoring, with_learning
from graphpalace.operations.search.preparation import PreparedSearch
from graphpalace.operations.search.ranked import RankedDrawers
from graphpalace.operations.search.side_by_side import LaneResults, failure_of
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.replica.learning import Learning
from graphpalace.settings.sections.search import SearchSettings


class LearnedOrder:
    """Applies what the wing, or the palace, has learned to what was found."""

    def __init__(
        self, indexes: DrawerIndexes, learning: Learning, rocchio: Rocchio, *, settings: SearchSettings
    ) -> None:
        self._indexes = indexes
        self._learning = learning
        self._rocchio = rocchio
        self._settings = settings

    async def of(
        self, search: PreparedSearch, found: LaneResults, fused: FusedRanking, *, limit: int | None
    ) -> RankedDrawers:
        """Return the best drawers in their learned order. If learning fails, `left_out` says so.

        Args:
            limit: How many drawers are needed; None: all, because a later stage may bring any of them to the top.
        """
        learned = await self._learned(search, found)
        # Learning may bring any drawer to the top, and feedback needs more drawers than are shown.
        plain = fused.order.first(None if learned is not None or limit is None else max(limit, MOST_CANDIDATES))
        if learned is None:
            return RankedDrawers(plain, plain)
        drawers, memory = await self._remembered(search, found, fused, plain, learned)
        without = search.request.without
        pairs = with_learning(
            drawers,
            replace(
                learned,
                question_map=None if "question map" in without else learned.question_map,
                balance=Balance() if "lane balance" in without else learned.balance,
            ),
            memory,
            Rescoring(
                Pooling(self._settings.temperature, search.plan.weights, search.lane_query.cosines),
                Rocchio(drawers=0, weight=0.0) if "rocchio" in without else self._rocchio,
                self._learning.settings.bound,
            ),
            limit=len(plain) + len(memory.gains) if limit is None else max(limit, MOST_CANDIDATES),
        )
        return RankedDrawers(
            [hit for hit, _ in pairs],
            plain,
            {hit.id: change for hit, change in pairs},
            proven=memory.proven,
            calibrations=learned.calibrations,
        )

    async def _learned(self, search: PreparedSearch, found: LaneResults) -> LearnedRanking | None:
        # RRF has no scores that learning could change. Without the semantic lane, there may be no embedding.
        left_out = "learning" in search.request.without or search.plan.fusion == "rrf"
        if not self._learning.settings.enabled or left_out or not found.by_meaning:
            return None
        timeout_s = at_most_s(self._settings.lane_timeout_s)
        try:
            async with asyncio.timeout(timeout_s):
                # The semantic lane has just read the state of the palace, so it is not read again.
                state = self._indexes.state(search.palace)
                return await self._learning.of(search.palace, search.lane_query.only.wing, state=state)
        except (DatabaseFailed, NotFound, TimeoutError) as error:
            found.left_out["learning"] = failure_of("learning", error, timeout_s=timeout_s).message
            return None

    async def _remembered(
        self,
        search: PreparedSearch,
        found: LaneResults,
        fused: FusedRanking,
        plain: list[FusedDrawer],
        learned: LearnedRanking,
    ) -> tuple[FoundDrawers, MemoryChanges]:
        """Return what was found, and what the memory of lessons changes, including drawers that only memory knows."""
        without, query = search.request.without, search.request.query
        goal = await search.vector.value()
        history = learned.of_question(query, goal)
        gains = {} if "memory" in without else history.gains()
        seen = {hit.id for hit in plain}
        if new := [drawer for drawer, gain in gains.items() if gain > 0 and drawer not in seen]:
            async with self._indexes.reading(search.palace) as matrix:
                passes = matrix.passing(new, search.lane_query.only)
            new = [drawer for drawer, passed in zip(new, passes, strict=True) if passed]
        losses = {} if "other questions" in without else history.losses([*seen, *new])
        vectors = fused.vectors
        if new or vectors is None:
            vectors = await self._indexes.vectors(search.palace, [*seen, *new], asked=goal)
        lanes = [ranking.lane for ranking in found.rankings]
        proven = {} if "memory" in without else history.proven()
        return FoundDrawers(plain, lanes, goal, vectors), MemoryChanges(gains, losses, proven)
