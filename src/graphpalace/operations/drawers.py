"""Add, read, list and delete drawers, wings and rooms."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from graphpalace.domain.document import Document, Passage
from graphpalace.domain.identity import MOST_TITLE_CHARS, MOST_URI_CHARS, place_name, text_hash
from graphpalace.domain.records import ClosetPart
from graphpalace.domain.room import BASE_COST, HallType, WingType
from graphpalace.domain.vectors import Vector, unit_vector
from graphpalace.errors import InvalidInput, NotFound, TooLarge
from graphpalace.ingest.embed import Embedder
from graphpalace.ingest.link import nearest_before
from graphpalace.operations.answer import path_of
from graphpalace.operations.compose import closet_id, drawer_records, room_record, wing_id
from graphpalace.operations.drawer_indexes import DrawerIndexes
from graphpalace.operations.places import find_place
from graphpalace.score.drawer_matrix import DrawerMatrix
from graphpalace.store.database import Database, Row, Transaction
from graphpalace.store.palaces import get_palace, hold_palace
from graphpalace.store.write_closets import write_closets

MOST_CHARS = 1_000_000
_BATCH = 1000


@dataclass(frozen=True, slots=True)
class NewDrawer:
    """A text to be kept word for word in one drawer.

    Attributes:
        source_uri: Names the closet, up to 4,000 characters; without it the room's notes.
        title, author: Up to 1,000 characters each; these and all other names are as `domain.identity.place_name` says.
        embedding: The text's vector, if the caller has it.
        importance: 0 to 1.
    """

    text: str
    wing: str
    room: str = "general"
    title: str | None = None
    source_uri: str | None = None
    author: str | None = None
    occurred_at: datetime | None = None
    importance: float = 0.5
    embedding: Sequence[float] | None = None


class Drawers:
    """What callers do with single drawers, rooms and wings of a palace."""

    def __init__(
        self,
        database: Database,
        indexes: DrawerIndexes,
        embedder: Embedder,
        *,
        similar_k: int = 5,
        similar_threshold: float = 0.5,
    ) -> None:
        self._database = database
        self._indexes = indexes
        self._embedder = embedder
        self._similar_k = similar_k
        self._similar_threshold = similar_threshold

    async def add(self, palace: str, new: NewDrawer) -> Row:
        """Store a text and return its drawer, with `created` false if the closet had that very text already.

        Raises:
            InvalidInput: If the text is blank, a name is empty, or the importance is out of range.
            TooLarge: If the text is longer than a million characters.
            WrongDimension: If the embedding is not of the palace's dimension.
        """
        _check(new)
        await get_palace(self._database, palace)
        uri = new.source_uri or f"notes:{new.room}"
        closet = closet_id(palace, new.wing, uri)
        room = room_record(palace, new.wing, new.room, [new.text])
        lines = new.text.count("\n") + 1
        passage = Passage(new.text, 1, lines, occurred_at=_zoned(new.occurred_at), author=new.author)
        document = Document(uri, new.title or f"{new.room} notes", "text/plain", text_hash(new.text), (), (passage,))
        (drawer,) = drawer_records(palace, closet, document, [room.id])
        drawer.importance = new.importance
        async with self._indexes.reading(palace) as matrix:
            known = drawer.id in matrix
        if not known:
            # Between the two looks, because writers wait as long as somebody looks, and a model may take seconds.
            vector = drawer.vector = (
                unit_vector(new.embedding, dimension=self._embedder.dimension)
                if new.embedding is not None
                else (await asyncio.to_thread(self._embedder.embed, [new.text]))[0]
            )
            async with self._indexes.reading(palace) as matrix:
                known = drawer.id in matrix  # another may have stored the same meanwhile
                if not known:
                    drawer.similar = await asyncio.to_thread(self._similar, vector, matrix)
        created = False
        if not known:
            part = ClosetPart(closet, room.wing_id, document.title, uri, document.media_type, (drawer,), appended=True)
            created = bool((await write_closets(self._database, palace, [room], [part])).created)
        return await self.read(palace, drawer.id) | {"created": created}

    def _similar(self, vector: Vector, matrix: DrawerMatrix) -> list[tuple[str, float]]:
        """Return the drawers that a new one is linked to, with their cosines."""
        rows, cosines = matrix.neighbours(vector[None], k=self._similar_k)
        (near,) = nearest_before(vector[None], cosines, k=self._similar_k, threshold=self._similar_threshold)
        return [(matrix.ids[rows[0, column]], cosine) for column, cosine in near]

    async def read(self, palace: str, drawer: str) -> Row:
        """Return a drawer with the path to it.

        Raises:
            NotFound: If it is not in the palace.
        """
        rows = await self._database.read("drawers/read_drawers", palace=palace, ids=[drawer])
        if not rows:
            raise NotFound(f"drawer {drawer!r} is not in palace {palace!r}", drawer=drawer)
        found = rows[0]["drawer"]
        return found | {"path": path_of(palace, found)}

    async def page(
        self, palace: str, *, wing: str | None = None, room: str | None = None, after: str = "", limit: int = 50
    ) -> tuple[list[Row], str | None]:
        """Return up to `limit` drawers (1 to 200) after a cursor, and the next cursor, None at the end."""
        if not 1 <= limit <= 200:
            raise InvalidInput(f"limit is {limit}; it must be 1 to 200", field="limit", value=limit)
        await get_palace(self._database, palace)
        place, rooms = await find_place(self._database, palace, wing=wing, room=room)
        ids = [
            row["id"]
            for row in await self._database.read(
                "drawers/list_drawers",
                palace=palace,
                wing_id=place,
                room_ids=rooms if room is not None else None,
                after=after,
                limit=limit + 1,
            )
        ]
        rows = await self._database.read("drawers/read_drawers", palace=palace, ids=ids[:limit])
        return [row["drawer"] for row in rows], ids[limit - 1] if len(ids) > limit else None

    async def delete(self, palace: str, drawer: str) -> None:
        """Remove one drawer; its closet's source is ingested anew next time.

        Raises:
            NotFound: If it is not in the palace.
        """
        wing = (await self.read(palace, drawer))["wing_id"]
        await self._remove(palace, wing, [drawer])

    async def wings(self, palace: str) -> list[Row]:
        """Return the wings with their counts."""
        await get_palace(self._database, palace)
        return await self._database.read("rooms/list_wings", palace=palace)

    async def rooms(self, palace: str, wing: str | None = None) -> list[Row]:
        """Return the rooms, of one wing or of all, with counts, halls and tunnels."""
        await get_palace(self._database, palace)
        await find_place(self._database, palace, wing=wing, room=None)
        return await self._database.read("rooms/list_rooms", palace=palace, wing=wing)

    async def add_wing(self, palace: str, wing: str, wing_type: WingType = WingType.TOPIC) -> bool:
        """Make an empty wing; return whether it was made."""
        place_name("wing", wing)
        await get_palace(self._database, palace)
        rows = await self._announced(
            palace,
            "rooms/create_wing",
            id=wing_id(palace, wing),
            name=wing,
            wing_type=wing_type,
            base_cost=BASE_COST["CONTAINS"],
        )
        return bool(rows[0]["created"])

    async def add_room(self, palace: str, wing: str, room: str, hall_type: HallType = HallType.FACTS) -> bool:
        """Make an empty room, and its wing if it is not there; return whether the room was made."""
        place_name("wing", wing)
        place_name("room", room)
        there = {row["name"] for row in await self.rooms(palace) if row["wing"] == wing}
        record = replace(room_record(palace, wing, room, []), hall_type=hall_type)
        await self._announced(palace, "ingest/write_rooms", rooms=[asdict(record)], base_cost=BASE_COST)
        return room not in there

    async def delete_wing(self, palace: str, wing: str) -> int:
        """Remove a wing with all that is in it; return the number of drawers removed."""
        place, _ = await find_place(self._database, palace, wing=wing, room=None)
        removed = await self._empty(palace, str(place), wing_id=place)
        await self._announced(palace, "rooms/delete_wing", id=place)
        return removed

    async def delete_room(self, palace: str, wing: str, room: str) -> int:
        """Remove a room with all that is in it; return the number of drawers removed."""
        place, rooms = await find_place(self._database, palace, wing=wing, room=room)
        removed = await self._empty(palace, str(place), room_id=rooms[0])
        await self._announced(palace, "rooms/delete_room", id=rooms[0])
        return removed

    async def prune(self, palace: str, wing: str, uris: Sequence[str]) -> int:
        """Remove the closets of sources that are gone; return the number of drawers removed."""
        closets = [closet_id(palace, wing, uri) for uri in uris]
        return await self._empty(palace, wing_id(palace, wing), closet_ids=closets)

    async def _announced(self, palace: str, query: str, /, **params: Any) -> list[Row]:
        """Run a query that changes wings or rooms, and tell the change feed."""

        async def work(tx: Transaction) -> list[Row]:
            await hold_palace(tx, palace)
            rows = await tx.run(query, **params)
            await tx.run("ingest/record_change", stored=[], removed=[])
            return rows

        return await self._database.transaction(work, palace=palace)

    async def _empty(
        self,
        palace: str,
        wing: str,
        *,
        wing_id: str | None = None,
        room_id: str | None = None,
        closet_ids: Sequence[str] = (),
    ) -> int:
        """Remove drawers in batches, each with its entry in the change feed."""
        removed = 0
        while True:
            rows = await self._database.read(
                "rooms/list_drawers_to_delete",
                palace=palace,
                wing_id=wing_id,
                room_id=room_id,
                closet_ids=list(closet_ids),
                limit=_BATCH,
            )
            await self._remove(palace, wing, [row["id"] for row in rows])
            removed += len(rows)
            if len(rows) < _BATCH:
                return removed

    async def _remove(self, palace: str, wing: str, drawers: list[str]) -> None:
        async def work(tx: Transaction) -> None:
            await hold_palace(tx, palace)
            gone = (await tx.run("drawers/delete_drawers", ids=drawers))[0]
            await tx.run("drawers/forget_hashes", closets=gone["closets"])
            await tx.run("rooms/sweep_empty", palace=palace, wing_id=wing)
            await tx.run("ingest/record_change", palace=palace, stored=[], removed=gone["deleted"])

        await self._database.transaction(work, palace=palace)


def _check(new: NewDrawer) -> None:
    if not new.text.strip():
        raise InvalidInput("text is blank; give the words to be kept", field="text", value=new.text)
    if len(new.text) > MOST_CHARS:
        raise TooLarge(f"text has {len(new.text)} characters; a drawer holds at most {MOST_CHARS}", field="text")
    if not 0 <= new.importance <= 1:
        raise InvalidInput(
            f"importance is {new.importance}; it must be 0 to 1", field="importance", value=new.importance
        )
    place_name("wing", new.wing)
    place_name("room", new.room)
    for field, name, most_chars in (
        ("title", new.title, MOST_TITLE_CHARS),
        ("source_uri", new.source_uri, MOST_URI_CHARS),
        ("author", new.author, MOST_TITLE_CHARS),
    ):
        if name is not None:
            place_name(field, name, most_chars=most_chars)


def _zoned(moment: datetime | None) -> datetime | None:
    """Return a time with a zone that Neo4j can store, up to 18 hours from UTC; one without a zone is local time."""
    if moment is None:
        return None
    try:
        utc = moment.astimezone(UTC)
        local = moment if moment.tzinfo else moment.astimezone()
    except (OverflowError, ValueError):
        raise InvalidInput(
            f"occurred_at is {moment}; it must be in the years 1 to 9999 of UTC", field="occurred_at"
        ) from None
    return local if abs(local.utcoffset() or timedelta()) <= timedelta(hours=18) else utc
