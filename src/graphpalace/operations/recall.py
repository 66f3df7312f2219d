"""Search: the lanes side by side, fused, each hit with its reasons and its path."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from graphpalace.domain.ranking import Fused, LaneScore, Ranking
from graphpalace.domain.trail import Trail
from graphpalace.domain.vectors import Vector, unit_vector
from graphpalace.errors import DatabaseFailed, EmptyQuery, InvalidInput
from graphpalace.fuse.reciprocal_rank import reciprocal_rank
from graphpalace.ingest.embed import Embedder
from graphpalace.operations.drawer_indexes import DrawerIndexes
from graphpalace.operations.lanes import Asked, FulltextLane, Lane, SemanticLane
from graphpalace.operations.path_lane import PathLane
from graphpalace.operations.places import find_place
from graphpalace.score.drawer_matrix import Filter
from graphpalace.store.database import Database, Row
from graphpalace.store.palaces import get_palace

MOST_RESULTS = 200
LANES = ("fulltext", "semantic", "path")


@dataclass(frozen=True, slots=True)
class Question:
    """What is searched for, and where.

    Attributes:
        query: Words; may be empty if an embedding is given.
        embedding: Used by the semantic lane in place of the query's own.
        since, until: Of when it was said, or else stored; from, inclusive, to, exclusive.
        lanes: Some of `LANES`; None: the configured ones.
    """

    query: str = ""
    embedding: Sequence[float] | None = None
    wing: str | None = None
    room: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    top_k: int = 10
    lanes: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """One drawer of an answer: where it stands, what it says, and why it is here.

    Attributes:
        path: From the palace to the drawer.
        trail: The way from what the other lanes found to the drawer, if the path lane walked one.
    """

    drawer: Row
    score: float
    lanes: dict[str, LaneScore]
    path: list[dict[str, str]]
    trail: Trail | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """Hits, best first, and how long each stage took in milliseconds."""

    hits: list[Hit]
    timings_ms: dict[str, float] = field(default_factory=dict)


class Recall:
    """Searches palaces."""

    def __init__(
        self,
        database: Database,
        indexes: DrawerIndexes,
        embedder: Embedder,
        path_lane: PathLane,
        *,
        lanes: Sequence[str] = ("fulltext", "semantic"),
        rrf_k: int = 60,
        lane_depth: int = 100,
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._path_lane = path_lane
        self._found_by: tuple[Lane, ...] = (SemanticLane(indexes), FulltextLane(database))
        self._lanes = lanes
        self._rrf_k = rrf_k
        self._lane_depth = lane_depth

    async def search(self, palace: str, question: Question) -> Answer:
        """Return the best drawers for a question.

        Reading changes nothing in the palace. Filters apply inside each lane, before its ranking is cut.

        Raises:
            EmptyQuery: If there are neither words nor an embedding.
            InvalidInput: If `top_k` is out of range, a lane is unknown, or the times are the wrong way round.
            WrongDimension: If the embedding is not of the palace's dimension.
            NotFound: If the palace, the wing or the room is not there.
        """
        clock = _Clock()
        _check(question)
        given = (
            unit_vector(question.embedding, dimension=self._embedder.dimension, field="query_embedding")
            if question.embedding is not None
            else None
        )
        lanes = self._lanes if question.lanes is None else question.lanes
        only = await self._filter(palace, question)
        depth = max(self._lane_depth, question.top_k)
        walks = "path" in lanes  # from what the other lanes find, which are asked for that alone if need be
        vector = asyncio.ensure_future(self._vector(question.query, given, clock))
        try:
            asked = Asked(question.query, lambda: vector, only, depth)
            rankings = await asyncio.gather(
                *(self._rank(lane, palace, asked, clock) for lane in self._found_by if walks or lane.name in lanes)
            )
        except DatabaseFailed:
            await get_palace(self._database, palace)  # a palace that is not there has no full-text index
            raise
        finally:
            vector.cancel()
        trails: dict[str, Trail] = {}
        shown = [ranking for ranking in rankings if ranking.lane in lanes]
        if walks:
            with clock.stage("path"):
                entries = reciprocal_rank(rankings, k=self._rrf_k)
                walked = await self._path_lane.walk(palace, entries, await vector, limit=depth, only=only)
            shown.append(walked.ranking)
            trails = walked.trails
        hits = await self._hits(palace, reciprocal_rank(shown, k=self._rrf_k), question.top_k, trails)
        return Answer(hits, clock.timings_ms())

    async def _vector(self, query: str, given: Vector | None, clock: _Clock) -> Vector:
        if given is not None:
            return given
        with clock.stage("embed"):
            return (await asyncio.to_thread(self._embedder.embed, [query]))[0]

    async def _rank(self, lane: Lane, palace: str, asked: Asked, clock: _Clock) -> Ranking:
        with clock.stage(lane.name):
            return await lane.rank(palace, asked)

    async def _hits(self, palace: str, fused: list[Fused], top_k: int, trails: dict[str, Trail]) -> list[Hit]:
        best = fused[:top_k]
        rows = await self._database.read("drawers/read_drawers", palace=palace, ids=[hit.id for hit in best])
        found = {row["drawer"]["id"]: row["drawer"] for row in rows}
        # A drawer that was deleted since its lane saw it is left out.
        return [
            Hit(found[hit.id], hit.score, hit.lanes, path_of(palace, found[hit.id]), trails.get(hit.id))
            for hit in best
            if hit.id in found
        ]

    async def _filter(self, palace: str, question: Question) -> Filter:
        wing_id, room_ids = None, None
        if question.wing is not None or question.room is not None:
            wing_id, found = await find_place(self._database, palace, wing=question.wing, room=question.room)
            room_ids = tuple(found) if question.room is not None else None
        return Filter(wing_id, room_ids, _milliseconds("since", question.since), _milliseconds("until", question.until))


def path_of(palace: str, drawer: Row) -> list[dict[str, str]]:
    """Return the way from the palace to a drawer, as kind, id and name of each node."""
    return [
        {"kind": "Palace", "id": palace, "name": palace},
        {"kind": "Wing", "id": drawer["wing_id"], "name": drawer["wing"]},
        {"kind": "Room", "id": drawer["room_id"], "name": drawer["room"]},
        {"kind": "Closet", "id": drawer["closet_id"], "name": drawer["closet"]},
        {"kind": "Drawer", "id": drawer["id"], "name": f"#{drawer['position']}"},
    ]


def _check(question: Question) -> None:
    if not question.query.strip() and question.embedding is None:
        raise EmptyQuery(field="query", value=question.query)
    if not 1 <= question.top_k <= MOST_RESULTS:
        raise InvalidInput(
            f"top_k is {question.top_k}; it must be 1 to {MOST_RESULTS}", field="top_k", value=question.top_k
        )
    if question.lanes is not None and not set() < set(question.lanes) <= set(LANES):
        known = ", ".join(LANES)
        raise InvalidInput(f"lanes is {list(question.lanes)}; it must be some of {known}", field="lanes")
    since, until = _milliseconds("since", question.since), _milliseconds("until", question.until)
    if question.since and question.until and since is not None and until is not None and since >= until:
        raise InvalidInput(
            f"since is {question.since.isoformat()}; it must be before until, {question.until.isoformat()}",
            field="since",
        )


def _milliseconds(field: str, moment: datetime | None) -> int | None:
    """Return milliseconds since 1970; a time without a zone is local time."""
    try:
        return None if moment is None else int(moment.timestamp() * 1000)
    except (OverflowError, ValueError):  # in UTC it is before the year 1 or after 9999
        raise InvalidInput(f"{field} is {moment}; it must be in the years 1 to 9999 of UTC", field=field) from None


class _Clock:
    """Milliseconds of each stage of one request."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self._stages: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self._stages[name] = (time.perf_counter() - start) * 1000

    def timings_ms(self) -> dict[str, float]:
        return self._stages | {"total": (time.perf_counter() - self._start) * 1000}
