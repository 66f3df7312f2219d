"""Prepare a search: build its filter, load palace and model if needed, and start the reads that lanes share.

What several parts of the search need is read once, and its stages are timed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Generic, TypeVar

from graphpalace.domain.deadline import at_most_s
from graphpalace.domain.moments import fact_time
from graphpalace.domain.palaces.palaces import PalaceVersion
from graphpalace.domain.search.answer import SearchPlan
from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.vectors import Vector, unit_vector
from graphpalace.embedding.measured_models import scale_of
from graphpalace.errors import DatabaseFailed, EmbeddingFailed
from graphpalace.operations.search.lanes.entity import EntityLane
from graphpalace.operations.search.lanes.fulltext import FulltextLane
from graphpalace.operations.search.lanes.lane import LaneQuery
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.replica.palace_models import PalaceModels
from graphpalace.replica.places import filter_of
from graphpalace.store.connection.database import Database
from graphpalace.telemetry import metrics
from graphpalace.telemetry.spans import span

_LOAD_S = 3600.0  # the first search may have to download the model
_PATIENCE_S = 0.05  # wait for the full-text statement, which also reads the state; reading the state alone takes ms

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class LaneNeeds:
    """What has to be read for the lanes of one search.

    Attributes:
        embedding: Whether a lane needs the question's embedding.
        state: Whether a lane needs the current revision of the palace.
        words: The full-text lane, whose statement reads the revision too; None if the plan does not have this lane.
        names: The lane that needs the palace's names in memory; None if the plan does not have this lane.
    """

    embedding: bool
    state: bool
    words: FulltextLane | None
    names: EntityLane | None


@dataclass(frozen=True, slots=True)
class PreparedSearch:
    """A search that is ready to be run, shared by its stages.

    Attributes:
        lane_query: The question that every lane receives.
        vector: The question's embedding.
        reads: All reads that are shared by lanes and stages.
        folds: Whether equal texts become one hit.
        model: Embedding model of the palace when the search began.
    """

    palace: str
    request: SearchRequest
    plan: SearchPlan
    lane_query: LaneQuery
    vector: ReadOnce[Vector]
    reads: Sequence[ReadOnce[Any]]
    timer: StageTimer
    folds: bool
    model: str

    @property
    def limit(self) -> int:
        """How many of the best are needed: those that are shown, or of which a rerank chooses them."""
        return self.lane_query.depth if self.request.rerank else self.request.top_k

    async def goal(self, *, timeout_s: float | None) -> Vector | None:
        """Return the question's embedding; None if nothing needed it, it failed, or it is not ready in time."""
        if not self.vector.begun:
            return None
        with suppress(EmbeddingFailed, TimeoutError):
            async with asyncio.timeout(timeout_s):
                return await self.vector.value()
        return None

    def close(self) -> None:
        """Cancel reads that are still running."""
        for read in self.reads:
            read.close()


class Preparation:
    """Prepares searches."""

    def __init__(
        self, database: Database, indexes: DrawerIndexes, models: PalaceModels, *, lane_depth: int, folds: bool
    ) -> None:
        """Create the preparation.

        Args:
            folds: Whether equal texts become one hit, unless the request says otherwise.
        """
        self._database = database
        self._indexes = indexes
        self.models = models
        self._lane_depth = lane_depth
        self._folds = folds

    async def of(
        self, palace: str, request: SearchRequest, plan: SearchPlan, asked: LaneNeeds, timer: StageTimer
    ) -> PreparedSearch:
        """Prepare a search.

        Args:
            asked: What the lanes of the plan need.

        Raises:
            WrongDimension: If the embedding does not have the palace's dimension.
            NotFound: If the palace, the wing or the room does not exist.
            InvalidInput: If no document can meet a condition or the range of times.
        """
        embedder = await self.models.of(palace)
        dimension = embedder.dimension
        given = request.query_embedding
        embedding = None if given is None else unit_vector(given, dimension=dimension, field="query_embedding")
        with timer.stage("filter"):  # reports a missing palace, wing or room before anything is loaded
            only = await filter_of(
                self._database,
                palace,
                wing=request.wing,
                room=request.room,
                since=request.since,
                until=_until(request),
                speaker=request.speaker,
                project=request.project,
                conversation=request.conversation,
                conditions=request.conditions,
            )
        if self._indexes.revision(palace) is None:
            with timer.stage("load"):
                await self._indexes.warm(palace)
        if asked.names is not None and not asked.names.loaded(palace):
            # Takes seconds in a large palace, once, and must not count as time of the lane either.
            with suppress(DatabaseFailed, TimeoutError), timer.stage("names"):
                async with asyncio.timeout(at_most_s(_LOAD_S)):
                    await asked.names.load(palace)
        needs_embedding = asked.embedding or request.rerank
        if embedding is None and needs_embedding:
            # Loading takes seconds, once, and must not count as time of a lane. If it fails, the lanes report it later.
            # Near the deadline, the lanes that need no vector answer alone, and the model goes on loading.
            with suppress(EmbeddingFailed, TimeoutError), timer.stage("model"):
                async with asyncio.timeout(at_most_s(_LOAD_S)):
                    await asyncio.to_thread(embedder.load)

        async def embed() -> Vector:
            if embedding is not None:
                return embedding
            with timer.stage("embed"):
                return (await asyncio.to_thread(embedder.embed_questions, [request.query]))[0]

        vector = ReadOnce(embed)
        lane_query = LaneQuery(
            request.query,
            vector.value,
            only,
            max(self._lane_depth, request.top_k),
            request.profile,
            request.without,
        )
        words = None if asked.words is None else ReadOnce(partial(asked.words.read, palace, lane_query))

        async def look() -> PalaceVersion:
            if words is not None:
                await asyncio.wait([words.begin()], timeout=_PATIENCE_S)
                if words.succeeded and (version := (await words.value()).state) is not None:
                    return self._indexes.note(palace, version)
            return await self._indexes.look(palace)

        state = ReadOnce(look)
        reads: list[ReadOnce[Any]] = [vector, state] if words is None else [vector, words, state]
        if needs_embedding or embedding is not None:
            vector.begin()
        if asked.state:
            state.begin()
        lane_query = replace(
            lane_query, words=words and words.value, state=state.value, cosines=scale_of(embedder.name)
        )
        folds = self._folds if request.fold_duplicates is None else request.fold_duplicates
        return PreparedSearch(palace, request, plan, lane_query, vector, reads, timer, folds, embedder.name)


def _until(request: SearchRequest) -> datetime | None:
    """Return the time before which everything that may be found was said or stored."""
    if request.as_of is None:
        return request.until
    after = fact_time("as_of", request.as_of) + timedelta(milliseconds=1)  # what was stored just then was there
    return after if request.until is None else min(after, request.until.astimezone(UTC))


class ReadOnce(Generic[_T]):
    """A lazily read value. Reading starts with `begin`, or with the first call of `value`."""

    def __init__(self, read: Callable[[], Coroutine[Any, Any, _T]]) -> None:
        self._read = read
        self._task: asyncio.Task[_T] | None = None

    @property
    def begun(self) -> bool:
        """Whether reading has started."""
        return self._task is not None

    @property
    def succeeded(self) -> bool:
        """Whether the value was read successfully."""
        task = self._task
        return task is not None and task.done() and not task.cancelled() and task.exception() is None

    def begin(self) -> asyncio.Task[_T]:
        """Start reading in the background, if it has not started yet."""
        if self._task is None:
            self._task = asyncio.create_task(self._read())
            # Retrieves the exception, as asyncio logs one that nobody retrieves.
            self._task.add_done_callback(lambda task: task.cancelled() or task.exception())
        return self._task

    async def value(self) -> _T:
        """Return the value. If reading fails, every caller gets the same error."""
        return await asyncio.shield(self.begin())  # a caller that is cancelled does not cancel the read for others

    def close(self) -> None:
        """Cancel the read if it is still running."""
        if self._task is not None:
            self._task.cancel()


class StageTimer:
    """Measures the stages of one request, in milliseconds. Times of a stage that is entered again add up.

    Operators see them too, also those of stages that failed.
    """

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self._stages: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Measure the body of the `with` statement as a stage."""
        start = time.perf_counter()
        try:
            with span(f"search {name}"):
                yield
            self._stages[name] = self._stages.get(name, 0.0) + (time.perf_counter() - start) * 1000
        finally:
            metrics.STAGE_SECONDS.labels(name).observe(time.perf_counter() - start)

    def timings_ms(self) -> dict[str, float]:
        """Return the time of each completed stage, and the `total` since the timer was created."""
        return self._stages | {"total": (time.perf_counter() - self._start) * 1000}
