"""Before the lanes: which drawers may be found, the palace and the model in memory, and what lanes share begun."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from graphpalace.domain.changes import PalaceStanding
from graphpalace.domain.search.plan import SearchOptions, SearchPlan
from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.vectors import Vector, unit_vector
from graphpalace.embedding.embedder import Embedder
from graphpalace.errors import EmbeddingFailed
from graphpalace.operations.search.lanes.fulltext import FulltextLane
from graphpalace.operations.search.lanes.lane import LaneQuery
from graphpalace.operations.search.read_once import ReadOnce
from graphpalace.operations.search.stage_timer import StageTimer
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.replica.filters import filter_of
from graphpalace.store.connection.database import Database

_PATIENCE_S = 0.05  # for the statement that reads words; what it takes to look oneself is some milliseconds


@dataclass(frozen=True, slots=True)
class LaneNeeds:
    """What the lanes of one search need to be read for them, before they are asked.

    Attributes:
        embedding: Whether one of them waits for the question's.
        state: Whether one of them needs to know where the palace stands.
        words: Reads for the full-text lane, and where the palace stands with it; None if it is not asked.
    """

    embedding: bool
    state: bool
    words: FulltextLane | None


@dataclass(frozen=True, slots=True)
class PreparedSearch:
    """What the stages of one search work on.

    Attributes:
        lane_query: What every lane gets.
        vector: The question's embedding.
        reads: All that is read once for several lanes and stages.
    """

    palace: str
    request: SearchRequest
    plan: SearchPlan
    lane_query: LaneQuery
    vector: ReadOnce[Vector]
    reads: Sequence[ReadOnce[Any]]
    timer: StageTimer

    async def goal(self, *, timeout_s: float | None) -> Vector | None:
        """Return the question's embedding; None if nothing needed it, or it cannot be had in time."""
        if not self.vector.begun:
            return None
        with suppress(EmbeddingFailed, TimeoutError):
            async with asyncio.timeout(timeout_s):
                return await self.vector.value()
        return None

    def close(self) -> None:
        """Stop reading what nobody needs any more."""
        for read in self.reads:
            read.close()


class Preparation:
    """Prepares searches."""

    def __init__(
        self, database: Database, indexes: DrawerIndexes, embedder: Embedder, *, options: SearchOptions
    ) -> None:
        self._database = database
        self._indexes = indexes
        self._embedder = embedder
        self._options = options

    async def of(
        self, palace: str, request: SearchRequest, plan: SearchPlan, asked: LaneNeeds, timer: StageTimer
    ) -> PreparedSearch:
        """Return a search that can be asked of lanes.

        Args:
            asked: What the lanes of the plan need to be read for them.

        Raises:
            WrongDimension: If the embedding is not of the palace's dimension.
            NotFound: If the palace, the wing or the room is not there.
            InvalidInput: If a condition or a time cannot be met by any document.
        """
        dimension = self._embedder.dimension
        given = request.query_embedding
        embedding = None if given is None else unit_vector(given, dimension=dimension, field="query_embedding")
        with timer.stage("filter"):  # what is not there is told before the palace or the model is loaded
            only = await filter_of(
                self._database,
                palace,
                wing=request.wing,
                room=request.room,
                since=request.since,
                until=request.until,
                conditions=request.conditions,
            )
        if self._indexes.revision(palace) is None:
            with timer.stage("load"):
                await self._indexes.warm(palace)
        needs_embedding = asked.embedding or request.rerank
        if embedding is None and needs_embedding:
            # Loading takes seconds once, and must not count as a lane's time; a failure is that of the lanes, later.
            with suppress(EmbeddingFailed), timer.stage("model"):
                await asyncio.to_thread(self._embedder.load)

        async def embed() -> Vector:
            if embedding is not None:
                return embedding
            with timer.stage("embed"):
                return (await asyncio.to_thread(self._embedder.embed, [request.query]))[0]

        vector = ReadOnce(embed)
        lane_query = LaneQuery(
            request.query,
            vector.value,
            only,
            self._options.depth(request),
            request.profile,
            request.without,
        )
        words = None if asked.words is None else ReadOnce(partial(asked.words.read, palace, lane_query))

        async def look() -> PalaceStanding:
            if words is not None:
                await asyncio.wait([words.begin()], timeout=_PATIENCE_S)
                if words.succeeded and (told := (await words.value()).state) is not None:
                    return self._indexes.note(palace, told)
            return await self._indexes.look(palace)

        state = ReadOnce(look)
        reads: list[ReadOnce[Any]] = [vector, state] if words is None else [vector, words, state]
        if needs_embedding or embedding is not None:
            vector.begin()
        if asked.state:
            state.begin()
        lane_query = replace(lane_query, words=words and words.value, state=state.value)
        return PreparedSearch(palace, request, plan, lane_query, vector, reads, timer)
