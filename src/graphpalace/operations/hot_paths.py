"""Where a palace is warm and where it is cold. What is shown is what is there now; looking changes nothing."""

from __future__ import annotations

import asyncio
import math
from typing import Any, get_args

from graphpalace.domain.drawer_name import drawer_name
from graphpalace.domain.pheromones import EDGE_PHEROMONES, NODE_PHEROMONES, NOISE_FLOOR, DecayRates
from graphpalace.domain.warmth import (
    Cold,
    ColdKind,
    ColdPlace,
    Hot,
    HotEdge,
    HotKind,
    HotNode,
    Pheromone,
    PheromoneStatus,
    Place,
    Warmth,
)
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.operations.places import find_place
from graphpalace.pheromones.decay import half_life
from graphpalace.store.database import Database, Row
from graphpalace.store.palaces import get_palace

MOST_ROWS = 200

_COLD = {"room": "pheromones/cold_rooms", "closet": "pheromones/cold_closets", "drawer": "pheromones/cold_drawers"}


class HotPaths:
    """Looks at the pheromones of palaces."""

    def __init__(self, database: Database, *, rates: DecayRates, cycle_seconds: float) -> None:
        self._database = database
        self._rates = rates
        self._cycle_seconds = cycle_seconds

    async def status(self, palace: str) -> PheromoneStatus:
        """Return the clock, and how much of each pheromone there is.

        Raises:
            NotFound: If there is no such palace.
        """
        clock = await self._clock(palace)
        nodes, edges = await asyncio.gather(
            self._read("pheromones/status_nodes", palace, clock), self._read("pheromones/status_edges", palace, clock)
        )
        return PheromoneStatus(
            palace=palace,
            cycle=clock["cycle"],
            cycle_seconds=self._cycle_seconds,
            next_cycle_at=clock["next_cycle_at"],
            pheromones=[self._pheromone(name, "node", nodes) for name in NODE_PHEROMONES]
            + [self._pheromone(name, "edge", edges) for name in EDGE_PHEROMONES],
            warmth=[_warmth(row, "node", NODE_PHEROMONES) for row in nodes]
            + [_warmth(row, "edge", EDGE_PHEROMONES) for row in edges],
        )

    async def hot(self, palace: str, *, kind: HotKind | None = None, wing: str | None = None, limit: int = 10) -> Hot:
        """Return the edges with the strongest trails and the nodes with the most exploitation.

        The cost follows use, not the size of the palace: only what is warm is looked at.

        Args:
            kind: Only nodes or only edges.
            wing: Only what stands in this wing, or has an end in it.
            limit: How many of each, 1 to 200.

        Raises:
            NotFound: If there is no such palace or wing.
            InvalidInput: If the kind is unknown or the limit out of range.
        """
        _check(kind, get_args(HotKind), limit)
        clock = await self._clock(palace)
        where = await self._where(palace, wing, limit)
        edges = [] if kind == "node" else await self._read("pheromones/hot_edges", palace, clock, **where)
        nodes = [] if kind == "edge" else await self._read("pheromones/hot_nodes", palace, clock, **where)
        return Hot(palace, clock["cycle"], [_hot_edge(row) for row in edges], [_hot_node(row) for row in nodes])

    async def cold(self, palace: str, *, kind: ColdKind = "room", wing: str | None = None, limit: int = 10) -> Cold:
        """Return the places that nobody visits: those with no pheromone or the least, the oldest first.

        A room counts what is in it as well, and a closet its drawers.

        Raises:
            NotFound: If there is no such palace or wing.
            InvalidInput: If the kind is unknown or the limit out of range.
        """
        _check(kind, get_args(ColdKind), limit)
        clock = await self._clock(palace)
        where = await self._where(palace, wing, limit)
        rows = await self._read(_COLD[kind], palace, clock, **where)
        places = [
            ColdPlace(_place(row["node"]), row["created_at"], row["exploitation"], row["exploration"]) for row in rows
        ]
        return Cold(palace, clock["cycle"], kind, places)

    async def _clock(self, palace: str) -> Row:
        rows = await self._database.read("pheromones/status_clock", palace=palace, cycle_seconds=self._cycle_seconds)
        if not rows:
            await get_palace(self._database, palace)  # says what to do about it
            raise NotFound(f"there is no palace {palace!r}", palace=palace)
        return rows[0]

    async def _where(self, palace: str, wing: str | None, limit: int) -> dict[str, Any]:
        wing_id = None
        if wing is not None:
            wing_id, _ = await find_place(self._database, palace, wing=wing, room=None)
        return {"wing_id": wing_id, "limit": limit}

    async def _read(self, name: str, palace: str, clock: Row, **params: Any) -> list[Row]:
        rates = self._rates.as_params()
        return await self._database.read(
            name, palace=palace, cycle=clock["cycle"], rates=rates, floor=NOISE_FLOOR, **params
        )

    def _pheromone(self, name: str, on: HotKind, rows: list[Row]) -> Pheromone:
        rate = getattr(self._rates, name)
        half = half_life(rate)
        carriers = sum(row[f"{name}_carriers"] for row in rows)
        total = math.fsum(row[f"{name}_sum"] for row in rows)
        return Pheromone(
            name=name,
            on=on,
            decay_rate=rate,
            half_life_cycles=half if math.isfinite(half) else None,
            carriers=carriers,
            sum=total,
            mean=total / carriers if carriers else 0.0,
            maximum=max((row[f"{name}_max"] for row in rows), default=0.0),
        )


def _warmth(row: Row, on: HotKind, pheromones: tuple[str, ...]) -> Warmth:
    return Warmth(row["kind"], on, row["warm"], row["faded"], {name: row[f"{name}_sum"] for name in pheromones})


def _hot_edge(row: Row) -> HotEdge:
    saved = 1 - row["current_cost"] / row["base_cost"] if row["base_cost"] else 0.0
    trail = {name: value for name, value in row.items() if name not in ("source", "target")}
    return HotEdge(source=_place(row["source"]), target=_place(row["target"]), discount=saved, **trail)


def _place(row: Row) -> Place:
    if row["kind"] != "Drawer":
        return Place(**row)
    name = drawer_name(row["name"])
    return Place(row["kind"], row["id"], name, [*row["place"][:-1], name])


def _hot_node(row: Row) -> HotNode:
    return HotNode(_place(row["node"]), row["exploitation"], row["exploration"])


def _check(kind: str | None, kinds: tuple[str, ...], limit: int) -> None:
    if kind is not None and kind not in kinds:
        raise InvalidInput(f"kind is {kind!r}; it must be {' or '.join(kinds)}", field="kind", value=kind)
    if not 1 <= limit <= MOST_ROWS:
        raise InvalidInput(f"limit is {limit}; it must be 1 to {MOST_ROWS}", field="limit", value=limit)
