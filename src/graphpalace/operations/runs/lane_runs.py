"""Search a single lane and store its ranking as a run."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphpalace.domain.runs.run import CodeCounts, DrawerColumns, Run
from graphpalace.domain.runs.run_answers import LaneAnswer
from graphpalace.domain.runs.run_requests import LaneQuestion
from graphpalace.errors import InvalidInput
from graphpalace.fuse.codes import CodeTable, at_levels, code_counts, within_bytes
from graphpalace.operations.runs.lane_question import check_lane_question, lane_recipe
from graphpalace.operations.runs.lane_ranker import LaneRanker
from graphpalace.operations.runs.run_store import RunStore, utc_now
from graphpalace.operations.search.lanes.lane import Lane
from graphpalace.replica.palace_models import PalaceModels
from graphpalace.store.connection.database import Database
from graphpalace.store.palaces.palaces import PalaceStore

MOST_LANES = 10


class LaneRuns:
    """Searches single lanes, and stores a run of each."""

    def __init__(
        self,
        database: Database,
        store: RunStore,
        ranker: LaneRanker,
        lanes: Sequence[Lane],
        models: PalaceModels,
        *,
        rrf_k: int,
        codes_top_n: int,
    ) -> None:
        self._palaces = PalaceStore(database)
        self._store = store
        self._ranker = ranker
        self._lanes = {lane.name: lane for lane in lanes}
        self._models = models
        self._rrf_k = rrf_k
        self._codes_top_n = codes_top_n

    async def search(self, palace: str, question: LaneQuestion, *, trace_id: str | None = None) -> LaneAnswer:
        """Search one lane, store its ranking as a run, and return the run's handle.

        Args:
            trace_id: Stored in the recipe, so that the runs of one request can be found together.

        Raises:
            EmptyQuery: If there are neither words nor an embedding, for a lane other than `code`.
            InvalidInput: If a value is out of range, or the lane, a filter or a level is unknown.
            WrongDimension: If the embedding does not have the palace's dimension.
            NotFound: If the palace, the wing or the room does not exist.
        """
        embedder = await self._models.of(palace)
        check_lane_question(question, self._lanes, dimension=embedder.dimension)
        start = time.perf_counter()
        revision = (await self._palaces.get(palace)).revision
        model, rrf_k = embedder.name, self._rrf_k
        recipe = lane_recipe(question, model=model, rrf_k=rrf_k, revision=revision, trace_id=trace_id)
        found = await self._ranker.of(palace, recipe)
        members, count = found.members, len(found.members.ids)
        counted = await asyncio.to_thread(_counted, members, question, self._codes_top_n)
        now = utc_now()
        scores = 1.0 / (self._rrf_k + np.arange(1, count + 1))
        run = await self._store.put(
            Run(
                id=question.lane,
                palace=palace,
                kind="lane",
                lane=question.lane,
                ids=members.ids,
                scores=tuple(scores.tolist()),
                recipe=recipe,
                revision=revision,
                created_at=now,
                expires_at=now,
                counts=counted.kept,
            ),
            digits=8,
        )
        self._store.remember_members(run, members, revision=revision)
        return LaneAnswer(
            lane=question.lane,
            run_id_lane=run.id,
            count_returned=count,
            truncated=found.more,
            code_freqs=counted.shown,
            codes_left_out=counted.left_out,
            cursor=str(count) if found.more else None,
            took_ms=(time.perf_counter() - start) * 1000,
        )

    async def multilane(
        self, palace: str, questions: Sequence[LaneQuestion], *, trace_id: str | None = None
    ) -> list[LaneAnswer]:
        """Search several lanes concurrently. If one of the questions is invalid, nothing is searched.

        Args:
            questions: 1 to 10.
            trace_id: Stored in each recipe, so that the runs of one request can be found together.

        Raises:
            GraphPalaceError: As `search`.
        """
        if not 1 <= len(questions) <= MOST_LANES:
            raise InvalidInput(f"lanes has {len(questions)} items; it must have 1 to {MOST_LANES}", field="lanes")
        embedder = await self._models.of(palace)
        for question in questions:
            check_lane_question(question, self._lanes, dimension=embedder.dimension)
        return await asyncio.gather(*(self.search(palace, one, trace_id=trace_id) for one in questions))


@dataclass(frozen=True, slots=True)
class _Counted:
    kept: CodeCounts
    shown: CodeCounts
    left_out: int


def _counted(members: DrawerColumns, question: LaneQuestion, top_n: int) -> _Counted:
    """Return the code frequencies that the run stores, those that the answer shows, and how many it leaves out."""
    table = CodeTable.of(members.codes)
    rolled = at_levels(table, question.rollup)
    frequent = code_counts(rolled.codes, rolled.counts(), top_n=top_n)
    shown, _ = within_bytes(frequent, question.budget_bytes)
    return _Counted(
        kept=code_counts(table.codes, table.counts(), top_n=top_n),
        shown=shown,
        left_out=len(rolled.codes) - sum(map(len, shown.values())),
    )
