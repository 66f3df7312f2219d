"""A way through the palace."""

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
    """Nodes in the order they are walked through, and the edge and cost of each step between them.

    Attributes:
        nodes: One more than there are steps.
        edges: The edge of each step.
        costs: The cost of each step, >= 0.
    """

    nodes: Int64[np.ndarray, " steps_and_one"]
    edges: Int64[np.ndarray, " steps"]
    costs: Float64[np.ndarray, " steps"]

    @property
    def steps(self) -> int:
        """How many steps it has."""
        return len(self.edges)

    @property
    def total(self) -> float:
        """The cost of the whole path: the sum of its steps in their order."""
        return float(sum(self.costs.tolist()))

    @classmethod
    def along(cls, nodes: Sequence[int], edges: Sequence[int], cost: StepCosts) -> Path:
        """Return the path of some nodes and edges; where it comes to a node twice, the loop is left out."""
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
    """Follow the arcs that nodes were reached by back to where there is none.

    Args:
        arc: For each node the arc that led into it, -1 where the way began.
    Returns:
        The nodes from `node` to the beginning, and the edges between them.
    """
    nodes, edges = [node], list[int]()
    while (by := int(arc[nodes[-1]])) >= 0:
        edges.append(int(adjacency.edge[by]))
        nodes.append(tail_of(adjacency, by))
    return nodes, edges
