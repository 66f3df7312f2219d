"""A palace as arrays, as it was at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

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

DRAWER, PALACE = KINDS.index("Drawer"), KINDS.index("Palace")
CONTAINS = RELATIONS.index("CONTAINS")


@dataclass(frozen=True, eq=False)
class Nodes:
    """The nodes of a palace, ordered by id, so that the order of indices is the order of ids.

    Attributes:
        ids: Stable ids, ascending.
        kind: Position in `KINDS`.
        exploitation, exploration: Pheromones as they are at the snapshot's cycle, >= 0.
    """

    ids: list[str]
    kind: UInt8[np.ndarray, " nodes"]
    exploitation: Float64[np.ndarray, " nodes"]
    exploration: Float64[np.ndarray, " nodes"]

    def __len__(self) -> int:
        return len(self.kind)


@dataclass(frozen=True, eq=False)
class Edges:
    """The edges of a palace, each once, in the direction it is stored in.

    Attributes:
        source, target: Indices of the nodes.
        relation: Position in `RELATIONS`.
        success, traversal, recency: Pheromones as they are at the snapshot's cycle, >= 0.
        factor: How strong the three together are, 0 to 1 (seed 003, "Edge Cost Recomputation").
        base_cost: Cost without any pheromone.
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
    """Both directions of every edge, by node (CSR): the arcs out of node n are `start[n]` to `start[n + 1]`.

    Attributes:
        start: Where each node's arcs begin; one more than there are nodes.
        neighbour: The node each arc leads to; ascending for each node.
        edge: The edge each arc belongs to: an edge has one trail whichever way it is walked.
    """

    start: Int64[np.ndarray, " nodes_and_one"]
    neighbour: Int32[np.ndarray, " arcs"]
    edge: Int32[np.ndarray, " arcs"]

    @classmethod
    def of(cls, nodes: int, edges: Edges, *, without: int | None = None) -> Adjacency:
        """Return the adjacency of some edges, but those of one relation; an edge from a node to itself is one arc."""
        kept = np.ones(len(edges), bool) if without is None else edges.relation != without
        there, back = np.flatnonzero(kept), np.flatnonzero(kept & (edges.source != edges.target))
        tail = np.concatenate([edges.source[there], edges.target[back]])
        head = np.concatenate([edges.target[there], edges.source[back]])
        edge = np.concatenate([there, back]).astype(np.int32)
        order = np.argsort(tail.astype(np.int64) * nodes + head, kind="stable")
        start = np.zeros(nodes + 1, np.int64)
        np.cumsum(np.bincount(tail, minlength=nodes), out=start[1:])
        return cls(start, head[order], edge[order])


@dataclass(frozen=True, eq=False)
class GraphSnapshot:
    """A palace at one revision of its change feed and one cycle of its clock; it never changes.

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
        """Return the same graph with other pheromones; what follows from its shape alone is not made anew."""
        later = GraphSnapshot(revision=revision, cycle=cycle, nodes=nodes, edges=edges)
        for name in ("adjacency", "ways", "index_of"):
            if name in self.__dict__:
                later.__dict__[name] = self.__dict__[name]
        return later

    @cached_property
    def adjacency(self) -> Adjacency:
        """Both directions of every edge that agents walk and scores spread over, by node: all but CONTAINS.

        The palace is beside all of its wings, so an agent that came there would be anywhere after two steps.
        """
        return Adjacency.of(len(self.nodes), self.edges, without=CONTAINS)

    @cached_property
    def ways(self) -> Adjacency:
        """Both directions of every edge, by node: over the palace itself, each place can be reached from each other."""
        if not (self.edges.relation == CONTAINS).any():
            return self.adjacency
        return Adjacency.of(len(self.nodes), self.edges)

    @cached_property
    def index_of(self) -> dict[str, int]:
        """The index of each node, by id."""
        return {node: at for at, node in enumerate(self.nodes.ids)}
