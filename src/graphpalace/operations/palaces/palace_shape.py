"""Read the shape of a palace: its taxonomy, its tunnels and its counts. Reading changes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from graphpalace.domain.palaces.palace_shape import PalaceStats, Taxonomy, TaxonomyRoom, TaxonomyWing, Tunnel
from graphpalace.domain.palaces.places import Room, Wing
from graphpalace.errors import NotFound
from graphpalace.replica.places import find_place
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.rooms import RoomStore
from graphpalace.store.palaces.palace_map import ShapeStore
from graphpalace.store.palaces.palaces import PalaceStore


class PalaceShape:
    """Reads what is in which place of a palace, which places are near each other, and how much there is."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._palaces = PalaceStore(database)
        self._rooms = RoomStore(database)
        self._shape = ShapeStore(database)

    async def taxonomy(self, palace: str) -> Taxonomy:
        """Return all wings with their rooms and counts.

        Raises:
            NotFound: If the palace does not exist.
        """
        await self._palaces.get(palace)
        wings, rooms = await asyncio.gather(self._rooms.wings(palace), self._rooms.rooms(palace))
        listed = [_wing(wing, [room for room in rooms if room.wing_id == wing.id]) for wing in wings]
        return Taxonomy(palace, sum(wing.drawers for wing in listed), listed)

    async def tunnels(self, palace: str, *, wing: str | None = None, other: str | None = None) -> list[Tunnel]:
        """Return the tunnels, the most similar rooms first.

        Args:
            wing: Only tunnels with an end in this wing, which is then the first end.
            other: Only tunnels whose other end is in this wing.

        Raises:
            NotFound: If the palace or a wing does not exist.
        """
        await self._palaces.get(palace)
        for name in {wing, other} - {None}:
            await find_place(self._database, palace, wing=name, room=None)
        found = [_seen_from(tunnel, wing, other) for tunnel in await self._shape.tunnels(palace)]
        return sorted(
            (tunnel for tunnel in found if tunnel is not None),
            key=lambda tunnel: (-tunnel.similarity, tunnel.room_id, tunnel.other_room_id),
        )

    async def stats(self, palace: str) -> PalaceStats:
        """Return the numbers of nodes and relationships.

        Raises:
            NotFound: If the palace does not exist.
        """
        state, counts = await self._palaces.get(palace), await self._shape.counts(palace)
        if counts is None:
            raise NotFound(f"palace {palace!r} was just dropped", palace=palace)
        return PalaceStats(
            palace=palace,
            created_at=counts.created_at,
            model=state.model,
            dimension=state.dimension,
            nodes=counts.nodes,
            edges=counts.edges,
            revision=state.revision,
            settled=state.settled_revision >= state.revision,
        )


def _wing(wing: Wing, rooms: Sequence[Room]) -> TaxonomyWing:
    inside = [TaxonomyRoom(room.name, room.hall_type, room.closets, room.drawers) for room in rooms]
    return TaxonomyWing(wing.name, wing.wing_type, wing.closets, wing.drawers, inside)


def _seen_from(tunnel: Tunnel, wing: str | None, other: str | None) -> Tunnel | None:
    """Return the tunnel with its ends in the wanted wings; None if it does not join them."""
    for seen in (tunnel, tunnel.turned()):
        if wing in (None, seen.wing) and other in (None, seen.other_wing):
            return seen
    return None
