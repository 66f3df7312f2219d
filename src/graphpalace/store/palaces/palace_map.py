"""Read what a palace looks like: the pheromones of its map, its tunnels, the numbers of its parts, names of nodes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np

from graphpalace.domain.palaces.palace_shape import Passage, PheromoneSample, PheromoneStrengths, Tunnel
from graphpalace.domain.pheromones.pheromones import EDGE_PHEROMONES, NODE_PHEROMONES, NOISE_FLOOR, DecayRates
from graphpalace.domain.walking.graph_snapshot import NodeRef
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


class PartCounts(NamedTuple):
    """When a palace was created, and the numbers of its nodes by label and of its relationships by type."""

    created_at: str
    nodes: Mapping[str, int]
    edges: Mapping[str, int]


class ShapeStore:
    """Reads the shape of palaces."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def tunnels(self, palace: str) -> list[Tunnel]:
        """Return the tunnels of a palace in any order, each once."""
        rows = await self._database.read(palace, "map/list_tunnels")
        return [
            Tunnel(similarity=_cosine(row.pop("centroid"), row.pop("other_centroid")), **row)  # both are unit vectors
            for row in rows
        ]

    async def counts(self, palace: str) -> PartCounts | None:
        """Return the numbers of nodes and relationships; None if the palace does not exist."""
        rows = await self._database.read(palace, "map/count_parts")
        return PartCounts(**rows[0]) if rows else None


def _cosine(one: bytes, other: bytes) -> float:
    return round(float(np.frombuffer(one, "<f4").astype(float) @ np.frombuffer(other, "<f4")), 6)


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """A wing or a room that a name may mean.

    Attributes:
        kind: `Wing` or `Room`.
        name: Unambiguous name: WING, or WING/ROOM.
        exact: Whether the given name was the unambiguous one.
    """

    id: str
    kind: str
    name: str
    exact: bool


class NodeNameStore:
    """Looks up nodes by name, and names by node."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find_places(self, palace: str, name: str) -> list[FoundPlace]:
        """Return at most 20 wings and rooms that a name may mean; exact matches come first."""
        return [FoundPlace(**row) for row in await self._database.read(palace, "snapshot/find_places", name=name)]

    async def names(self, nodes: Sequence[NodeRef]) -> dict[str, str]:
        """Return readable names of nodes by id: a name, a title, or the beginning of a drawer's text."""
        wanted = [{"kind": node.kind, "id": node.id} for node in nodes]
        return {row["id"]: row["name"] for row in await self._database.read(None, "snapshot/name_nodes", nodes=wanted)}
