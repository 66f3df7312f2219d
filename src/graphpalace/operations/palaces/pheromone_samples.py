"""Keep the history of a palace's pheromones: a sample each time that decay is applied."""

from __future__ import annotations

import math
from collections.abc import Sequence

from graphpalace.domain.graph.palace_map import PheromoneHistory, PheromoneStrengths
from graphpalace.domain.graph.pheromones import EDGE_PHEROMONES, NODE_PHEROMONES, DecayRates
from graphpalace.domain.graph.warmth import KindWarmth
from graphpalace.errors import InvalidInput
from graphpalace.store.connection.database import Database
from graphpalace.store.palaces.palace_map import MapStore
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.store.pheromones.warmth import WarmthStore

SAMPLES_KEPT = 1000  # for each palace; more than a year at the default of one sample in ten hours


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
