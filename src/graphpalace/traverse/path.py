"""A path through a palace, with the cost of each step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64, Int64

from graphpalace.domain.graph.graph_snapshot import Adjacency
from graphpalace.traverse.rows import tail_of
from graphpalace.traverse.step_cost import StepCosts


@dataclass(frozen=True, eq=False)
class Path:
    """A path: its nodes in walking order, and the edge and cost of each step.

    Attributes:
        nodes: Indices of the nodes, one more than there are steps.
        edges: Index of the edge of each step.
        costs: Cost of each step, >= 0.
    """

    nodes: Int64[np.ndarray, " steps_and_one"]
    edges: Int64[np.ndarray, " steps"]
    costs: Float64[np.ndarray, " steps"]

    @property
    def steps(self) -> int:
        """The number of steps."""
        return len(self.edges)

    @property
    def total(self) -> float:
        """The cost of the whole path."""
        return float(sum(self.costs.tolist()))

    @classmethod
    def along(cls, nodes: Sequence[int], edges: Sequence[int], cost: StepCosts) -> Path:
        """Build a path from nodes and the edges between them, cutting out loops.

        Args:
            nodes: Indices of at least one node, in walking order.
            edges: Indices of the edges, one fewer than nodes.
            cost: Cost of each step.
        """
        kept_nodes, kept_edges = [nodes[0]], list[int]()
        at = {nodes[0]: 0}
        for node, edge in zip(nodes[1:], edges, strict=True):
            if node in at:
                for dropped in kept_nodes[at[node] + 1 :]:
                    del at[dropped]
                del kept_nodes[at[node] + 1 :], kept_edges[at[node] :]
            else:
                at[node] = len(kept_nodes)
                kept_nodes.append(node)
                kept_edges.append(edge)
        walked, by = np.array(kept_nodes, np.int64), np.array(kept_edges, np.int64)
        return cls(walked, by, cost.node[walked[1:]] + cost.edge[by])


def trace(adjacency: Adjacency, arc: Int64[np.ndarray, " nodes"], node: int) -> tuple[list[int], list[int]]:
    """Follow a path back from a node to its start.

    Args:
        arc: For each node, the arc by which it was reached; -1 where a path starts.
        node: The end of the path.

    Returns:
        The nodes from `node` back to the start, and the edges between them.
    """
    nodes, edges = [node], list[int]()
    while (by := int(arc[nodes[-1]])) >= 0:
        edges.append(int(adjacency.edge[by]))
        nodes.append(tail_of(adjacency, by))
    return nodes, edges
