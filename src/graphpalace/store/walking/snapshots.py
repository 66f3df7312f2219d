"""Read the graph of a palace as columns, and its changes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from graphpalace.domain.palaces.palaces import GraphChange
from graphpalace.domain.walking.graph_snapshot import KINDS
from graphpalace.store.connection.database import Database, palace_row
from graphpalace.store.walking.stored_graph import EdgeColumns, NodeColumns, StoredGraph


@dataclass(frozen=True, slots=True)
class GraphState:
    """The state of a palace's graph.

    Attributes:
        born: Time of the palace's creation, which distinguishes it from a later one of the same name.
        revision: Number of changes to its contents.
        settled: Revision for which its halls and tunnels were computed.
        cycle: Current cycle of its clock.
        changes: Changes since the requested revision.
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
        """Return an opaque text that changes with every commit to the database, whoever made it."""
        return await self._database.commit_mark()

    async def state(self, palace: str, *, since: int | None) -> GraphState | None:
        """Return the state of a palace's graph; None if the palace does not exist.

        Args:
            since: Revision after which to return changes; None: return no changes.
        """
        rows = await self._database.read(
            palace,
            "snapshot/read_state",
            seen=since or 0,
            loaded=since is not None,
            cycle_seconds=self._cycle_seconds,
        )
        row = palace_row(rows)
        if row is None:
            return None
        changes = [GraphChange(**change) for change in row["changes"]]
        return GraphState(row["born"], row["revision"], row["settled"], row["cycle"], changes)

    async def load(self, palace: str) -> StoredGraph:
        """Return the whole graph of a palace."""
        drawers, edges, entities, places, place_edges = await asyncio.gather(
            self._database.read(palace, "snapshot/load_drawers"),
            self._database.read(palace, "snapshot/load_drawer_edges"),
            self._database.read(palace, "snapshot/load_entities", drawers=None),
            self._database.read(palace, "snapshot/load_places"),
            self._database.read(palace, "snapshot/load_place_edges"),
        )
        return await asyncio.to_thread(
            lambda: StoredGraph.of(
                [NodeColumns.of(drawers), NodeColumns.of(entities), NodeColumns.of(places)],
                [EdgeColumns.of(edges), EdgeColumns.of(place_edges)],
            )
        )

    async def load_changed(self, palace: str, old: StoredGraph, changed: set[str]) -> StoredGraph:
        """Return a graph updated by reading some drawers, their names, and all wings, rooms, closets and facts.

        Args:
            old: The graph to update, which is not changed.
            changed: Ids of the drawers to read.
        """
        ids = sorted(changed)
        drawers, edges, entities, places, place_edges = await asyncio.gather(
            self._database.read(palace, "snapshot/load_some_drawers", ids=ids),
            self._database.read(palace, "snapshot/load_some_drawer_edges", ids=ids),
            self._database.read(palace, "snapshot/load_entities", drawers=ids),
            self._database.read(palace, "snapshot/load_places"),
            self._database.read(palace, "snapshot/load_place_edges"),
        )

        def merged() -> StoredGraph:
            kept, kept_edges = old.without(changed)
            fresh = NodeColumns.of(entities)
            every_edge = [kept_edges, EdgeColumns.of(edges), EdgeColumns.of(place_edges)]
            known = old.entities_of(every_edge, besides=fresh)
            return StoredGraph.of([kept, NodeColumns.of(drawers), known, fresh, NodeColumns.of(places)], every_edge)

        return await asyncio.to_thread(merged)

    async def read_trails(self, palace: str, stored: StoredGraph, *, nodes: set[str], edges: set[str]) -> None:
        """Update the pheromones of some nodes and edges of a graph in place.

        Args:
            nodes: Ids of the nodes.
            edges: Edges in the form of `GraphChange.edges`.
        """
        rows = [row for row, node in enumerate(stored.nodes.id) if node in nodes]
        (read,) = await self._database.read(
            palace,
            "snapshot/load_some_trails",
            nodes=[{"kind": KINDS[stored.nodes.kind[row]], "id": stored.nodes.id[row]} for row in rows],
            edges=[dict(zip(("type", "from", "to"), edge.split(" "), strict=True)) for edge in sorted(edges)],
        )
        await asyncio.to_thread(stored.set_trails, read)
