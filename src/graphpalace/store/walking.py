"""Read the graph of a palace as columns, which can be updated in part, and its changes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence, Set
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from jaxtyping import Bool, Float64, Int32, Int64, UInt8

from graphpalace.domain.palaces.palaces import GraphChange
from graphpalace.domain.walking.graph_snapshot import DRAWER, KINDS, RELATIONS
from graphpalace.store.connection.database import Database, Row, palace_row

_SPARSE, _FEW = 16, 1_000_000  # a table has at most 16 places for each node, and a million besides
_NAME_EDGES = [RELATIONS.index(name) for name in ("REFERENCES", "RELATES_TO")]
_ENTITY = KINDS.index("Entity")
_DRAWER_EDGES = [RELATIONS.index(name) for name in ("HAS_DRAWER", "SIMILAR_TO", "REFERENCES")]


@dataclass(frozen=True, eq=False)
class StoredGraph:
    """The stored graph: nodes sorted by id, and the edges between them.

    Attributes:
        ends: The rows of the source and of the target of each edge.
    """

    nodes: NodeColumns
    edges: EdgeColumns
    ends: tuple[Int32[np.ndarray, " edges"], Int32[np.ndarray, " edges"]]

    @classmethod
    def of(cls, nodes: Sequence[NodeColumns], edges: Sequence[EdgeColumns]) -> StoredGraph:
        joined = NodeColumns.joined(nodes)
        ordered = joined.at(np.array(sorted(range(len(joined.id)), key=joined.id.__getitem__), np.int64))
        links = EdgeColumns.joined(edges)
        source, target = rows_of(ordered.key, links.source), rows_of(ordered.key, links.target)
        known = (source >= 0) & (target >= 0)  # an end may have been deleted between two reads
        return cls(ordered, links.kept(known), (source[known], target[known]))

    def without(self, changed: set[str]) -> tuple[NodeColumns, EdgeColumns]:
        """Return the drawers that did not change, and the drawer edges that do not touch a changed drawer."""
        drawers = self.nodes.kept(self.nodes.kind == DRAWER)
        stays = np.ones(len(drawers.id), bool)
        stays[drawers.places_of(changed)] = False
        gone = drawers.key[~stays]
        touched = np.isin(self.edges.source, gone) | np.isin(self.edges.target, gone)
        return drawers.kept(stays), self.edges.kept(np.isin(self.edges.relation, _DRAWER_EDGES) & ~touched)

    def entities_of(self, edges: Sequence[EdgeColumns], *, besides: NodeColumns) -> NodeColumns:
        """Return the entities that some edges lead to, without those of `besides`, which were read again."""
        entities = self.nodes.kept(self.nodes.kind == _ENTITY)
        named = [part.kept(np.isin(part.relation, _NAME_EDGES)) for part in edges]
        used = np.concatenate([ends for part in named for ends in (part.source, part.target)])
        return entities.kept(np.isin(entities.key, used) & ~np.isin(entities.key, besides.key))

    def set_trails(self, read: Row) -> None:
        """Replace pheromones in place. Snapshots are not affected, as they have arrays of their own."""
        n, e = self.nodes, self.edges
        if read["nodes"]:
            keys, exploitation, exploration, cycles = zip(*read["nodes"], strict=True)
            rows = rows_of(n.key, np.array(keys))
            known = rows >= 0
            at = rows[known]
            n.exploitation[at] = np.array(exploitation, np.float64)[known]
            n.exploration[at] = np.array(exploration, np.float64)[known]
            n.cycle[at] = np.array(cycles, np.int64)[known]
        wanted = {(a, b, RELATIONS.index(relation)): trail for a, b, relation, *trail in read["edges"]}
        near = np.flatnonzero(np.isin(e.source, [source for source, _, _ in wanted])) if wanted else ()
        for row in near:
            if trail := wanted.get((e.source[row], e.target[row], e.relation[row])):
                e.success[row], e.traversal[row], e.recency[row], e.cycle[row] = trail


@dataclass(frozen=True, eq=False)
class _Columns:
    """Arrays of equal length."""

    def kept(self, keep: Bool[np.ndarray, " rows"]) -> Self:
        """Return the rows where `keep` is true."""
        return self if keep.all() else self.at(keep)

    def at(self, rows: np.ndarray) -> Self:
        """Return some rows, by their numbers in the order of these, or by a mask."""
        return type(self)(*(getattr(self, field.name)[rows] for field in fields(self)))

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the rows of all parts, one after the other."""
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))


@dataclass(frozen=True, eq=False)
class NodeColumns(_Columns):
    """Nodes with their stored pheromones.

    Attributes:
        key: Neo4j's internal id, which the edges refer to.
        id: Stable id of GraphPalace.
        kind: Position in `KINDS`.
        exploitation, exploration: Stored values, before decay.
        cycle: Cycle of the stored values; -1 if nothing was ever deposited.
    """

    key: Int64[np.ndarray, " nodes"]
    id: np.ndarray  # of str objects
    kind: UInt8[np.ndarray, " nodes"]
    exploitation: Float64[np.ndarray, " nodes"]
    exploration: Float64[np.ndarray, " nodes"]
    cycle: Int64[np.ndarray, " nodes"]

    def places_of(self, wanted: Set[str]) -> Int64[np.ndarray, " found"]:
        """Return the rows of those wanted nodes that are there, if the rows are sorted by id."""
        if not len(self.id):
            return np.empty(0, np.int64)
        some = np.array(sorted(wanted), object)
        at = np.minimum(np.searchsorted(self.id, some), len(self.id) - 1)
        return at[self.id[at] == some]

    @classmethod
    def of(cls, rows: Sequence[Row]) -> NodeColumns:
        """Return columns from the rows of a query `snapshot/load_*`.

        A node that somebody deletes while it is read has no id any more. It is left out.
        """
        ids = np.empty(sum(len(row["ids"]) for row in rows), object)
        ids[:] = [node for row in rows for node in row["ids"]]
        found = cls(
            _column(rows, "keys", np.int64),
            ids,
            np.repeat(
                np.array([KINDS.index(row["kind"]) for row in rows], np.uint8), [len(row["ids"]) for row in rows]
            ),
            _column(rows, "exploitation", np.float64),
            _column(rows, "exploration", np.float64),
            _column(rows, "cycles", np.int64),
        )
        return found.kept(np.fromiter((one is not None for one in ids), bool, len(ids)))


@dataclass(frozen=True, eq=False)
class EdgeColumns(_Columns):
    """Edges with their stored pheromones.

    Attributes:
        source, target: Neo4j's internal ids of the ends.
        relation: Position in `RELATIONS`.
        success, traversal, recency: Stored values, before decay.
        base_cost: Cost without pheromones.
        cycle: Cycle of the stored values; -1 if nothing was ever deposited.
    """

    source: Int64[np.ndarray, " edges"]
    target: Int64[np.ndarray, " edges"]
    relation: UInt8[np.ndarray, " edges"]
    success: Float64[np.ndarray, " edges"]
    traversal: Float64[np.ndarray, " edges"]
    recency: Float64[np.ndarray, " edges"]
    base_cost: Float64[np.ndarray, " edges"]
    cycle: Int64[np.ndarray, " edges"]

    @classmethod
    def of(cls, rows: Sequence[Row]) -> EdgeColumns:
        """Return columns from the rows of a query `snapshot/load_*_edges`."""
        return cls(
            _column(rows, "sources", np.int64),
            _column(rows, "targets", np.int64),
            np.repeat(
                np.array([RELATIONS.index(row["type"]) for row in rows], np.uint8),
                [len(row["sources"]) for row in rows],
            ),
            _column(rows, "success", np.float64),
            _column(rows, "traversal", np.float64),
            _column(rows, "recency", np.float64),
            _column(rows, "base_costs", np.float64),
            _column(rows, "cycles", np.int64),
        )


def rows_of(keys: Int64[np.ndarray, " nodes"], wanted: Int64[np.ndarray, " wanted"]) -> Int32[np.ndarray, " wanted"]:
    """Return the row of each wanted node among nodes, both by Neo4j's internal ids; -1: it is not among them."""
    if not len(keys) or not len(wanted):
        return np.full(len(wanted), -1, np.int32)
    low, high = int(keys.min()), int(keys.max())
    if high - low >= _SPARSE * len(keys) + _FEW:
        order = np.argsort(keys)
        rows = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)].astype(np.int32)
        return np.where(keys[rows] == wanted, rows, np.int32(-1))
    table = np.full(high - low + 1, -1, np.int32)
    table[keys - low] = np.arange(len(keys), dtype=np.int32)
    inside = (wanted >= low) & (wanted <= high)
    return np.where(inside, table[np.where(inside, wanted - low, 0)], np.int32(-1))


def _column(rows: Sequence[Row], name: str, dtype: type[np.generic]) -> np.ndarray:
    return np.concatenate([np.array(row[name], dtype) for row in rows]) if rows else np.empty(0, dtype)


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
        rows = stored.nodes.places_of(nodes).tolist()
        (read,) = await self._database.read(
            palace,
            "snapshot/load_some_trails",
            nodes=[{"kind": KINDS[stored.nodes.kind[row]], "id": stored.nodes.id[row]} for row in rows],
            edges=[dict(zip(("type", "from", "to"), edge.split(" "), strict=True)) for edge in sorted(edges)],
        )
        await asyncio.to_thread(stored.set_trails, read)
