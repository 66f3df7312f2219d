"""Read the map of a palace: its wings, rooms and passages with their pheromones. Reading changes nothing."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable
from dataclasses import astuple

from graphpalace.domain.graph.palace_map import MapRoom, MapWing, PalaceMap, PheromoneHistory, PheromoneStrengths
from graphpalace.domain.graph.pheromones import DecayRates
from graphpalace.domain.places import Room, Wing
from graphpalace.operations.palaces.pheromone_samples import SAMPLES_KEPT, PheromoneSamples
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.rooms import RoomStore
from graphpalace.store.palaces.palace_map import MapStore
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.store.pheromones.warmth import WarmthStore

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
