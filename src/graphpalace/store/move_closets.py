"""Bring closets with their drawers from one room into others, in one transaction."""

from __future__ import annotations

from dataclasses import asdict

from graphpalace.domain.records import RoomRecord
from graphpalace.domain.room import BASE_COST
from graphpalace.store.database import Database, Transaction
from graphpalace.store.palaces import hold_palace


async def move_closets(
    database: Database, palace: str, *, from_room: str, wing: str, target: dict[str, RoomRecord]
) -> None:
    """Move the drawers that the closets (by id) have in `from_room`, and remove what is left empty in the wing."""

    async def work(tx: Transaction) -> None:
        await hold_palace(tx, palace)
        rooms = {room.id: room for room in target.values()}
        await tx.run(
            "ingest/write_rooms", palace=palace, rooms=[asdict(room) for room in rooms.values()], base_cost=BASE_COST
        )
        await tx.run(
            "ingest/link_closets",
            links=[{"closet_id": closet, "room_id": room.id} for closet, room in target.items()],
            base_cost=BASE_COST["HAS_CLOSET"],
        )
        moves = [{"closet_id": closet, "room_id": room.id} for closet, room in target.items()]
        moved = await tx.run("rooms/move_closets", moves=moves, from_room=from_room)
        await tx.run("rooms/unlink_closets", closets=list(target))
        await tx.run("rooms/sweep_empty", palace=palace, wing_id=wing)
        await tx.run("ingest/record_change", palace=palace, stored=moved[0]["drawers"], removed=[])

    await database.transaction(work, palace=palace)
