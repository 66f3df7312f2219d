"""List, find, create, empty and delete wings and rooms, and store what is computed from all their drawers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from graphpalace.domain.drawers.records import RoomRecord
from graphpalace.domain.palaces.places import BASE_COST, ClosetContents, NamedPlace, Room, Wing, WingType
from graphpalace.domain.vectors import Vector, to_bytes
from graphpalace.store.connection.database import Database, Row, Transaction
from graphpalace.store.palaces.palaces import hold_palace, record_change

Pairs = Sequence[tuple[str, str]]


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


@dataclass(frozen=True, slots=True)
class SettledRooms:
    """The rooms of a palace as computed from its drawers at one revision.

    Attributes:
        born: When the palace was created, which distinguishes it from a later palace of the same name.
        revision: The result includes all changes up to this revision, and possibly later ones.
        divided: Whether common rooms were divided, which only an ingest does.
        centroids: Mean direction of each room that has drawers, by the id of the room.
        halls, tunnels: Pairs of rooms, by id.
    """

    born: str
    revision: int
    divided: bool
    centroids: Mapping[str, Vector]
    halls: Pairs
    tunnels: Pairs


class SettledRoomStore:
    """Writes what is computed from all drawers of a palace."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def write(self, palace: str, settled: SettledRooms) -> bool:
        """Write centroids, halls and tunnels, and return whether they were written.

        They are not written if the stored ones are as new or newer, or if the palace was dropped and created again
        since it was read.

        Raises:
            NotFound: If the palace was dropped meanwhile.
        """

        async def work(tx: Transaction) -> bool:
            await hold_palace(tx, palace)
            rows = await tx.run(
                "ingest/settle_palace", born=settled.born, revision=settled.revision, divides=settled.divided
            )
            if not rows or not rows[0]["newer"]:
                return False
            centroids = [{"id": room, "centroid": to_bytes(mean)} for room, mean in settled.centroids.items()]
            await tx.run("rooms/write_centroids", rooms=centroids)
            await tx.run("rooms/write_halls", edges=_edges(settled.halls), base_cost=BASE_COST["HALL"])
            await tx.run("rooms/write_tunnels", edges=_edges(settled.tunnels), base_cost=BASE_COST["TUNNEL"])
            return True

        return await self._database.transaction(palace, work)


def _edges(pairs: Pairs) -> list[dict[str, str]]:
    return [{"from": first, "to": second} for first, second in pairs]
