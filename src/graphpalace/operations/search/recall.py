"""Search a palace: plan the request, ask the lanes concurrently, fuse and reorder what they find, read the answer."""

from __future__ import annotations

from dataclasses import dataclass, replace

from graphpalace.domain.deadline import at_most_s
from graphpalace.domain.search.answer import Answer
from graphpalace.domain.search.pseudo_feedback import Rocchio
from graphpalace.domain.search.request import SearchRequest, plan_of
from graphpalace.operations.history import SearchLog
from graphpalace.operations.rerank.rerank import Rerank
from graphpalace.operations.search.answer_reader import AnswerReader
from graphpalace.operations.search.fusion import FusedRanking, Fusion
from graphpalace.operations.search.learned_order import LearnedOrder
from graphpalace.operations.search.news_order import NewsOrder
from graphpalace.operations.search.preparation import Preparation, PreparedSearch, StageTimer
from graphpalace.operations.search.reordering import (
    FactOrder,
    ImportanceOrder,
    RankedDrawers,
    SearchedFacts,
    TimeOrder,
    named_time,
)
from graphpalace.operations.search.side_by_side import LaneResults, SearchLanes, SideBySideLanes
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.replica.known_facts import KnownFacts
from graphpalace.replica.learning import Learning
from graphpalace.replica.palace_models import PalaceModels
from graphpalace.settings.sections.search import SearchSettings
from graphpalace.store.connection.database import Database
from graphpalace.telemetry import metrics


@dataclass(frozen=True, slots=True)
class Recall:
    """Searches palaces. Each attribute is a stage, in the order in which they run."""

    settings: SearchSettings
    preparation: Preparation
    lanes: SideBySideLanes
    fusion: Fusion
    learned: LearnedOrder
    importance: ImportanceOrder
    news: NewsOrder
    facts: FactOrder
    times: TimeOrder
    search_rerank: SearchRerank
    reader: AnswerReader

    @classmethod
    def of(
        cls,
        database: Database,
        indexes: DrawerIndexes,
        models: PalaceModels,
        lanes: SearchLanes,
        *,
        learning: Learning,
        searches: SearchLog,
        rerank: Rerank,
        known_facts: KnownFacts,
        settings: SearchSettings,
    ) -> Recall:
        """Create a search with all of its stages."""
        rocchio = Rocchio(settings.feedback_drawers, settings.feedback_weight)
        return cls(
            settings,
            Preparation(database, indexes, models, lane_depth=settings.lane_depth, folds=settings.fold_duplicates),
            SideBySideLanes(database, lanes, settings=settings),
            Fusion(indexes, rocchio, lanes.entity, settings=settings),
            LearnedOrder(indexes, learning, rocchio, settings=settings),
            ImportanceOrder(indexes, weight=settings.importance_weight, pointer_penalty=settings.pointer_penalty),
            NewsOrder(database, indexes, weight=settings.news_weight),
            FactOrder(indexes, known_facts, penalty=settings.outdated_penalty, timeout_s=settings.lane_timeout_s),
            TimeOrder(indexes, weight=settings.time_weight),
            SearchRerank(rerank, timeout_s=settings.lane_timeout_s),
            AnswerReader(database, indexes, searches, least_confidence=settings.least_confidence),
        )

    async def search(self, palace: str, request: SearchRequest) -> Answer:
        """Return the best drawers for a request.

        Nothing changes in the palace. Filters apply inside each lane, before its ranking is cut. A lane that fails or
        is too slow is left out, and the answer says so.

        Raises:
            EmptyQuery: If the request has neither words nor an embedding.
            InvalidInput: If a value of the request is unknown or out of range.
            WrongDimension: If the embedding does not have the palace's dimension.
            NotFound: If the palace, the wing or the room does not exist.
            SearchTimedOut: If no lane answers, and at least one of them took too long.
            GraphPalaceError: If every lane fails for other reasons; the error of the first lane.
        """
        found = None
        while found is None:  # it is None if the palace changed its model meanwhile, which happens once in a while
            found = await self._search(palace, request)
        return found

    async def _search(self, palace: str, request: SearchRequest) -> Answer | None:
        timer = StageTimer()
        plan = plan_of(request, self.settings.plan, self.settings.plans)
        plan = replace(plan, time=named_time(request, enabled=self.settings.times))
        search = await self.preparation.of(palace, request, plan, self.lanes.needs(plan), timer)
        try:
            found = await self.lanes.ask(search)
            with timer.stage("fuse"):
                fused = await self.fusion.of(search, found)
            facts = await self.facts.of(search, found)
            ranked = await self._ranked(search, found, fused, facts, search.limit)
            read = await self.reader.read(search, ranked)
            if read.short:  # more equal texts than usual
                ranked = await self._ranked(search, found, fused, facts, None)
                read = await self.reader.read(search, ranked)
            answer = await self.reader.of(search, found, fused, ranked, read)
            return None if self.preparation.models.changed(palace, search.model) else answer
        except Exception:  # whatever the error is, vectors of two models may be its reason
            if self.preparation.models.changed(palace, search.model):
                return None
            raise
        finally:
            search.close()

    async def _ranked(
        self,
        search: PreparedSearch,
        found: LaneResults,
        fused: FusedRanking,
        facts: SearchedFacts | None,
        limit: int | None,
    ) -> RankedDrawers:
        """Return the best drawers in their final order.

        Args:
            limit: How many are needed; None: all.
        """
        every = limit is None
        with search.timer.stage("learn"):
            if self.facts.moves(search, facts) or self.times.counts(search):  # any drawer may come to the top
                limit = None
            needed = self.importance.needed(search, found, self.news.needed(search, fused, limit))
            ranked = await self.learned.of(search, found, fused, limit=needed)
            if not self.news.enough(search, ranked, limit):  # learning brought many older drawers to the top
                ranked = await self.learned.of(search, found, fused, limit=None)
        if self.importance.counts(search):
            ranked = await self.importance.of(search, ranked)
        if self.times.counts(search):
            ranked = await self.times.of(search, ranked)
        if self.news.counts(search):
            with search.timer.stage("news"):
                ranked = await self.news.of(search, fused, ranked, limit=limit)
        if facts is not None:
            ranked = self.facts.ranked(search, facts, ranked)
        if not search.request.rerank:
            return ranked
        with search.timer.stage("rerank"):
            return await self.search_rerank.of(search, found, ranked, every=every)


class SearchRerank:
    """Reranks the best drawers by the settings in the section `[rerank]`."""

    def __init__(self, rerank: Rerank, *, timeout_s: float) -> None:
        self._rerank = rerank
        self._timeout_s = timeout_s

    async def of(
        self, search: PreparedSearch, found: LaneResults, ranked: RankedDrawers, *, every: bool
    ) -> RankedDrawers:
        """Return the best drawers in their final order.

        Args:
            every: Whether all of the reranked drawers are needed, not only as many as the answer shows.

        If the question's embedding is not available in time, the order stays, and `left_out` names the rerank.
        """
        request = search.request
        goal = await search.goal(timeout_s=at_most_s(self._timeout_s))
        if goal is None:
            metrics.SEARCH_LEFT_OUT.labels("rerank", "timeout").inc()
            found.left_out["rerank"] = "the embedding of the question was not available in time"
            return ranked
        by_id = {hit.id: hit for hit in ranked.best}
        hits = [(hit.id, max(hit.score, 0.0)) for hit in ranked.best[: search.limit]]
        top_k = len(hits) if every else request.top_k
        order = await self._rerank.order(search.palace, goal, hits, top_k=top_k, mmr_lambda=request.mmr_lambda)
        if not order.places:  # all of them were deleted meanwhile
            return ranked
        return replace(
            ranked,
            best=[by_id[place.id]._replace(score=place.score) for place in order.places],
            reranked={place.id: place.components for place in order.places},
        )
