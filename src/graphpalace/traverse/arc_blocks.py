"""A cache-friendly layout of the graph: arcs in blocks of sixteen, so that one read shows an agent most choices."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from jaxtyping import Bool, Float32, Int, Int32, Int64, UInt

from graphpalace.domain.graph.graph_snapshot import Adjacency, GraphSnapshot

WIDTH = 16  # enough for the arcs of most drawers; sixteen neighbours and sixteen costs fill two cache lines
SHIFT = 4
_CACHE_LINE = 64  # bytes
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
