"""A palace's graph as arrays: nodes, edges, pheromones and adjacency; and paths, by references to its nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from jaxtyping import Float64, Int32, Int64, UInt8

KINDS = ("Wing", "Room", "Closet", "Drawer", "Entity", "Palace")
RELATIONS = (
    "HAS_ROOM",
    "HAS_CLOSET",
    "HAS_DRAWER",
    "HALL",
    "TUNNEL",
    "SIMILAR_TO",
    "REFERENCES",
    "RELATES_TO",
    "CONTAINS",
)

DRAWER, ENTITY, PALACE = (KINDS.index(name) for name in ("Drawer", "Entity", "Palace"))
CONTAINS, RELATES_TO = RELATIONS.index("CONTAINS"), RELATIONS.index("RELATES_TO")


@dataclass(frozen=True, eq=False)
class Nodes:
    """The nodes of a palace, sorted by id, so that a lower index means a lower id.

    Attributes:
        ids: Stable ids, ascending.
        kind: Index into `KINDS`.
        exploitation, exploration: Pheromones at the snapshot's cycle, >= 0.
    """

    ids: list[str]
    kind: UInt8[np.ndarray, " nodes"]
    exploitation: Float64[np.ndarray, " nodes"]
    exploration: Float64[np.ndarray, " nodes"]

    def __len__(self) -> int:
        return len(self.kind)


@dataclass(frozen=True, eq=False)
class Edges:
    """The edges of a palace, each once, in the direction in which the database stores it.

    Attributes:
        source, target: Indices of the nodes.
        relation: Index into `RELATIONS`.
        success, traversal, recency: Pheromones at the snapshot's cycle, >= 0.
        factor: Combined strength of the three pheromones, 0 to 1 (seed 003, "Edge Cost Recomputation").
        base_cost: Cost without pheromones.
        current_cost: Cost with the pheromones of the snapshot's cycle (seed 003, "Edge Cost Recomputation").
    """

    source: Int32[np.ndarray, " edges"]
    target: Int32[np.ndarray, " edges"]
    relation: UInt8[np.ndarray, " edges"]
    success: Float64[np.ndarray, " edges"]
    traversal: Float64[np.ndarray, " edges"]
    recency: Float64[np.ndarray, " edges"]
    factor: Float64[np.ndarray, " edges"]
    base_cost: Float64[np.ndarray, " edges"]
    current_cost: Float64[np.ndarray, " edges"]

    def __len__(self) -> int:
        return len(self.source)


@dataclass(frozen=True, eq=False)
class Adjacency:
    """The adjacency of an undirected graph in compressed sparse row (CSR) form.

    Each edge gives two arcs, one in each direction. The arcs out of node n are `start[n]` up to, not including,
    `start[n + 1]`.

    Attributes:
        start: Index of each node's first arc, and at the end the number of arcs.
        neighbour: The node that each arc leads to; ascending for each node.
        edge: The edge that each arc belongs to. Both arcs of an edge share its pheromones and cost.
    """

    start: Int64[np.ndarray, " nodes_and_one"]
    neighbour: Int32[np.ndarray, " arcs"]
    edge: Int32[np.ndarray, " arcs"]

    @classmethod
    def of(cls, nodes: int, edges: Edges, *, without: int | None = None) -> Adjacency:
        """Build the adjacency of a graph. An edge from a node to itself becomes a single arc.

        Args:
            nodes: Number of nodes.
            without: A relation, as index into `RELATIONS`, whose edges are left out.
        """
        kept = np.ones(len(edges), bool) if without is None else edges.relation != without
        there, back = np.flatnonzero(kept), np.flatnonzero(kept & (edges.source != edges.target))
        tail = np.concatenate([edges.source[there], edges.target[back]])
        head = np.concatenate([edges.target[there], edges.source[back]])
        edge = np.concatenate([there, back]).astype(np.int32)
        by_head, _ = _grouped(head, nodes)
        by_tail, start = _grouped(tail[by_head], nodes)
        order = by_head[by_tail]
        return cls(start, head[order], edge[order])


def _grouped(values: Int32[np.ndarray, " rows"], many: int) -> tuple[np.ndarray, Int64[np.ndarray, " many_and_one"]]:
    """Return the rows by their values, in their order for one value, and where those of each value begin.

    It counts instead of comparing, which is quicker than a sort. Values are from 0 to below `many`.
    """
    from scipy.sparse import csr_array  # loaded when it is first needed: it takes 22 MiB

    rows = len(values)
    by_value = csr_array(
        (np.arange(rows, dtype=np.int32), values, np.arange(rows + 1, dtype=np.int32)), shape=(rows, many)
    ).tocsc()
    return by_value.data, by_value.indptr.astype(np.int64)


@dataclass(frozen=True, eq=False)
class GraphSnapshot:
    """An immutable picture of a palace's graph at one revision of its change feed and one cycle of its clock.

    Example:
        >>> nodes = Nodes(["a", "b"], np.zeros(2, np.uint8), np.zeros(2), np.zeros(2))
        >>> zero, one = np.zeros(1, np.int32), np.ones(1, np.int32)
        >>> trails = [np.zeros(1)] * 4
        >>> edges = Edges(zero, one, np.zeros(1, np.uint8), *trails, np.full(1, 0.3), np.full(1, 0.3))
        >>> GraphSnapshot(revision=1, cycle=0, nodes=nodes, edges=edges).adjacency.neighbour.tolist()
        [1, 0]
    """

    revision: int
    cycle: int
    nodes: Nodes
    edges: Edges

    def with_trails(self, *, revision: int, cycle: int, nodes: Nodes, edges: Edges) -> GraphSnapshot:
        """Return the same graph with other pheromones, reusing the cached adjacency and index of ids.

        Args:
            nodes, edges: The same nodes and edges in the same order, with new pheromones and costs.
        """
        later = GraphSnapshot(revision=revision, cycle=cycle, nodes=nodes, edges=edges)
        for name in ("adjacency", "ways", "index_of"):
            if name in self.__dict__:
                later.__dict__[name] = self.__dict__[name]
        return later

    @cached_property
    def adjacency(self) -> Adjacency:
        """The adjacency over which agents walk and activation spreads: all edges except CONTAINS.

        CONTAINS connects the palace node to all wings. An agent there could reach any wing with one more step.
        """
        return Adjacency.of(len(self.nodes), self.edges, without=CONTAINS)

    @cached_property
    def ways(self) -> Adjacency:
        """The adjacency with all edges, in which any place can be reached from any other through the palace node."""
        if not (self.edges.relation == CONTAINS).any():
            return self.adjacency
        return Adjacency.of(len(self.nodes), self.edges)

    @cached_property
    def index_of(self) -> dict[str, int]:
        """The index of each node, by id."""
        return {node: at for at, node in enumerate(self.nodes.ids)}


class NodeRef(NamedTuple):
    """Identifies a node by kind and id."""

    kind: str
    id: str


class EdgeRef(NamedTuple):
    """Identifies an edge by type and end nodes, in the direction in which the database stores it."""

    type: str
    source: str
    target: str


class Trail(NamedTuple):
    """A path through a palace: its edges in walking order, and all of its nodes."""

    edges: Sequence[EdgeRef]
    nodes: Sequence[NodeRef]


def node_refs(snapshot: GraphSnapshot, nodes: Iterable[int]) -> list[NodeRef]:
    """Convert node indices of a snapshot to references."""
    return [NodeRef(KINDS[snapshot.nodes.kind[node]], snapshot.nodes.ids[node]) for node in nodes]


def edge_refs(snapshot: GraphSnapshot, edges: Iterable[int]) -> list[EdgeRef]:
    """Convert edge indices of a snapshot to references."""
    ids, rows = snapshot.nodes.ids, snapshot.edges
    return [EdgeRef(RELATIONS[rows.relation[edge]], ids[rows.source[edge]], ids[rows.target[edge]]) for edge in edges]
