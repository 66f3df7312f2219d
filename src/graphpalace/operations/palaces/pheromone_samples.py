"""The history of a palace's pheromones: a sample each time that its decay is applied."""

from __future__ import annotations

import math
from collections.abc import Sequence

from graphpalace.domain.graph.palace_map import PheromoneHistory, Strength
from graphpalace.domain.graph.pheromones import EDGE_PHEROMONES, NODE_PHEROMONES, DecayRates
from graphpalace.domain.graph.warmth import KindWarmth
from graphpalace.errors import InvalidInput
from graphpalace.store.connection.database import Database
from graphpalace.store.palaces.palace_map import MapStore
from graphpalace.store.palaces.palaces import get_palace
from graphpalace.store.pheromones.warmth import WarmthStore

SAMPLES_KEPT = 1000  # of each palace; at the default of ten hours between two, more than a year


class PheromoneSamples:
    """Keeps samples of how much of each pheromone a palace has."""

    def __init__(self, database: Database, *, rates: DecayRates, cycle_seconds: float) -> None:
        self._database = database
        self._map = MapStore(database, rates=rates)
        self._warmth = WarmthStore(database, rates=rates, cycle_seconds=cycle_seconds)

    async def keep(self, palace: str, cycle: int) -> None:
        """Note how much of each pheromone there is at a cycle; the last one noted for a cycle counts."""
        nodes = await self._warmth.of_nodes(palace, cycle)
        edges = await self._warmth.of_edges(palace, cycle)
        sums = _sums(nodes, NODE_PHEROMONES) | _sums(edges, EDGE_PHEROMONES)
        await self._map.keep_sample(palace, cycle, Strength(**sums), most=SAMPLES_KEPT)

    async def latest(self, palace: str, *, limit: int = SAMPLES_KEPT) -> PheromoneHistory:
        """Return the latest samples.

        Args:
            limit: How many, 1 to 1000.

        Raises:
            NotFound: If there is no such palace.
            InvalidInput: If the limit is out of range.
        """
        if not 1 <= limit <= SAMPLES_KEPT:
            raise InvalidInput(f"limit is {limit}; it must be 1 to {SAMPLES_KEPT}", field="limit", value=limit)
        await get_palace(self._database, palace)
        return PheromoneHistory(palace, await self._map.samples(palace, limit=limit))


def _sums(warmth: Sequence[KindWarmth], pheromones: Sequence[str]) -> dict[str, float]:
    return {name: math.fsum(one.amounts[name].sum for one in warmth) for name in pheromones}
