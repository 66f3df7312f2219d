"""List, find, create, empty and delete wings and rooms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from graphpalace.domain.places import ClosetContents, NamedPlace, Room, Wing
from graphpalace.domain.records import RoomRecord
from graphpalace.domain.room import BASE_COST, WingType
from graphpalace.store.connection.database import Database, Row, Transaction
from graphpalace.store.palaces.changes import record_change
from graphpalace.store.palaces.palaces import hold_palace


class RoomStore:
    """Reads and changes the wings and rooms of palaces."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def wings(self, palace: str) -> list[Wing]:
        """Return the wings with their counts, sorted by name."""
        return [Wing(**row) for row in await self._database.read(palace, "rooms/list_wings")]

    async def rooms(self, palace: str, *, wing: str | None = None) -> list[Room]:
        """Return the rooms with their counts, halls and tunnels, sorted by wing and name.

        Args:
            wing: Name of a wing; None: all wings.
        """
        return [Room(**row) for row in await self._database.read(palace, "rooms/list_rooms", wing=wing)]

    async def named(self, palace: str, *, wing: str | None, room: str | None) -> NamedPlace:
        """Return the ids of a wing and of rooms by their names."""
        (row,) = await self._database.read(palace, "rooms/resolve_place", wing=wing, room=room)
        return NamedPlace(**row)

    async def filed_closets(self, palace: str, room_id: str) -> list[ClosetContents]:
        """Return the closets of a room that came from files, sorted by id. Closets of single drawers are left out."""
        rows = await self._database.read(palace, "rooms/closet_titles", room_id=room_id)
        return [ClosetContents(**row) for row in rows]

    async def add_wing(self, palace: str, wing_id: str, wing: str, wing_type: WingType) -> bool:
        """Create an empty wing; return False if it exists already.

        Raises:
            NotFound: If the palace does not exist, or was dropped meanwhile.
        """
        wanted = {"id": wing_id, "name": wing, "wing_type": wing_type}
        (row,) = await self._changed(palace, "rooms/create_wing", **wanted, base_cost=BASE_COST["CONTAINS"])
        return bool(row["created"])

    async def add_room(self, palace: str, room: RoomRecord) -> None:
        """Create an empty room, and its wing if needed.

        Raises:
            NotFound: As `add_wing`.
        """
        await self._changed(palace, "ingest/write_rooms", rooms=[asdict(room)], base_cost=BASE_COST)

    async def delete_wing(self, palace: str, wing_id: str) -> None:
        """Delete a wing, unless it has drawers.

        Raises:
            NotFound: As `add_wing`.
        """
        await self._changed(palace, "rooms/delete_wing", id=wing_id)

    async def delete_room(self, palace: str, room_id: str) -> None:
        """Delete a room, unless it has drawers.

        Raises:
            NotFound: As `add_wing`.
        """
        await self._changed(palace, "rooms/delete_room", id=room_id)

    async def some_drawers(
        self,
        palace: str,
        *,
        wing_id: str | None = None,
        room_id: str | None = None,
        closet_ids: Sequence[str] = (),
        limit: int,
    ) -> list[str]:
        """Return up to `limit` ids of drawers in a wing, a room or any of some closets."""
        rows = await self._database.read(
            palace,
            "rooms/list_drawers_to_delete",
            wing_id=wing_id,
            room_id=room_id,
            closet_ids=list(closet_ids),
            limit=limit,
        )
        return [row["id"] for row in rows]

    async def sweep(self, palace: str, wing_id: str) -> None:
        """Delete the empty closets of a wing, and its rooms without closets that were not created by hand."""
        await self._database.write(palace, "rooms/sweep_empty", wing_id=wing_id)

    async def move_closets(
        self, palace: str, target: Mapping[str, RoomRecord], *, from_room: str, wing_id: str
    ) -> None:
        """Move closets' drawers from a room to other rooms, and delete what becomes empty, in one transaction.

        Args:
            target: New room of each closet, by closet id.
            from_room: Id of the room that the drawers leave.

        Raises:
            NotFound: As `add_wing`.
        """

        async def work(tx: Transaction) -> None:
            await hold_palace(tx, palace)
            rooms = {room.id: room for room in target.values()}
            await tx.run("ingest/write_rooms", rooms=[asdict(room) for room in rooms.values()], base_cost=BASE_COST)
            moves = [{"closet_id": closet, "room_id": room.id, "room": room.name} for closet, room in target.items()]
            await tx.run("ingest/link_closets", links=moves, base_cost=BASE_COST["HAS_CLOSET"])
            (moved,) = await tx.run("rooms/move_closets", moves=moves, from_room=from_room)
            await tx.run("rooms/unlink_closets", closets=list(target))
            await tx.run("rooms/sweep_empty", wing_id=wing_id)
            await record_change(tx, stored=moved["drawers"])

        await self._database.transaction(palace, work)

    async def _changed(self, palace: str, query: str, /, **params: Any) -> list[Row]:
        """Run a query that changes wings or rooms, and record the change."""

        async def work(tx: Transaction) -> list[Row]:
            await hold_palace(tx, palace)
            rows = await tx.run(query, **params)
            await record_change(tx)
            return rows

        return await self._database.transaction(palace, work)
