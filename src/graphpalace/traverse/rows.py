"""Lookups in a CSR adjacency: the arcs of many nodes at once, and the node of an arc."""

from __future__ import annotations

import numpy as np
from jaxtyping import Int, Int64

from graphpalace.domain.graph.graph_snapshot import Adjacency


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
