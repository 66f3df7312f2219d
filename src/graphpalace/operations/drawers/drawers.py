"""Add, read, list, change and delete drawers, wings and rooms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from graphpalace.domain.drawers.drawer import AddedDrawer, AddedDrawers, Deleted, Drawer, DrawerHistory, Superseded
from graphpalace.domain.drawers.drawer_text import one_line
from graphpalace.domain.drawers.new_drawer import DrawerUpdate, NewDrawer
from graphpalace.domain.drawers.records import StayForgotten
from graphpalace.domain.identity import place_name
from graphpalace.domain.palaces.places import HallType, Room, Wing, WingType
from graphpalace.domain.search.news import LikelyNews
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.operations.drawers.add import DrawerAdding
from graphpalace.operations.drawers.after_writes import AfterWrites, DrawerErasing
from graphpalace.operations.drawers.compose import room_record, wing_id
from graphpalace.operations.drawers.update import DrawerUpdating
from graphpalace.replica.places import find_place
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.closets import ClosetStore
from graphpalace.store.drawers.drawers import DrawerStore
from graphpalace.store.drawers.rooms import RoomStore
from graphpalace.store.palaces.palaces import PalaceStore

_BATCH = 1000


class Drawers:
    """Adds, reads, lists, changes and deletes the drawers, rooms and wings of a palace."""

    def __init__(
        self,
        database: Database,
        after: AfterWrites,
        *,
        adding: DrawerAdding,
        updating: DrawerUpdating,
        traces: DrawerErasing,
    ) -> None:
        self._database = database
        self._palaces = PalaceStore(database)
        self._stored = DrawerStore(database)
        self._closets = ClosetStore(database)
        self._places = RoomStore(database)
        self._after = after
        self._adding = adding
        self._updating = updating
        self._traces = traces

    async def add(self, palace: str, new: NewDrawer, *, unless_similar: float | None = None) -> AddedDrawer:
        """Store a text and return its drawer, or the one that stands for it.

        Args:
            unless_similar: Store it only if no drawer of its wing says the same or has this cosine with it, 0 to 1.

        Raises:
            InvalidInput: If the text is blank, a name is empty, or the importance is out of range.
            TooLarge: If the text is longer than a million characters.
            WrongDimension: If the embedding is not of the palace's dimension.
        """
        added = await self._adding.add(palace, new, unless_similar=unless_similar)
        texts = {one.id: one.text for one in await self._stored.read(palace, [each.drawer for each in added.news])}
        news = [
            LikelyNews(each.drawer, each.probability, one_line(texts[each.drawer]))
            for each in added.news
            if each.drawer in texts
        ]
        return AddedDrawer(await self.read(palace, added.id), added.created, added.similar, news)

    async def add_many(self, palace: str, drawers: Sequence[NewDrawer]) -> AddedDrawers:
        """Store texts, all of them or none.

        Raises:
            InvalidInput, TooLarge, WrongDimension: As `add`, for one of the texts, or if there are more than 1000.
        """
        return await self._adding.add_all(palace, drawers)

    async def update(self, palace: str, drawer: str, change: DrawerUpdate) -> Drawer:
        """Change a drawer, which keeps its id, and return it.

        Raises:
            NotFound: If it is not in the palace.
            InvalidInput: If nothing is to be changed, the text is blank, or a value is out of range.
            TooLarge: If the text is longer than a million characters.
        """
        await self._updating.update(palace, drawer, change)
        return await self.read(palace, drawer)

    async def read(self, palace: str, drawer: str) -> Drawer:
        """Return a drawer.

        Raises:
            NotFound: If it is not in the palace.
        """
        found = await self._stored.read(palace, [drawer])
        if not found:
            raise NotFound(f"drawer {drawer!r} is not in palace {palace!r}", drawer=drawer)
        return found[0]

    async def history(self, palace: str, drawer: str) -> DrawerHistory:
        """Return the earlier texts of a drawer.

        Raises:
            NotFound: If it is not in the palace.
        """
        found = await self._stored.history(palace, drawer)
        if found is None:
            raise NotFound(f"drawer {drawer!r} is not in palace {palace!r}", drawer=drawer)
        return found

    async def supersede(self, palace: str, old: str, new: str) -> Superseded:
        """Let a drawer take the place of another from now on. Answers mark the old one and rank it below the new one.

        Raises:
            InvalidInput: If both are the same.
            NotFound: If one of them is not in the palace.
            Conflict: If the old one has taken the place of the new one.
        """
        if old == new:
            raise InvalidInput(f"new is {new!r}, the drawer itself; name another one", field="new", value=new)
        for drawer in (old, new):
            await self.read(palace, drawer)
        done = await self._stored.supersede(palace, old, new, at=datetime.now(UTC))
        if done is None:
            raise NotFound(f"drawer {old!r} or {new!r} was deleted meanwhile", old=old, new=new)
        return done

    async def take_back_supersede(self, palace: str, old: str) -> str:
        """Mark a drawer as valid again that was replaced by another one, or that is probably outdated by one.

        Returns:
            The id of the other. Of several that are supposed to be news on it, none is from now on, and the most
            probable one is returned.

        Raises:
            NotFound: If the drawer is not in the palace, or none has taken its place, nor is news on it.
        """
        await self.read(palace, old)
        new = await self._stored.take_back_supersede(palace, old)
        if new is None:
            raise NotFound(f"{old!r} was not replaced by another drawer, and none probably outdates it", drawer=old)
        return new

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

    async def delete_all(
        self, palace: str, wing: str, drawers: Sequence[str], *, stay: StayForgotten | None = None
    ) -> Deleted:
        """Delete drawers of a wing in batches; return how many there were.

        Args:
            wing: Id of the wing.
            stay: What of conversations is not to be filed again; None: all of it may be.
        """
        deleted = Deleted(0)
        for start in range(0, len(drawers), _BATCH):
            deleted += await self._remove(palace, wing, drawers[start : start + _BATCH], stay=stay)
        return deleted

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
        self._after.wrote(palace)
        return created

    async def add_room(self, palace: str, wing: str, room: str, hall_type: HallType = HallType.FACTS) -> bool:
        """Create an empty room, and its wing if needed; return False if the room exists already."""
        place_name("wing", wing)
        place_name("room", room)
        there = {other.name for other in await self.rooms(palace) if other.wing == wing}
        await self._places.add_room(palace, replace(room_record(palace, wing, room, []), hall_type=hall_type))
        self._after.wrote(palace)
        return room not in there

    async def delete_wing(self, palace: str, wing: str) -> Deleted:
        """Delete a wing with everything in it; return what was deleted."""
        place, _ = await find_place(self._database, palace, wing=wing, room=None)
        removed = await self._empty(palace, str(place), wing_id=place)
        await self._places.delete_wing(palace, str(place))
        self._after.wrote(palace)
        return removed

    async def delete_room(self, palace: str, wing: str, room: str) -> Deleted:
        """Delete a room with everything in it; return what was deleted."""
        place, rooms = await find_place(self._database, palace, wing=wing, room=room)
        removed = await self._empty(palace, str(place), room_id=rooms[0])
        await self._places.delete_room(palace, rooms[0])
        self._after.wrote(palace)
        return removed

    async def prune(self, palace: str, wing: str, uris: Sequence[str]) -> Deleted:
        """Delete the closets of sources that no longer exist; return what was deleted."""
        await self._palaces.get(palace)
        place = wing_id(palace, wing)
        closets = [closet.id for closet in await self._closets.find(palace, place, uris)]
        return await self._empty(palace, place, closet_ids=closets)

    async def _empty(
        self,
        palace: str,
        wing: str,
        *,
        wing_id: str | None = None,
        room_id: str | None = None,
        closet_ids: Sequence[str] = (),
    ) -> Deleted:
        """Delete drawers in batches; each batch gets an entry in the change feed."""
        removed = Deleted(0)
        while True:
            drawers = await self._places.some_drawers(
                palace, wing_id=wing_id, room_id=room_id, closet_ids=closet_ids, limit=_BATCH
            )
            removed += await self._remove(palace, wing, drawers)
            if len(drawers) < _BATCH:
                return removed

    async def _remove(
        self, palace: str, wing: str, drawers: Sequence[str], *, stay: StayForgotten | None = None
    ) -> Deleted:
        if not drawers:
            return Deleted(0)
        async with self._traces.erasing(palace) as erase:
            deleted = await self._stored.remove(palace, wing, drawers, erase=erase, stay=stay)
        self._after.wrote(palace)
        return deleted
