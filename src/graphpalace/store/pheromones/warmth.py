"""Read the strongest and weakest pheromones of a palace, decayed to a cycle. Reading changes nothing."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from graphpalace.domain.drawers.drawer_text import drawer_name
from graphpalace.domain.pheromones.pheromones import EDGE_PHEROMONES, NODE_PHEROMONES, NOISE_FLOOR, DecayRates
from graphpalace.domain.pheromones.warmth import (
    ColdKind,
    ColdPlace,
    HotEdge,
    HotKind,
    HotNode,
    KindWarmth,
    NamedPlace,
    PalaceClock,
    Warmth,
)
from graphpalace.store.connection.database import Database, Row

_COLD = {"room": "pheromones/cold_rooms", "closet": "pheromones/cold_closets", "drawer": "pheromones/cold_drawers"}


class WarmthStore:
    """Reads pheromones, decayed to a cycle.

    Args:
        rates: Decay rates of the pheromones, per cycle.
        cycle_seconds: Seconds of one cycle of the clock.
    """

    def __init__(self, database: Database, *, rates: DecayRates, cycle_seconds: float) -> None:
        self._database = database
        self._rates = asdict(rates)
        self._cycle_seconds = float(cycle_seconds)

    async def clock(self, palace: str) -> PalaceClock | None:
        """Return the current cycle of a palace's clock; None if the palace does not exist."""
        rows = await self._database.read(palace, "pheromones/status_clock", cycle_seconds=self._cycle_seconds)
        return PalaceClock(rows[0]["cycle"], rows[0]["next_cycle_at"]) if rows else None

    async def of_nodes(self, palace: str, cycle: int) -> list[KindWarmth]:
        """Return the total pheromones of nodes, by kind."""
        rows = await self._read(palace, "pheromones/status_nodes", cycle)
        return [_warmth(row, "node", NODE_PHEROMONES) for row in rows]

    async def of_edges(self, palace: str, cycle: int) -> list[KindWarmth]:
        """Return the total pheromones of edges, by type."""
        rows = await self._read(palace, "pheromones/status_edges", cycle)
        return [_warmth(row, "edge", EDGE_PHEROMONES) for row in rows]

    async def hot_edges(self, palace: str, cycle: int, *, wing_id: str | None, limit: int) -> list[HotEdge]:
        """Return the edges with the strongest pheromones, strongest first.

        Args:
            wing_id: Only edges with an end in this wing; None: all.
        """
        rows = await self._read(palace, "pheromones/hot_edges", cycle, wing_id=wing_id, limit=limit)
        return [_hot_edge(row) for row in rows]

    async def hot_nodes(self, palace: str, cycle: int, *, wing_id: str | None, limit: int) -> list[HotNode]:
        """Return the nodes with the most exploitation, in descending order."""
        rows = await self._read(palace, "pheromones/hot_nodes", cycle, wing_id=wing_id, limit=limit)
        return [HotNode(_place(row["node"]), row["exploitation"], row["exploration"]) for row in rows]

    async def cold(
        self, palace: str, cycle: int, *, kind: ColdKind, wing_id: str | None, limit: int
    ) -> list[ColdPlace]:
        """Return the places with the least pheromone; of equal ones, the oldest first."""
        rows = await self._read(palace, _COLD[kind], cycle, wing_id=wing_id, limit=limit)
        return [
            ColdPlace(_place(row["node"]), row["created_at"], row["exploitation"], row["exploration"]) for row in rows
        ]

    async def _read(self, palace: str, name: str, cycle: int, **where: Any) -> list[Row]:
        return await self._database.read(palace, name, cycle=cycle, rates=self._rates, floor=NOISE_FLOOR, **where)


def _warmth(row: Row, on: HotKind, pheromones: tuple[str, ...]) -> KindWarmth:
    carriers, sums, maxima = ({name: row[f"{name}_{of}"] for name in pheromones} for of in ("carriers", "sum", "max"))
    return KindWarmth(Warmth(row["kind"], on, row["warm"], row["faded"], sums), carriers, maxima)


def _hot_edge(row: Row) -> HotEdge:
    saved = 1 - row["current_cost"] / row["base_cost"] if row["base_cost"] else 0.0
    trail = {name: value for name, value in row.items() if name not in ("source", "target")}
    return HotEdge(source=_place(row["source"]), target=_place(row["target"]), discount=saved, **trail)


def _place(row: Row) -> NamedPlace:
    if row["kind"] != "Drawer":
        return NamedPlace(**row)
    name = drawer_name(row["name"])
    return NamedPlace(row["kind"], row["id"], name, [*row["place"][:-1], name])
