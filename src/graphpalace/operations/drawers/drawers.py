"""Add, read, list and delete drawers, wings and rooms."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Annotated

from pydantic import Field

from graphpalace.domain.document import Document, Passage
from graphpalace.domain.drawer import AddedDrawer, Drawer
from graphpalace.domain.identity import MOST_TITLE_CHARS, MOST_URI_CHARS, place_name, text_hash
from graphpalace.domain.places import Room, Wing
from graphpalace.domain.records import ClosetPart
from graphpalace.domain.room import HallType, WingType
from graphpalace.domain.vectors import Vector, unit_vector
from graphpalace.embedding.embedder import Embedder
from graphpalace.errors import InvalidInput, NotFound, TooLarge
from graphpalace.ingest.link import nearest_before
from graphpalace.operations.drawers.compose import closet_id, drawer_records, room_record, wing_id
from graphpalace.operations.drawers.settler import Settler
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.replica.places import find_place
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.closets import ClosetStore
from graphpalace.store.drawers.drawers import DrawerStore
from graphpalace.store.drawers.rooms import RoomStore
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.vectors.drawer_matrix import DrawerMatrix

MOST_CHARS = 1_000_000
_BATCH = 1000


@dataclass(frozen=True, slots=True)
class NewDrawer:
    """A text to be stored verbatim in one drawer.

    `wing`, `room`, `title`, `source_uri` and `author` follow the rules of `domain.identity.place_name`. The drawer goes
    into the closet of its `source_uri`; without one, into the notes of its room.
    """

    text: Annotated[str, Field(min_length=1, max_length=MOST_CHARS)]
    wing: Annotated[str, Field(min_length=1, max_length=200)]
    room: Annotated[str, Field(min_length=1, max_length=200)] = "general"
    title: Annotated[str | None, Field(min_length=1, max_length=MOST_TITLE_CHARS)] = None
    source_uri: Annotated[str | None, Field(min_length=1, max_length=MOST_URI_CHARS)] = None
    author: Annotated[str | None, Field(min_length=1, max_length=MOST_TITLE_CHARS)] = None
    occurred_at: datetime | None = None
    importance: Annotated[
        float, Field(ge=0, le=1, description="above 0.5 raises the drawer in answers, below 0.5 lowers it")
    ] = 0.5
    embedding: Annotated[
        Sequence[float] | None, Field(description="vector of the palace's dimension; computed from the text if absent")
    ] = None


class Drawers:
    """Adds, reads, lists and deletes the drawers, rooms and wings of a palace."""

    def __init__(
        self,
        database: Database,
        indexes: DrawerIndexes,
        embedder: Embedder,
        settler: Settler,
        *,
        similar_k: int = 5,
        similar_threshold: float = 0.5,
    ) -> None:
        self._database = database
        self._palaces = PalaceStore(database)
        self._stored = DrawerStore(database)
        self._places = RoomStore(database)
        self._indexes = indexes
        self._embedder = embedder
        self._settler = settler
        self._similar_k = similar_k
        self._similar_threshold = similar_threshold

    async def add(self, palace: str, new: NewDrawer) -> AddedDrawer:
        """Store a text and return its drawer.

        Raises:
            InvalidInput: If the text is blank, a name is empty, or the importance is out of range.
            TooLarge: If the text is longer than a million characters.
            WrongDimension: If the embedding is not of the palace's dimension.
        """
        _check(new)
        await self._palaces.get(palace)
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
            # Embed outside of `reading`: the index cannot be written while it is read, and a model may take seconds.
            vector = drawer.vector = (
                unit_vector(new.embedding, dimension=self._embedder.dimension)
                if new.embedding is not None
                else (await asyncio.to_thread(self._embedder.embed, [new.text]))[0]
            )
            async with self._indexes.reading(palace) as matrix:
                known = drawer.id in matrix  # another request may have stored the same text meanwhile
                if not known:
                    drawer.similar = await asyncio.to_thread(self._similar, vector, matrix)
        created = False
        if not known:
            part = ClosetPart(closet, room.wing_id, document.title, uri, document.media_type, (drawer,), appended=True)
            created = bool((await ClosetStore(self._database).write(palace, [room], [part])).created)
            self._settler.wrote(palace)
        return AddedDrawer(await self.read(palace, drawer.id), created)

    def _similar(self, vector: Vector, matrix: DrawerMatrix) -> list[tuple[str, float]]:
        """Return the ids of the drawers that a new one is to be linked to, with their cosines."""
        rows, cosines = matrix.neighbours(vector[None], k=self._similar_k)
        (near,) = nearest_before(vector[None], cosines, k=self._similar_k, threshold=self._similar_threshold)
        return [(matrix.ids[rows[0, column]], cosine) for column, cosine in near]

    async def read(self, palace: str, drawer: str) -> Drawer:
        """Return a drawer.

        Raises:
            NotFound: If it is not in the palace.
        """
        found = await self._stored.read(palace, [drawer])
        if not found:
            raise NotFound(f"drawer {drawer!r} is not in palace {palace!r}", drawer=drawer)
        return found[0]

    async def page(
        self, palace: str, *, wing: str | None = None, room: str | None = None, after: str = "", limit: int = 50
    ) -> tuple[list[Drawer], str | None]:
        """Return a page of drawers, and the cursor of the next page, which is None at the end.

        Args:
            after: Cursor of the page; empty for the first page.
            limit: Largest number of drawers in the page, 1 to 200.
        """
        if not 1 <= limit <= 200:
            raise InvalidInput(f"limit is {limit}; it must be 1 to 200", field="limit", value=limit)
        await self._palaces.get(palace)
        place, rooms = await find_place(self._database, palace, wing=wing, room=room)
        ids = await self._stored.list_ids(
            palace, wing_id=place, room_ids=rooms if room is not None else None, after=after, limit=limit + 1
        )
        return await self._stored.read(palace, ids[:limit]), ids[limit - 1] if len(ids) > limit else None

    async def delete(self, palace: str, drawer: str) -> None:
        """Delete one drawer. The next ingest of its source stores the source again.

        Raises:
            NotFound: If it is not in the palace.
        """
        await self._remove(palace, (await self.read(palace, drawer)).wing_id, [drawer])

    async def wings(self, palace: str) -> list[Wing]:
        """Return the wings of a palace with their counts."""
        await self._palaces.get(palace)
        return await self._places.wings(palace)

    async def rooms(self, palace: str, wing: str | None = None) -> list[Room]:
        """Return the rooms of one wing, or of all wings, with their counts, halls and tunnels."""
        await self._palaces.get(palace)
        await find_place(self._database, palace, wing=wing, room=None)
        return await self._places.rooms(palace, wing=wing)

    async def add_wing(self, palace: str, wing: str, wing_type: WingType = WingType.TOPIC) -> bool:
        """Create an empty wing; return False if it exists already."""
        place_name("wing", wing)
        await self._palaces.get(palace)
        created = await self._places.add_wing(palace, wing_id(palace, wing), wing, wing_type)
        self._settler.wrote(palace)
        return created

    async def add_room(self, palace: str, wing: str, room: str, hall_type: HallType = HallType.FACTS) -> bool:
        """Create an empty room, and its wing if needed; return False if the room exists already."""
        place_name("wing", wing)
        place_name("room", room)
        there = {other.name for other in await self.rooms(palace) if other.wing == wing}
        await self._places.add_room(palace, replace(room_record(palace, wing, room, []), hall_type=hall_type))
        self._settler.wrote(palace)
        return room not in there

    async def delete_wing(self, palace: str, wing: str) -> int:
        """Delete a wing with everything in it; return the number of deleted drawers."""
        place, _ = await find_place(self._database, palace, wing=wing, room=None)
        removed = await self._empty(palace, str(place), wing_id=place)
        await self._places.delete_wing(palace, str(place))
        self._settler.wrote(palace)
        return removed

    async def delete_room(self, palace: str, wing: str, room: str) -> int:
        """Delete a room with everything in it; return the number of deleted drawers."""
        place, rooms = await find_place(self._database, palace, wing=wing, room=room)
        removed = await self._empty(palace, str(place), room_id=rooms[0])
        await self._places.delete_room(palace, rooms[0])
        self._settler.wrote(palace)
        return removed

    async def prune(self, palace: str, wing: str, uris: Sequence[str]) -> int:
        """Delete the closets of sources that no longer exist; return the number of deleted drawers."""
        closets = [closet_id(palace, wing, uri) for uri in uris]
        return await self._empty(palace, wing_id(palace, wing), closet_ids=closets)

    async def _empty(
        self,
        palace: str,
        wing: str,
        *,
        wing_id: str | None = None,
        room_id: str | None = None,
        closet_ids: Sequence[str] = (),
    ) -> int:
        """Delete drawers in batches; each batch gets an entry in the change feed."""
        removed = 0
        while True:
            drawers = await self._places.some_drawers(
                palace, wing_id=wing_id, room_id=room_id, closet_ids=closet_ids, limit=_BATCH
            )
            await self._remove(palace, wing, drawers)
            removed += len(drawers)
            if len(drawers) < _BATCH:
                return removed

    async def _remove(self, palace: str, wing: str, drawers: Sequence[str]) -> None:
        await self._stored.remove(palace, wing, drawers)
        self._settler.wrote(palace)


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
    """Return a time with an offset that Neo4j can store, at most 18 hours from UTC.

    A time without a zone is taken as local time.
    """
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
