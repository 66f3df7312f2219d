"""Store closets with their drawers and edges: one transaction, whole or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence, Set
from dataclasses import asdict, dataclass, field
from typing import Any

from graphpalace.domain.publication import Publication
from graphpalace.domain.records import ClosetPart, DrawerRecord, RoomRecord, Written
from graphpalace.domain.room import BASE_COST
from graphpalace.domain.search_words import search_words
from graphpalace.domain.vectors import quantised, to_bytes
from graphpalace.errors import Conflict
from graphpalace.store.database import Database, Transaction
from graphpalace.store.palaces import hold_palace


class _MakeWay(Exception):
    """The write before began again, and may need what this one has locked."""


class Turn:
    """The place of a write in a row of them: it begins while the one before commits, and links to it after that."""

    def __init__(self, before: Turn | None = None) -> None:
        self._before = before
        self.drawers: frozenset[str] = frozenset()  # that the write stores
        self._begun = False
        self._again = asyncio.Event()
        self._ready = asyncio.Event()
        self._outcome: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @property
    def follows(self) -> bool:
        """Whether there is a write before it."""
        return self._before is not None

    @property
    def awaited(self) -> frozenset[str]:
        """Ids of the drawers that are not there before `follow` has returned."""
        return self._before.drawers if self._before else frozenset()

    async def ready(self) -> None:
        """Wait until the next may begin: all is said and only the commit is left, or it failed."""
        await self._ready.wait()

    async def take(self, write: Callable[[], Awaitable[Written]]) -> Written:
        """Run the write, which is to call `begin`, `follow` and `leave` in its transaction."""
        try:
            try:
                written = await write()
            except _MakeWay:
                assert self._before
                await asyncio.wait([self._before._outcome])
                written = await write()
            self._outcome.set_result(None)
        except BaseException as error:
            self._outcome.set_exception(error if isinstance(error, Exception) else asyncio.CancelledError())
            self._outcome.exception()  # whether anybody follows or not
            raise
        finally:
            self._before = None
            self._ready.set()
        return written

    def begin(self) -> None:
        """Note that the transaction begins, perhaps again."""
        if self._begun:
            self._again.set()
        self._begun = True

    async def follow(self) -> None:
        """Wait until the write before is committed; raise what it failed with."""
        if self._before is None:
            return
        again = asyncio.create_task(self._before._again.wait())
        try:
            await asyncio.wait([self._before._outcome, again], return_when=asyncio.FIRST_COMPLETED)
        finally:
            again.cancel()
        if not self._before._outcome.done():
            raise _MakeWay
        self._before._outcome.result()

    def leave(self) -> None:
        """Note that only the commit is left."""
        self._ready.set()


async def write_closets(
    database: Database,
    palace: str,
    rooms: Sequence[RoomRecord],
    closets: Sequence[ClosetPart],
    *,
    turn: Turn | None = None,
) -> Written:
    """Store the closets' drawers, remove those a changed source no longer has, and link what is new.

    Drawers that stay keep their pheromones and edges. The palace is locked first, so two writers of the same source
    follow each other. Only a write that begins while the one before it commits has its own closets first: the palace
    is not free before. It may be repeated at any time: what is there already is only brought up to date.

    Args:
        turn: Its place among others that this process writes one after the other.

    Raises:
        NotFound: If the palace is not there, or not any more; nothing is stored then.
    """
    turn = turn or Turn()
    turn.drawers = frozenset(drawer.id for part in closets for drawer in part.drawers)

    async def work(tx: Transaction) -> Written:
        turn.begin()
        if not turn.follows:
            await hold_palace(tx, palace)
        locked = {
            row["id"]: row
            for row in await tx.run("ingest/lock_closets", palace=palace, closets=[_closet(part) for part in closets])
        }
        plan = _planned(closets, locked)
        if plan.new:
            await tx.send(
                "ingest/create_drawers", palace=palace, closets=plan.new_rows(), base_cost=BASE_COST["HAS_DRAWER"]
            )
        now, later = plan.links(turn.awaited)
        edges = await _link_similar(tx, now)
        if turn.follows:
            await turn.follow()
            await hold_palace(tx, palace)
        edges += await _link_similar(tx, later)
        await tx.run("ingest/write_rooms", palace=palace, rooms=[asdict(room) for room in rooms], base_cost=BASE_COST)
        written = await _link(tx, palace, closets, plan, edges)
        turn.leave()
        return written

    return await turn.take(lambda: database.transaction(work, palace=palace))


@dataclass(slots=True)
class _Plan:
    """What is to be done with the drawers of some closets, given what is stored."""

    new: dict[str, list[DrawerRecord]] = field(default_factory=dict)
    stayed: list[DrawerRecord] = field(default_factory=list)
    untouched: set[str] = field(default_factory=set)  # somebody stored them a moment ago
    removed: list[str] = field(default_factory=list)
    room_of: dict[str, str] = field(default_factory=dict)
    wing_of: dict[str, str] = field(default_factory=dict)

    @property
    def created(self) -> list[DrawerRecord]:
        return [drawer for drawers in self.new.values() for drawer in drawers]

    def links(self, awaited: Set[str]) -> tuple[list[tuple[str, str, float]], list[tuple[str, str, float]]]:
        """Return what is to be linked to drawers that are there, and to those that are awaited."""
        now, later, removed = [], [], set(self.removed)
        for drawer in self.created:
            for other, cosine in drawer.similar:
                if other not in removed:
                    (later if other in awaited else now).append((drawer.id, other, cosine))
        return now, later

    def new_rows(self) -> list[dict[str, Any]]:
        return [
            {
                "id": closet,
                "drawers": [_row(drawer, self.wing_of[closet], self.room_of[drawer.id]) for drawer in drawers],
            }
            for closet, drawers in self.new.items()
        ]


def _planned(closets: Sequence[ClosetPart], locked: dict[str, Any]) -> _Plan:
    plan = _Plan(wing_of={part.id: part.wing_id for part in closets})
    for part in closets:
        stored = set(locked[part.id]["drawers"])
        clusters = locked[part.id]["clusters"]
        position = locked[part.id]["next_position"]
        for drawer in part.drawers:
            gives_way = drawer.room_id == part.default_room and clusters
            plan.room_of[drawer.id] = clusters[0] if gives_way else drawer.room_id
            if drawer.id in stored and part.appended:
                plan.untouched.add(drawer.id)
            elif drawer.id in stored:
                plan.stayed.append(drawer)
            else:
                if part.appended:
                    drawer.position, position = position, position + 1
                plan.new.setdefault(part.id, []).append(drawer)
        if part.keep is not None:
            plan.removed.extend(sorted(stored - part.keep))
    return plan


async def _link_similar(tx: Transaction, links: Sequence[tuple[str, str, float]]) -> int:
    """Create edges from the one drawer to the other, given their cosines, and return how many they are."""
    if not links:
        return 0
    place: dict[str, int] = {}
    # Three lists, because tens of thousands of small ones take longer to make and to read.
    tails = [place.setdefault(tail, len(place)) for tail, _, _ in links]
    heads = [place.setdefault(head, len(place)) for _, head, _ in links]
    similarities = [cosine for _, _, cosine in links]
    (row,) = await tx.run("ingest/create_similar", ids=list(place), tails=tails, heads=heads, similarities=similarities)
    return row["edges"]


async def _link(tx: Transaction, palace: str, closets: Sequence[ClosetPart], plan: _Plan, edges: int) -> Written:
    """Do what follows the creation of drawers: remove, move, put into rooms, and tell the change feed."""
    if plan.removed:
        await tx.run("drawers/delete_drawers", ids=plan.removed)
    links = {
        (plan.room_of[drawer.id], part.id)
        for part in closets
        for drawer in part.drawers
        if drawer.id not in plan.untouched
    }
    await tx.run(
        "ingest/link_closets",
        links=[{"room_id": room, "closet_id": closet} for room, closet in sorted(links)],
        base_cost=BASE_COST["HAS_CLOSET"],
    )
    if plan.stayed:
        await tx.run(
            "ingest/update_drawers", drawers=[_place(drawer, plan.room_of[drawer.id]) for drawer in plan.stayed]
        )
        await tx.run("rooms/unlink_closets", closets=[part.id for part in closets if part.keep is not None])
    stored = [drawer.id for part in closets for drawer in part.drawers]
    change = await tx.run("ingest/record_change", palace=palace, stored=stored, removed=plan.removed)
    return Written(
        revision=change[0]["revision"],
        created=tuple(drawer.id for drawer in plan.created),
        kept=tuple(drawer.id for drawer in plan.stayed),
        removed=tuple(plan.removed),
        edges=edges,
    )


def _closet(part: ClosetPart) -> dict[str, Any]:
    return {
        "id": part.id,
        "wing_id": part.wing_id,
        "title": part.title,
        "source_uri": part.source_uri,
        "media_type": part.media_type,
        "content_hash": part.content_hash,
        "publication": _publication(part.publication) if part.publication else {},
    }


def _publication(known: Publication) -> dict[str, Any]:
    return asdict(known) | {"codes": list(known.codes)}


def _place(drawer: DrawerRecord, room: str) -> dict[str, Any]:
    return {
        "id": drawer.id,
        "room_id": room,
        "position": drawer.position,
        "start_line": drawer.start_line,
        "end_line": drawer.end_line,
        "headings": list(drawer.headings),
        "author": drawer.author,
        "occurred_at": drawer.occurred_at,
        "title_words": search_words(drawer.title),
    }


def _row(drawer: DrawerRecord, wing: str, room: str) -> dict[str, Any]:
    if drawer.vector is None:
        raise Conflict("drawers were removed by somebody else meanwhile: run the same command again", drawer=drawer.id)
    return _place(drawer, room) | {
        "wing_id": wing,
        "text": drawer.text,
        "words": search_words(drawer.text),
        "importance": drawer.importance,
        "embedding": to_bytes(drawer.vector),
        "embedding_int8": quantised(drawer.vector),
    }
