"""Asks questions of a palace, and returns the features of what the search finds."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

import numpy as np

from graphpalace.domain.search.plan import plan_of
from graphpalace.domain.search.ranking import Ranking
from graphpalace.errors import DatabaseFailed
from graphpalace.evaluation.asking import DEPTH, question_of
from graphpalace.evaluation.collection import CollectionQuestion
from graphpalace.evaluation.documents import document_of
from graphpalace.evaluation.no_answer.samples import Kind, Sample
from graphpalace.operations.search.answer_reader import shown as drawers_shown
from graphpalace.operations.search.confidence import features_of
from graphpalace.operations.search.ranked import RankedDrawers
from graphpalace.operations.search.recall import Recall
from graphpalace.operations.search.side_by_side import LaneResults
from graphpalace.operations.search.stage_timer import StageTimer
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.drawers import DrawerStore


class SampleCollector:
    """Collects samples from one palace. The stages of the search are those of the product; nothing is learned."""

    def __init__(self, database: Database, recall: Recall, palace: str) -> None:
        self._drawers = DrawerStore(database)
        self._recall = recall
        self._palace = palace

    async def sample(self, asked: CollectionQuestion, *, never: Kind | None = None) -> Sample | None:
        """Ask a question, and return the features of its answer; None if nothing was found.

        Documents that the question excludes are treated as if they were not in the palace.

        Args:
            never: Why no document of the collection ever answered it; None if one does or did.

        Raises:
            DatabaseFailed: If a lane failed or was too slow.
        """
        recall = self._recall
        request = replace(question_of(asked, {}), kept=False, without=frozenset({"learning"}))
        plan = plan_of(request, recall.settings.plan, recall.settings.plans)
        search = await recall.preparation.of(self._palace, request, plan, recall.lanes.needs(plan), StageTimer())
        try:
            found = await recall.lanes.ask(search)
            for lane, reason in found.left_out.items():
                raise DatabaseFailed(f"question {asked.id!r}: lane {lane} failed: {reason}", question=asked.id)
            fused = await recall.fusion.of(search, found)
            ranked = await recall.learned.of(search, found, fused, limit=None)
            if asked.exclude:
                found, ranked = await self._without(found, ranked, asked.exclude)
            read = await recall.reader.read(search, ranked)
            shown = drawers_shown(search, ranked, read)[:DEPTH]
            if not shown:
                return None
            features = await features_of(search, found, fused, ranked, shown)
        finally:
            search.close()
        kind = never or ("answered" if asked.relevant else "removed")
        relevant = np.array([document_of(drawer.source_uri) in asked.relevant for drawer in shown])
        return Sample(asked.id, kind, features.hits, features.answer, relevant)

    async def _without(
        self, found: LaneResults, ranked: RankedDrawers, exclude: Set[str]
    ) -> tuple[LaneResults, RankedDrawers]:
        """Return what was found without the drawers of some documents, as far as they could be shown."""
        ids = [hit.id for hit in ranked.best[: 2 * DEPTH + len(exclude)]]
        drawers = await self._drawers.read(self._palace, ids)
        gone = {drawer.id for drawer in drawers if document_of(drawer.source_uri) in exclude}
        rankings: list[Ranking] = []
        for ranking in found.rankings:
            kept = [pair for pair in zip(ranking.ids, ranking.scores, strict=True) if pair[0] not in gone]
            ids, scores = tuple(drawer for drawer, _ in kept), tuple(score for _, score in kept)
            rankings.append(replace(ranking, ids=ids, scores=scores))
        best, plain = ([hit for hit in hits if hit.id not in gone] for hits in (ranked.best, ranked.plain))
        return replace(found, rankings=rankings), replace(ranked, best=best, plain=plain)
