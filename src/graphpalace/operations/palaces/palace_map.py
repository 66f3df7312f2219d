"""Read the map of a palace: its taxonomy, tunnels and counts, and its wings, rooms and passages with their pheromones.

Reading changes nothing; a sample of the pheromones is kept each time that decay is applied.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Sequence
from dataclasses import astuple

from graphpalace.domain.palaces.palace_shape import (
    SAMPLES_KEPT,
    MapRoom,
    MapWing,
    PalaceMap,
    PalaceStats,
    PheromoneHistory,
    PheromoneStrengths,
    Taxonomy,
    TaxonomyRoom,
    TaxonomyWing,
    Tunnel,
)
from graphpalace.domain.palaces.places import Room, Wing
from graphpalace.domain.pheromones.pheromones import EDGE_PHEROMONES, NODE_PHEROMONES, DecayRates
from graphpalace.domain.pheromones.warmth import KindWarmth
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.replica.places import find_place
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.rooms import RoomStore
from graphpalace.store.palaces.palace_map import MapStore, ShapeStore
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.store.pheromones.warmth import WarmthStore


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
        listed = [_taxonomy_wing(wing, [room for room in rooms if room.wing_id == wing.id]) for wing in wings]
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


def _taxonomy_wing(wing: Wing, rooms: Sequence[Room]) -> TaxonomyWing:
    inside = [TaxonomyRoom(room.name, room.hall_type, room.closets, room.drawers) for room in rooms]
    return TaxonomyWing(wing.name, wing.wing_type, wing.closets, wing.drawers, inside)


def _seen_from(tunnel: Tunnel, wing: str | None, other: str | None) -> Tunnel | None:
    """Return the tunnel with its ends in the wanted wings; None if it does not join them."""
    for seen in (tunnel, tunnel.turned()):
        if wing in (None, seen.wing) and other in (None, seen.other_wing):
            return seen
    return None


_NOTHING = PheromoneStrengths(0.0, 0.0, 0.0, 0.0, 0.0)


class Maps:
    """Reads the maps and the pheromone history of palaces.

    Args:
        cycle_seconds: Seconds of one cycle of the clock.
    """

    def __init__(self, database: Database, *, rates: DecayRates, cycle_seconds: float) -> None:
        self._palaces = PalaceStore(database)
        self._rooms = RoomStore(database)
        self._map = MapStore(database, rates=rates)
        self._warmth = WarmthStore(database, rates=rates, cycle_seconds=cycle_seconds)
        self._samples = PheromoneSamples(database, rates=rates, cycle_seconds=cycle_seconds)

    async def of(self, palace: str) -> PalaceMap:
        """Return wings, rooms and passages with their current pheromones.

        Raises:
            NotFound: If the palace does not exist.
        """
        await self._palaces.get(palace)
        clock = await self._warmth.clock(palace)
        cycle = clock.cycle if clock else 0
        wings, rooms, strength, passages = await asyncio.gather(
            self._rooms.wings(palace),
            self._rooms.rooms(palace),
            self._map.strengths(palace, cycle),
            self._map.passages(palace, cycle),
        )
        return PalaceMap(
            palace=palace,
            cycle=cycle,
            wings=[_wing(wing, [room for room in rooms if room.wing_id == wing.id], strength) for wing in wings],
            passages=passages,
        )

    async def history(self, palace: str, *, limit: int = SAMPLES_KEPT) -> PheromoneHistory:
        """Return the latest pheromone samples; each decay writes one.

        Args:
            limit: Largest number of samples, 1 to 1000.

        Raises:
            NotFound: If the palace does not exist.
            InvalidInput: If the limit is out of range.
        """
        return await self._samples.latest(palace, limit=limit)


def _wing(wing: Wing, rooms: list[Room], strength: dict[str, PheromoneStrengths]) -> MapWing:
    drawn = [_room(room, strength.get(room.id, _NOTHING)) for room in rooms]
    return MapWing(
        id=wing.id,
        name=wing.name,
        wing_type=wing.wing_type,
        drawers=wing.drawers,
        strength=_sum([strength.get(wing.id, _NOTHING), *(room.strength for room in drawn)]),
        rooms=drawn,
    )


def _room(room: Room, strength: PheromoneStrengths) -> MapRoom:
    return MapRoom(
        id=room.id,
        name=room.name,
        hall_type=room.hall_type,
        closets=room.closets,
        drawers=room.drawers,
        strength=strength,
    )


def _sum(parts: Iterable[PheromoneStrengths]) -> PheromoneStrengths:
    return PheromoneStrengths(*(math.fsum(values) for values in zip(*map(astuple, parts), strict=True)))


class PheromoneSamples:
    """Keeps samples of the total of each pheromone in a palace."""

    def __init__(self, database: Database, *, rates: DecayRates, cycle_seconds: float) -> None:
        self._palaces = PalaceStore(database)
        self._map = MapStore(database, rates=rates)
        self._warmth = WarmthStore(database, rates=rates, cycle_seconds=cycle_seconds)

    async def keep(self, palace: str, cycle: int) -> None:
        """Store the total of each pheromone at a cycle. A later sample of the same cycle replaces an earlier one."""
        nodes = await self._warmth.of_nodes(palace, cycle)
        edges = await self._warmth.of_edges(palace, cycle)
        sums = _sums(nodes, NODE_PHEROMONES) | _sums(edges, EDGE_PHEROMONES)
        await self._map.keep_sample(palace, cycle, PheromoneStrengths(**sums), most=SAMPLES_KEPT)

    async def latest(self, palace: str, *, limit: int = SAMPLES_KEPT) -> PheromoneHistory:
        """Return the latest samples.

        Args:
            limit: Largest number of samples, 1 to 1000.

        Raises:
            NotFound: If the palace does not exist.
            InvalidInput: If the limit is out of range.
        """
        if not 1 <= limit <= SAMPLES_KEPT:
            raise InvalidInput(f"limit is {limit}; it must be 1 to {SAMPLES_KEPT}", field="limit", value=limit)
        await self._palaces.get(palace)
        return PheromoneHistory(palace, await self._map.samples(palace, limit=limit))


def _sums(kinds: Sequence[KindWarmth], pheromones: Sequence[str]) -> dict[str, float]:
    return {name: math.fsum(one.warmth.sums[name] for one in kinds) for name in pheromones}
