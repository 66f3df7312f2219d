"""Search a single lane: check the question, rank the documents that it finds, and store the ranking as a run."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from graphpalace.domain.runs.run import CodeCounts, DrawerColumns, LaneAnswer, Run
from graphpalace.domain.runs.run_requests import BUDGET_BYTES, LaneQuestion
from graphpalace.domain.search.codes import LEVELS
from graphpalace.domain.search.conditions import conditions_of
from graphpalace.domain.search.fusion_plan import MOST_MEMBERS, check_profile
from graphpalace.domain.vectors import Vector, unit_vector
from graphpalace.errors import EmptyQuery, InvalidInput
from graphpalace.fuse.blend import best_of_each
from graphpalace.fuse.codes import CodeTable, at_levels, code_counts, within_bytes
from graphpalace.operations.runs.run_store import RunStore, utc_now
from graphpalace.operations.search.lanes.lane import Lane, LaneQuery
from graphpalace.replica.palace_models import PalaceModels
from graphpalace.replica.places import filter_of, milliseconds
from graphpalace.store.connection.database import Database
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.store.runs import StoredRuns
from graphpalace.telemetry.spans import span


def check_lane_question(question: LaneQuestion, lanes: Mapping[str, Lane], *, dimension: int) -> None:
    """Check a question before anything is searched.

    Args:
        lanes: The lanes that can be searched, by name.
        dimension: Dimension of the palace's embeddings.

    Raises:
        EmptyQuery: If there are neither words nor an embedding, for a lane other than `code`.
        InvalidInput: If a value is out of range, or the lane, a filter or a level is unknown.
        WrongDimension: If the embedding does not have the dimension.
    """
    if question.lane not in lanes:
        known = ", ".join(lanes)
        raise InvalidInput(f"lane is {question.lane!r}; it must be one of {known}", field="lane", value=question.lane)
    if (question.lane == "code") != bool(question.profile):
        raise InvalidInput(
            f"target_profile has {len(question.profile)} schemes for the lane {question.lane}; the lane code "
            "needs at least one, the other lanes take none",
            field="target_profile",
        )
    check_profile(question.profile)
    if question.profile:
        if question.q.strip() or question.query_embedding is not None:
            raise InvalidInput("the lane code takes neither q nor query_embedding", field="q", value=question.q)
    elif question.query_embedding is not None:
        if not lanes[question.lane].needs_vector:
            raise InvalidInput(f"the lane {question.lane} takes no query_embedding", field="query_embedding")
        unit_vector(question.query_embedding, dimension=dimension, field="query_embedding")
    elif not question.q.strip():
        raise EmptyQuery("q is empty: give at least one word", field="q", value=question.q)
    in_range("top_k", question.top_k, 1, MOST_MEMBERS)
    in_range("budget_bytes", question.budget_bytes, *BUDGET_BYTES)
    conditions_of(question.filters)
    for scheme, level in question.rollup.items():
        if level not in LEVELS:
            raise InvalidInput(
                f"rollup.{scheme} is {level!r}; it must be one of {', '.join(LEVELS)}",
                field=f"rollup.{scheme}",
                value=level,
            )
    since, until = milliseconds("since", question.since), milliseconds("until", question.until)
    if since is not None and until is not None and since >= until:
        raise InvalidInput(f"since is {question.since}; it must be before until, {question.until}", field="since")


def lane_recipe(
    question: LaneQuestion, *, model: str, rrf_k: int, revision: int, trace_id: str | None
) -> dict[str, Any]:
    """Return all that a later service needs to repeat the search.

    Args:
        model: Name of the embedding model.
        rrf_k: Constant of reciprocal rank fusion, which gives the scores.
        revision: Revision of the palace.
        trace_id: Id that the runs of one request share.
    """
    given = question.query_embedding
    return {
        "kind": "lane",
        "lane": question.lane,
        "q": question.q,
        "query_embedding": list(given) if given is not None else None,
        "target_profile": {scheme: dict(codes) for scheme, codes in question.profile.items()},
        "model": model,
        "wing": question.wing,
        "room": question.room,
        "since": question.since.isoformat() if question.since else None,
        "until": question.until.isoformat() if question.until else None,
        "filters": question.filters,
        "top_k": question.top_k,
        "weight": 1.0,
        "rrf_k": rrf_k,
        "revision": revision,
        "trace_id": trace_id,
    }


def in_range(name: str, value: int, low: int, high: int) -> None:
    """Raise `InvalidInput` unless low <= value <= high."""
    if not low <= value <= high:
        raise InvalidInput(f"{name} is {value}; it must be {low} to {high}", field=name, value=value)


@dataclass(frozen=True, slots=True)
class RankedDocuments:
    """The documents that a lane found.

    Attributes:
        members: The best drawer of each document, best first.
        more: Whether the lane found more documents than these.
    """

    members: DrawerColumns
    more: bool


class LaneRanker:
    """Ranks documents by single lanes. A lane ranks drawers; the place of a document is that of its best drawer."""

    def __init__(self, database: Database, lanes: Sequence[Lane], models: PalaceModels) -> None:
        self._database = database
        self._stored = StoredRuns(database)
        self._lanes = {lane.name: lane for lane in lanes}
        self._models = models

    async def of(self, palace: str, recipe: Mapping[str, Any]) -> RankedDocuments:
        """Return the documents that a lane's recipe finds now, at most its `top_k`.

        The lane is asked for more drawers until these belong to enough documents, or the lane has no more.
        """
        since, until = (datetime.fromisoformat(recipe[end]) if recipe[end] else None for end in ("since", "until"))
        only = await filter_of(
            self._database,
            palace,
            wing=recipe["wing"],
            room=recipe["room"],
            since=since,
            until=until,
            conditions=conditions_of(recipe["filters"]),
        )

        async def vector() -> Vector:
            embedder = await self._models.of(palace)
            if recipe["query_embedding"] is not None:
                return unit_vector(recipe["query_embedding"], dimension=embedder.dimension, field="query_embedding")
            return (await asyncio.to_thread(embedder.embed_questions, [recipe["q"]]))[0]

        made: list[Vector] = []

        async def once() -> Vector:
            if not made:
                made.append(await vector())
            return made[0]

        lane, wanted = self._lanes[recipe["lane"]], recipe["top_k"] + 1  # the extra one shows whether there are more
        depth = wanted
        while True:
            asked = LaneQuery(recipe["q"], once, only, depth, recipe["target_profile"])
            with span(f"lane {lane.name}"):
                drawers = (await lane.rank(palace, asked)).ids
            members = await self._stored.members(palace, drawers)
            best = best_of_each(members.ids, members.document_of())
            if len(best) >= wanted or len(drawers) < depth:
                return RankedDocuments(members.only(best[: recipe["top_k"]]), len(best) >= wanted)
            depth = max(2 * depth, round(1.2 * wanted * depth / max(len(best), 1)))


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
