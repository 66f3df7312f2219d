"""Report where the pheromones of a palace are strongest and weakest at this moment. Reading changes nothing."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from typing import get_args

from graphpalace.domain.pheromones.pheromones import EDGE_PHEROMONES, NODE_PHEROMONES, DecayRates
from graphpalace.domain.pheromones.warmth import (
    MOST_ROWS,
    ColdKind,
    ColdSpots,
    HotKind,
    HotSpots,
    KindWarmth,
    PalaceClock,
    Pheromone,
    PheromoneStatus,
)
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.pheromones.strength import half_life
from graphpalace.replica.places import find_place
from graphpalace.store.connection.database import Database
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.store.pheromones.warmth import WarmthStore


class HotPaths:
    """Reports the pheromones of palaces."""

    def __init__(self, database: Database, *, rates: DecayRates, cycle_seconds: float) -> None:
        self._database = database
        self._palaces = PalaceStore(database)
        self._warmth = WarmthStore(database, rates=rates, cycle_seconds=cycle_seconds)
        self._rates = rates
        self._cycle_seconds = cycle_seconds

    async def status(self, palace: str) -> PheromoneStatus:
        """Return the clock and the totals of each pheromone.

        Raises:
            NotFound: If the palace does not exist.
        """
        clock = await self._clock(palace)
        nodes, edges = await asyncio.gather(
            self._warmth.of_nodes(palace, clock.cycle), self._warmth.of_edges(palace, clock.cycle)
        )
        return PheromoneStatus(
            palace=palace,
            cycle=clock.cycle,
            cycle_seconds=self._cycle_seconds,
            next_cycle_at=clock.next_cycle_at,
            pheromones=[self._pheromone(name, "node", nodes) for name in NODE_PHEROMONES]
            + [self._pheromone(name, "edge", edges) for name in EDGE_PHEROMONES],
            warmth=[one.warmth for one in (*nodes, *edges)],
        )

    async def hot(
        self, palace: str, *, kind: HotKind | None = None, wing: str | None = None, limit: int = 10
    ) -> HotSpots:
        """Return the edges with the strongest trails and the nodes with the most exploitation.

        Only nodes and edges with pheromones are read, so the time does not depend on the size of the palace.

        Args:
            kind: Only nodes or only edges.
            wing: Only nodes in this wing, and edges with an end in it.
            limit: Largest number of each, 1 to 200.

        Raises:
            NotFound: If the palace or the wing does not exist.
            InvalidInput: If the kind is unknown or the limit out of range.
        """
        _check(kind, get_args(HotKind), limit)
        clock = await self._clock(palace)
        wing_id = await self._wing_id(palace, wing)
        cycle = clock.cycle
        edges = [] if kind == "node" else await self._warmth.hot_edges(palace, cycle, wing_id=wing_id, limit=limit)
        nodes = [] if kind == "edge" else await self._warmth.hot_nodes(palace, cycle, wing_id=wing_id, limit=limit)
        return HotSpots(palace, cycle, edges, nodes)

    async def cold(
        self, palace: str, *, kind: ColdKind = "room", wing: str | None = None, limit: int = 10
    ) -> ColdSpots:
        """Return the places that are visited least: those with the least pheromone, of equal ones the oldest first.

        The pheromone of a room includes that of everything in it, and that of a closet its drawers.

        Raises:
            NotFound: If the palace or the wing does not exist.
            InvalidInput: If the kind is unknown or the limit out of range.
        """
        _check(kind, get_args(ColdKind), limit)
        clock = await self._clock(palace)
        wing_id = await self._wing_id(palace, wing)
        places = await self._warmth.cold(palace, clock.cycle, kind=kind, wing_id=wing_id, limit=limit)
        return ColdSpots(palace, clock.cycle, kind, places)

    async def _clock(self, palace: str) -> PalaceClock:
        clock = await self._warmth.clock(palace)
        if clock is None:
            await self._palaces.get(palace)  # its error says what to do
            raise NotFound(f"there is no palace {palace!r}", palace=palace)
        return clock

    async def _wing_id(self, palace: str, wing: str | None) -> str | None:
        if wing is None:
            return None
        wing_id, _ = await find_place(self._database, palace, wing=wing, room=None)
        return wing_id

    def _pheromone(self, name: str, on: HotKind, kinds: Sequence[KindWarmth]) -> Pheromone:
        rate = getattr(self._rates, name)
        half = half_life(rate)
        carriers = sum(one.carriers[name] for one in kinds)
        total = math.fsum(one.warmth.sums[name] for one in kinds)
        return Pheromone(
            name=name,
            on=on,
            decay_rate=rate,
            half_life_cycles=half if math.isfinite(half) else None,
            carriers=carriers,
            sum=total,
            mean=total / carriers if carriers else 0.0,
            maximum=max((one.maxima[name] for one in kinds), default=0.0),
        )


def _check(kind: str | None, kinds: tuple[str, ...], limit: int) -> None:
    if kind is not None and kind not in kinds:
        raise InvalidInput(f"kind is {kind!r}; it must be {' or '.join(kinds)}", field="kind", value=kind)
    if not 1 <= limit <= MOST_ROWS:
        raise InvalidInput(f"limit is {limit}; it must be 1 to {MOST_ROWS}", field="limit", value=limit)
