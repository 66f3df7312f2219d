"""Read the pheromones of a palace for its map, and store samples of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict

from graphpalace.domain.graph.palace_map import Passage, PheromoneSample, PheromoneStrengths
from graphpalace.domain.graph.pheromones import EDGE_PHEROMONES, NODE_PHEROMONES, NOISE_FLOOR, DecayRates
from graphpalace.store.connection.database import Database, Row


class MapStore:
    """Reads the pheromones of a palace for its map, and stores samples of them.

    Args:
        rates: Decay rates of the pheromones, per cycle.
    """

    def __init__(self, database: Database, *, rates: DecayRates) -> None:
        self._database = database
        self._rates = asdict(rates)

    async def strengths(self, palace: str, cycle: int) -> dict[str, PheromoneStrengths]:
        """Return the pheromones of wings, and of rooms with their contents, by id. Places without any are left out."""
        places, edges = await asyncio.gather(
            self._read(palace, "map/warm_places", cycle), self._read(palace, "map/warm_edges", cycle)
        )
        return _strengths([*places, *edges])

    async def passages(self, palace: str, cycle: int) -> list[Passage]:
        """Return the halls and tunnels with their pheromones."""
        return [Passage(**row) for row in await self._read(palace, "map/list_passages", cycle)]

    async def samples(self, palace: str, *, limit: int) -> list[PheromoneSample]:
        """Return the latest `limit` samples, oldest first."""
        rows = await self._database.read(palace, "map/list_samples", limit=limit)
        return [PheromoneSample(**row) for row in rows]

    async def keep_sample(self, palace: str, cycle: int, sums: PheromoneStrengths, *, most: int) -> None:
        """Store the total of each pheromone at a cycle, replacing a sample of the same cycle.

        Args:
            most: Number of samples to keep; older ones are deleted.
        """
        await self._database.write(palace, "map/keep_sample", cycle=cycle, sums=asdict(sums), most=most)

    async def _read(self, palace: str, name: str, cycle: int) -> list[Row]:
        return await self._database.read(palace, name, cycle=cycle, rates=self._rates, floor=NOISE_FLOOR)


def _strengths(rows: Sequence[Row]) -> dict[str, PheromoneStrengths]:
    nothing: dict[str, float] = dict.fromkeys((*NODE_PHEROMONES, *EDGE_PHEROMONES), 0.0)
    found: dict[str, dict[str, float]] = {}
    for row in rows:
        known = found.setdefault(row["id"], dict(nothing))
        known.update({name: row[name] for name in known if name in row})
    return {place: PheromoneStrengths(**values) for place, values in found.items()}
