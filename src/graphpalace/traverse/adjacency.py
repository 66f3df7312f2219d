"""Lookups in a graph's adjacency, the neighbourhood of some nodes, and the blocks of arcs that walking agents read."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from weakref import WeakKeyDictionary

import numpy as np
from jaxtyping import Bool, Float32, Int, Int32, Int64, UInt

from graphpalace.domain.walking.graph_snapshot import ENTITY, RELATES_TO, Adjacency, GraphSnapshot

WIDTH = 16  # enough for the arcs of most drawers; sixteen neighbours and sixteen costs fill two cache lines
SHIFT = 4
_CACHE_LINE = 64  # bytes


def arcs_of(
    adjacency: Adjacency, nodes: Int[np.ndarray, " nodes"]
) -> tuple[Int64[np.ndarray, " arcs"], Int64[np.ndarray, " nodes"]]:
    """Return the indices of all arcs out of some nodes, node after node, and the number of arcs of each node.

    Example:
        >>> star = Adjacency(np.array([0, 2, 3, 4]), np.array([1, 2, 0, 0], np.int32), np.array([0, 1, 0, 1], np.int32))
        >>> [part.tolist() for part in arcs_of(star, np.array([2, 0]))]
        [[3, 0, 1], [1, 2]]
    """
    first = adjacency.start[nodes]
    count = adjacency.start[nodes + 1] - first
    end = np.cumsum(count)
    arcs = np.repeat(first - (end - count), count)
    arcs += np.arange(len(arcs))
    return arcs, count


def tail_of(adjacency: Adjacency, arc: int) -> int:
    """Return the node that an arc leads out of."""
    return int(np.searchsorted(adjacency.start, arc, side="right")) - 1


def surroundings(
    snapshot: GraphSnapshot,
    centres: Int[np.ndarray, " centres"],
    *,
    hops: int = 2,
    widest: int = 256,
    widest_name: int = 64,
) -> tuple[GraphSnapshot, Int64[np.ndarray, " chosen"]]:
    """Extract the subgraph of all nodes within some hops of the centres.

    The search does not continue from hubs, so that one large room or one frequent name does not bring in the whole
    palace. A hub that is reached is part of the subgraph, but edges between two hubs are left out. A fact that is
    reached in the last step leads on to the neighbours of its other name: without them it would lead nowhere.

    Args:
        centres: Indices of the nodes to start from.
        hops: Largest distance from a centre in steps, >= 0.
        widest: A node with more edges than this is a hub.
        widest_name: A name with more edges than this is one: rare names lead on, frequent ones do not.

    Returns:
        The subgraph as a snapshot, its nodes in the same order, and the index of each of its nodes in `snapshot`.
    """
    adjacency = snapshot.adjacency
    leads_on = np.diff(adjacency.start) <= np.where(snapshot.nodes.kind == ENTITY, widest_name, widest)
    inside = np.zeros(len(snapshot.nodes), bool)
    edges: list[np.ndarray] = []
    arcs = np.empty(0, np.int64)
    latest = np.unique(centres)
    inside[latest] = True
    for _ in range(hops):
        arcs, _ = arcs_of(adjacency, latest[leads_on[latest]])
        edges.append(adjacency.edge[arcs])
        heads = np.unique(adjacency.neighbour[arcs])
        latest = heads[~inside[heads]]
        inside[latest] = True
    facts = arcs[snapshot.edges.relation[adjacency.edge[arcs]] == RELATES_TO]
    others = np.unique(adjacency.neighbour[facts])
    arcs, _ = arcs_of(adjacency, others[leads_on[others]])
    edges.append(adjacency.edge[arcs])
    latest = np.union1d(latest, adjacency.neighbour[arcs])
    inside[latest] = True
    # The search did not look at the edges among the outermost nodes.
    arcs, _ = arcs_of(adjacency, latest[leads_on[latest]])
    edges.append(adjacency.edge[arcs[inside[adjacency.neighbour[arcs]]]])
    chosen = np.flatnonzero(inside)
    kept = np.unique(np.concatenate(edges))
    place = np.cumsum(inside) - 1
    nodes = snapshot.nodes
    edge = {field.name: getattr(snapshot.edges, field.name)[kept] for field in fields(snapshot.edges)}
    edge |= {end: place[edge[end]].astype(np.int32) for end in ("source", "target")}
    node = {name: getattr(nodes, name)[chosen] for name in ("kind", "exploitation", "exploration")}
    part = replace(
        snapshot,
        nodes=replace(nodes, ids=[nodes.ids[at] for at in chosen], **node),
        edges=replace(snapshot.edges, **edge),
    )
    return part, chosen


_built: WeakKeyDictionary[GraphSnapshot, ArcBlocks] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class ArcBlocks:
    """The arcs of all nodes in blocks of sixteen.

    Block n contains the first sixteen arcs of node n. Nodes with more arcs have further blocks at the end. The slot of
    an arc is block x 16 + position in the block. A node without arcs gets an artificial arc to itself at no cost, so an
    agent there stays.

    Attributes:
        table: For each block, the sixteen nodes that its arcs lead to, then the current costs of the sixteen edges as
            bits of 32-bit floats. An unused slot has an infinite cost.
        more: Number of further blocks of each node.
        beyond: Index of the first further block of each node.
        dead_end: Whether all arcs of a node lead to the same node.
    """

    table: Int32[np.ndarray, "blocks two_width"]
    more: UInt[np.ndarray, " nodes"]
    beyond: Int64[np.ndarray, " nodes"]
    dead_end: Bool[np.ndarray, " nodes"]

    @classmethod
    def of(cls, snapshot: GraphSnapshot) -> ArcBlocks:
        """Return the blocks of a snapshot. They are built at the first call and cached."""
        if (blocks := _built.get(snapshot)) is None:
            blocks = _built[snapshot] = cls._build(snapshot)
        return blocks

    @classmethod
    def _build(cls, snapshot: GraphSnapshot) -> ArcBlocks:
        adjacency, nodes = snapshot.adjacency, np.arange(len(snapshot.nodes))
        degree = np.diff(adjacency.start)
        more = np.maximum(-(-degree // WIDTH) - 1, 0)
        beyond = len(nodes) + np.cumsum(more) - more
        place = np.arange(len(adjacency.edge)) - np.repeat(adjacency.start[:-1], degree)
        block = np.repeat(nodes, degree)
        further = place >= WIDTH
        block[further] = beyond[block[further]] + (place[further] >> SHIFT) - 1
        table = _aligned(len(nodes) + int(more.sum()))
        table[:, :WIDTH], _costs_of(table)[:] = 0, np.inf
        table[block, place & (WIDTH - 1)] = adjacency.neighbour
        _costs_of(table)[block, place & (WIDTH - 1)] = snapshot.edges.current_cost[adjacency.edge]
        alone = np.flatnonzero(degree == 0)
        table[alone, 0], _costs_of(table)[alone, 0] = alone, 0.0
        dead_end = degree == 0
        some = np.flatnonzero(degree)  # neighbours are sorted: all are the same if the first and the last are
        dead_end[some] = (
            adjacency.neighbour[adjacency.start[some]] == adjacency.neighbour[adjacency.start[some + 1] - 1]
        )
        return cls(table, more.astype(np.min_scalar_type(int(more.max(initial=0)))), beyond, dead_end)

    def arc_of(
        self, adjacency: Adjacency, tail: Int[np.ndarray, " steps"], slot: Int[np.ndarray, " steps"]
    ) -> Int64[np.ndarray, " steps"]:
        """Convert slots to indices of arcs in the adjacency.

        Args:
            tail: The node that each arc leads out of.
            slot: The slot of each arc.
        """
        block = slot >> SHIFT
        number = np.where(block == tail, 0, block - self.beyond[tail] + 1)
        return adjacency.start[tail] + number * WIDTH + (slot & (WIDTH - 1))


def _costs_of(rows: Int32[np.ndarray, "blocks two_width"]) -> Float32[np.ndarray, "blocks width"]:
    """Return a view of the costs in rows of the table."""
    return rows.view(np.float32)[:, WIDTH:]


def _aligned(blocks: int) -> Int32[np.ndarray, "blocks two_width"]:
    """Allocate a table whose rows start at cache lines, so that reading a row touches no more lines than necessary."""
    size = blocks * 2 * WIDTH
    room = np.empty(size + _CACHE_LINE // 4, np.int32)
    first = -room.ctypes.data % _CACHE_LINE // 4
    return room[first : first + size].reshape(blocks, 2 * WIDTH)
