"""The graph of a palace as columns, what changed in it, and what its places are called."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from graphpalace.domain.changes import GraphChange
from graphpalace.domain.graph.graph_snapshot import KINDS
from graphpalace.store.connection.database import Database
from graphpalace.store.graph.graph_columns import EdgeColumns, NodeColumns
from graphpalace.store.graph.stored_graph import StoredGraph


@dataclass(frozen=True, slots=True)
class GraphState:
    """Where the graph of a palace stands.

    Attributes:
        born: When the palace was made, which tells it from a later one of its name.
        revision: How many changes were made to what is in it.
        settled: Up to which of them its halls and tunnels follow.
        cycle: What its clock shows.
        changes: Since the revision that was asked for.
    """

    born: str
    revision: int
    settled: int
    cycle: int
    changes: Sequence[GraphChange]


class SnapshotStore:
    """Reads the graphs of palaces.

    Args:
        cycle_seconds: Seconds of one cycle of the clock.
    """

    def __init__(self, database: Database, *, cycle_seconds: float) -> None:
        self._database = database
        self._cycle_seconds = cycle_seconds

    async def commit_mark(self) -> str:
        """Return an opaque text that is another after every commit to the database, whoever made it."""
        return await self._database.commit_mark()

    async def state(self, palace: str, *, since: int | None) -> GraphState | None:
        """Return where a palace stands; None if there is no such palace.

        Args:
            since: The revision after which changes are asked for; None: none are.
        """
        rows = await self._database.read(
            palace,
            "snapshot/read_state",
            seen=since or 0,
            loaded=since is not None,
            cycle_seconds=self._cycle_seconds,
        )
        if not rows:
            return None
        row = rows[0]
        changes = [GraphChange(**change) for change in row["changes"]]
        return GraphState(row["born"], row["revision"], row["settled"], row["cycle"], changes)

    async def load(self, palace: str) -> StoredGraph:
        """Return the whole graph of a palace."""
        drawers, edges, places, place_edges = await asyncio.gather(
            self._database.read(palace, "snapshot/load_drawers"),
            self._database.read(palace, "snapshot/load_drawer_edges"),
            self._database.read(palace, "snapshot/load_places"),
            self._database.read(palace, "snapshot/load_place_edges"),
        )
        return await asyncio.to_thread(
            lambda: StoredGraph.of(
                [NodeColumns.of(drawers), NodeColumns.of(places)], [EdgeColumns.of(edges), EdgeColumns.of(place_edges)]
            )
        )

    async def load_changed(self, palace: str, old: StoredGraph, changed: set[str]) -> StoredGraph:
        """Return a graph with some drawers and their edges read again, and all that is no drawer.

        Args:
            changed: Ids of the drawers.
        """
        ids = sorted(changed)
        drawers, edges, places, place_edges = await asyncio.gather(
            self._database.read(palace, "snapshot/load_some_drawers", ids=ids),
            self._database.read(palace, "snapshot/load_some_drawer_edges", ids=ids),
            self._database.read(palace, "snapshot/load_places"),
            self._database.read(palace, "snapshot/load_place_edges"),
        )

        def merged() -> StoredGraph:
            kept, kept_edges = old.without(changed)
            return StoredGraph.of(
                [kept, NodeColumns.of(drawers), NodeColumns.of(places)],
                [kept_edges, EdgeColumns.of(edges), EdgeColumns.of(place_edges)],
            )

        return await asyncio.to_thread(merged)

    async def read_trails(self, palace: str, stored: StoredGraph, *, nodes: set[str], edges: set[str]) -> None:
        """Bring the pheromones of some nodes and edges of a graph up to date.

        Args:
            nodes: Ids.
            edges: As `GraphChange.edges`.
        """
        rows = [row for row, node in enumerate(stored.nodes.id) if node in nodes]
        (read,) = await self._database.read(
            palace,
            "snapshot/load_some_trails",
            nodes=[{"kind": KINDS[stored.nodes.kind[row]], "id": stored.nodes.id[row]} for row in rows],
            edges=[dict(zip(("type", "from", "to"), edge.split(" "), strict=True)) for edge in sorted(edges)],
        )
        await asyncio.to_thread(stored.set_trails, read)
