"""The map of a palace with what is warm in it, and the history of its pheromones. Looking changes nothing."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable
from dataclasses import astuple
from typing import Any

from graphpalace.domain.palace_map import (
    MapRoom,
    MapWing,
    PalaceMap,
    Passage,
    PheromoneHistory,
    PheromoneSample,
    Strength,
)
from graphpalace.domain.pheromones import EDGE_PHEROMONES, NODE_PHEROMONES, NOISE_FLOOR, DecayRates
from graphpalace.errors import InvalidInput
from graphpalace.store.database import Database, Row
from graphpalace.store.palaces import get_palace

SAMPLES_KEPT = 1000  # of each palace; at the default of ten hours between two, more than a year

_NOTHING = Strength(0.0, 0.0, 0.0, 0.0, 0.0)


class Maps:
    """Draws the maps of palaces.

    Args:
        cycle_seconds: Seconds of one cycle of the clock.
    """

    def __init__(self, database: Database, *, rates: DecayRates, cycle_seconds: float) -> None:
        self._database = database
        self._rates = rates.as_params()
        self._cycle_seconds = float(cycle_seconds)

    async def of(self, palace: str) -> PalaceMap:
        """Return wings, rooms and passages with the pheromones of now.

        Raises:
            NotFound: If there is no such palace.
        """
        await get_palace(self._database, palace)
        clock = await self._database.read("pheromones/status_clock", palace=palace, cycle_seconds=self._cycle_seconds)
        cycle = clock[0]["cycle"] if clock else 0
        now: dict[str, Any] = {"palace": palace, "cycle": cycle, "rates": self._rates, "floor": NOISE_FLOOR}
        wings, rooms, places, edges, passages = await asyncio.gather(
            self._database.read("rooms/list_wings", palace=palace),
            self._database.read("rooms/list_rooms", palace=palace, wing=None),
            self._database.read("map/warm_places", **now),
            self._database.read("map/warm_edges", **now),
            self._database.read("map/list_passages", **now),
        )
        strength = _strengths(places, edges)
        return PalaceMap(
            palace=palace,
            cycle=cycle,
            wings=[_wing(row, [room for room in rooms if room["wing_id"] == row["id"]], strength) for row in wings],
            passages=[Passage(**row) for row in passages],
        )

    async def history(self, palace: str, *, limit: int = SAMPLES_KEPT) -> PheromoneHistory:
        """Return the latest samples, which each run of the decay leaves.

        Args:
            limit: How many, 1 to 1000.

        Raises:
            NotFound: If there is no such palace.
            InvalidInput: If the limit is out of range.
        """
        if not 1 <= limit <= SAMPLES_KEPT:
            raise InvalidInput(f"limit is {limit}; it must be 1 to {SAMPLES_KEPT}", field="limit", value=limit)
        await get_palace(self._database, palace)
        rows = await self._database.read("map/list_samples", palace=palace, limit=limit)
        return PheromoneHistory(palace, [PheromoneSample(**row) for row in rows])


async def keep_sample(database: Database, palace: str, cycle: int, *, rates: dict[str, float]) -> None:
    """Note how much of each pheromone there is at a cycle; the last one noted for a cycle counts.

    Args:
        rates: The share of each pheromone that is lost in one cycle.
    """
    now = {"palace": palace, "cycle": cycle, "rates": rates, "floor": NOISE_FLOOR}
    nodes = await database.read("pheromones/status_nodes", **now)
    edges = await database.read("pheromones/status_edges", **now)
    sums = {name: math.fsum(row[f"{name}_sum"] for row in nodes) for name in NODE_PHEROMONES}
    sums |= {name: math.fsum(row[f"{name}_sum"] for row in edges) for name in EDGE_PHEROMONES}
    await database.write("map/keep_sample", palace=palace, cycle=cycle, sums=sums, most=SAMPLES_KEPT)


def _strengths(places: list[Row], edges: list[Row]) -> dict[str, Strength]:
    nothing: dict[str, float] = dict.fromkeys((*NODE_PHEROMONES, *EDGE_PHEROMONES), 0.0)
    found: dict[str, dict[str, float]] = {}
    for row in (*places, *edges):
        known = found.setdefault(row["id"], dict(nothing))
        known.update({name: row[name] for name in known if name in row})
    return {place: Strength(**values) for place, values in found.items()}


def _wing(row: Row, rooms: list[Row], strength: dict[str, Strength]) -> MapWing:
    drawn = [_room(room, strength.get(room["id"], _NOTHING)) for room in rooms]
    return MapWing(
        id=row["id"],
        name=row["name"],
        wing_type=row["wing_type"],
        drawers=row["drawers"],
        strength=_sum([strength.get(row["id"], _NOTHING), *(room.strength for room in drawn)]),
        rooms=drawn,
    )


def _room(row: Row, strength: Strength) -> MapRoom:
    names = ("id", "name", "hall_type", "closets", "drawers")
    return MapRoom(strength=strength, **{name: row[name] for name in names})


def _sum(parts: Iterable[Strength]) -> Strength:
    return Strength(*(math.fsum(values) for values in zip(*map(astuple, parts), strict=True)))
