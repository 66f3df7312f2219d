"""Store closets with their drawers and edges. Each write is one transaction."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

from graphpalace.domain.drawers.document import Publication
from graphpalace.domain.drawers.drawer_text import pointer_share, title_words
from graphpalace.domain.drawers.records import ClosetPart, DrawerRecord, RoomRecord, WriteResult
from graphpalace.domain.palaces.places import BASE_COST
from graphpalace.domain.search.search_words import search_words
from graphpalace.domain.vectors import quantised, to_bytes
from graphpalace.errors import Conflict
from graphpalace.store.connection.database import Database, Transaction
from graphpalace.store.connection.write_turn import WriteTurn
from graphpalace.store.drawers.conversations import mark_filed
from graphpalace.store.drawers.drawer_links import (
    ComparedDrawer,
    Unlike,
    check_unlike,
    forget_facts,
    link_news,
    link_similar,
)
from graphpalace.store.palaces.palaces import hold_palace, record_change
from graphpalace.store.palaces.write_keys import once


class ClosetStore:
    """Stores the closets of palaces."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def sources(self, palace: str, wing_id: str) -> list[ClosetSource]:
        """Return the closets of a wing."""
        return [
            ClosetSource(**row) for row in await self._database.read(palace, "ingest/list_closets", wing_id=wing_id)
        ]

    async def find(
        self, palace: str, wing_id: str, uris: Sequence[str], *, ids: Sequence[str] = ()
    ) -> list[ClosetSource]:
        """Return the closets of a wing that have some sources, and those with some ids, sorted by id."""
        rows = await self._database.read(palace, "ingest/find_closets", wing_id=wing_id, uris=list(uris), ids=list(ids))
        return [ClosetSource(**row) for row in rows]

    async def texts(self, palace: str, closets: Sequence[str]) -> dict[str, list[str]]:
        """Return the texts of closets by their ids."""
        rows = await self._database.read(palace, "ingest/list_texts", ids=list(closets))
        return {row["id"]: row["texts"] for row in rows}

    async def write(
        self,
        palace: str,
        rooms: Sequence[RoomRecord],
        closets: Sequence[ClosetPart],
        *,
        model: str,
        turn: WriteTurn | None = None,
        step: str | None = None,
        unlike: Unlike | None = None,
    ) -> WriteResult:
        """Store drawers, delete those that a changed source no longer has, and link the new ones.

        Existing drawers keep their pheromones and edges. The palace is locked first, so that two writers of the same
        source run one after the other. Only a write that starts while the previous one commits locks its closets first,
        because the palace is still locked then. Repeating a write is safe: existing drawers are only updated.

        Args:
            model: Embedding model of the drawers' vectors.
            turn: Turn of this write in a sequence of writes of this process.
            step: Its name among the writes of a request, which is done once for each key of a client; None: the write
                is done again, which changes nothing.
            unlike: What the new drawer must be unlike.

        Raises:
            NotFound: If the palace does not exist, or was dropped meanwhile. Nothing is stored then.
            Conflict: If the palace has changed its model, or a closet its source, meanwhile. Nothing is stored then
                either.
            FiledMeanwhile: If another process has filed one of the conversations. Nothing is stored then either.
            SimilarMeanwhile: If a drawer that the new one may be like was stored meanwhile. Nothing is stored then.
        """
        place = turn or WriteTurn()
        place.drawers = frozenset(drawer.id for part in closets for drawer in part.drawers)

        async def work(tx: Transaction) -> WriteResult:
            place.begin()
            if not place.follows:
                await hold_palace(tx, palace, model=model)
            if unlike is not None:
                await check_unlike(tx, unlike)
            locked = {
                row["id"]: row
                for row in await tx.run("ingest/lock_closets", closets=[_closet(part) for part in closets])
            }
            _check_sources(closets, locked)
            elsewhere = await mark_filed(tx, closets)
            plan = _planned(rooms, closets, locked, elsewhere)
            if plan.new:
                await tx.send("ingest/create_drawers", closets=plan.new_rows(), base_cost=BASE_COST["HAS_DRAWER"])
            now, later = plan.links(place.awaited)
            edges = await link_similar(tx, now)
            if place.follows:
                await place.follow()
                await hold_palace(tx, palace, model=model)
            edges += await link_similar(tx, later)
            news = await link_news(tx, [ComparedDrawer(each.id, each.text, each.older) for each in plan.created])
            await tx.run("ingest/write_rooms", rooms=[asdict(room) for room in rooms], base_cost=BASE_COST)
            written = replace(await _link(tx, closets, plan, edges), news=tuple(news))
            place.leave()
            return written

        done = work if step is None else once(palace, step, WriteResult, work)
        return await place.take(lambda: self._database.transaction(palace, done))


class ClosetSource(NamedTuple):
    """What a closet holds; a closet that is not complete has no content hash.

    `sources` also tells the room that its folder was given, and whether its headings gave it rooms.
    """

    id: str
    source_uri: str
    content_hash: str | None
    folder_room: str | None = None
    has_chapters: bool = False


class Place(NamedTuple):
    """A wing or a room. Its name stands on drawers too, where other programs filter by it."""

    id: str
    name: str


@dataclass(slots=True)
class _Plan:
    """The changes that are needed to store the drawers of closets, given what is stored already."""

    new: dict[str, list[DrawerRecord]] = field(default_factory=dict)
    stayed: list[DrawerRecord] = field(default_factory=list)
    untouched: set[str] = field(default_factory=set)  # single drawers that another request has just stored
    removed: list[str] = field(default_factory=list)
    room_of: dict[str, Place] = field(default_factory=dict)
    wing_of: dict[str, Place] = field(default_factory=dict)

    @property
    def created(self) -> list[DrawerRecord]:
        return [drawer for drawers in self.new.values() for drawer in drawers]

    def links(self, awaited: Set[str]) -> tuple[list[tuple[str, str, float]], list[tuple[str, str, float]]]:
        """Return the links to drawers that exist, and the links to drawers that the previous write stores."""
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


def _planned(
    rooms: Sequence[RoomRecord], closets: Sequence[ClosetPart], locked: dict[str, Any], elsewhere: Set[str]
) -> _Plan:
    wings = {room.wing_id: Place(room.wing_id, room.wing) for room in rooms}
    known = {room.id: Place(room.id, room.name) for room in rooms}
    plan = _Plan(wing_of={part.id: wings[part.wing_id] for part in closets})
    for part in closets:
        stored = set(locked[part.id]["drawers"])
        clusters = locked[part.id]["clusters"]
        position = locked[part.id]["next_position"]
        for drawer in part.drawers:
            gives_way = drawer.room_id == part.default_room and clusters
            plan.room_of[drawer.id] = Place(**clusters[0]) if gives_way else known[drawer.room_id]
            if (drawer.id in stored and part.appended) or drawer.id in elsewhere:
                plan.untouched.add(drawer.id)
            elif drawer.id in stored:
                plan.stayed.append(drawer)
            else:
                if part.appended:
                    drawer.position, position = position, position + 1
                plan.new.setdefault(part.id, []).append(drawer)
        if part.keep is not None:
            plan.removed.extend(sorted(stored - part.keep))
        elif part.filed is not None:
            plan.removed.extend(sorted(stored & part.filed.replaced))
    return plan


async def _link(tx: Transaction, closets: Sequence[ClosetPart], plan: _Plan, edges: int) -> WriteResult:
    """Finish a write after new drawers were created: delete and move drawers, link rooms, and record the change."""
    displaced = {closet: uri for part in closets for closet, uri in part.displaces.items()}
    if displaced:
        rows = await tx.run("ingest/displace_closets", ids=list(displaced), uris=list(displaced.values()))
        plan.removed.extend(sorted(drawer for row in rows for drawer in row["drawers"]))
    if plan.removed:
        (gone,) = await tx.run("drawers/delete_drawers", ids=plan.removed)
        await forget_facts(tx, gone["deleted"], gone["facts"], replaced=gone["replaced"])
    links = {
        (plan.room_of[drawer.id].id, part.id)
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
    return WriteResult(
        revision=await record_change(tx, stored=stored, removed=plan.removed),
        created=tuple(drawer.id for drawer in plan.created),
        kept=tuple(drawer.id for drawer in plan.stayed),
        removed=tuple(plan.removed),
        edges=edges,
    )


def _check_sources(closets: Sequence[ClosetPart], locked: dict[str, Any]) -> None:
    for part in closets:
        if (was := locked[part.id]["was"]) not in (part.source_uri, part.moved_from):
            raise Conflict(
                f"{part.source_uri} was stored in a closet that another client gave to {was} meanwhile: run the same "
                "command again",
                source_uri=part.source_uri,
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
        # What is null is removed: most documents have none.
        "labels": {} if part.appended else {"tags": list(part.tags) or None, "aliases": list(part.aliases) or None},
    }


def _publication(known: Publication) -> dict[str, Any]:
    return asdict(known) | {"codes": list(known.codes)}


def _place(drawer: DrawerRecord, room: Place) -> dict[str, Any]:
    return {
        "id": drawer.id,
        "room_id": room.id,
        "room": room.name,
        "position": drawer.position,
        "start_line": drawer.start_line,
        "end_line": drawer.end_line,
        "headings": list(drawer.headings),
        "author": drawer.author,
        "occurred_at": drawer.occurred_at,
        "name": drawer.name,
        "title_words": title_words(drawer.title, drawer.name, drawer.number, *drawer.labels) if drawer.indexed else "",
    }


def _row(drawer: DrawerRecord, wing: Place, room: Place) -> dict[str, Any]:
    if drawer.vector is None:
        raise Conflict("drawers were deleted by another client meanwhile: run the same command again", drawer=drawer.id)
    return _place(drawer, room) | {
        "wing_id": wing.id,
        "wing": wing.name,
        "text": drawer.text,
        "words": search_words(drawer.text) if drawer.indexed else "",
        "pointer_share": pointer_share(drawer.text),
        "importance": drawer.importance,
        "embedding": to_bytes(drawer.vector) + (b"" if drawer.windows is None else to_bytes(drawer.windows)),
        "embedding_int8": quantised(drawer.vector) if drawer.indexed else None,
        "said_in": {} if drawer.said_in is None else asdict(drawer.said_in),
    }
