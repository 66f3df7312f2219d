"""Read the tunnels of a palace, and count its parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from graphpalace.domain.palace_shape import Tunnel
from graphpalace.store.connection.database import Database


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
