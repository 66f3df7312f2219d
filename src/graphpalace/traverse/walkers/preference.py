"""The preference of an agent for an arc: the negative expected free energy of the next node, minus the edge's cost.

An agent prefers the arc of edge e to node v by

    max(0, closeness[v]) + 0.5 min(1, exploitation[v]) - 0.3 min(1, exploration[v] + mark x visits[v]) - current_cost[e]

where `visits` counts the visits of this colony so far, and `mark` is the exploration pheromone that each leaves (0.3 in
seed 003). So agents are drawn to nodes that answered earlier searches, along edges with pheromones, and away from each
other.

Seed 003 gives a node the expected free energy -(1 / precision + max(0, closeness) + 0.5 exploitation - 0.3
exploration). The term 1 / precision is left out: nodes of a palace have no precision of their own, and a term that is
the same for all neighbours does not change a softmax.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Float32, Float64, Int

from graphpalace.domain.graph.graph_snapshot import GraphSnapshot, Nodes
from graphpalace.errors import InvalidInput

EXPLOITATION_WEIGHT = 0.5
EXPLORATION_WEIGHT = 0.3
EXPLORATION_MARK = 0.3


class NodeAppeal:
    """The appeal of each node to agents: the preference above without the edge's cost. It falls with each visit.

    Unlike the other parts of a walk, it changes in place: copying it at each step would take longer than the step.

    Args:
        closeness: Cosine of each node to the goal, clipped to -1 to 1; 0 for nodes without a vector.
        mark: Exploration pheromone that a visit leaves, >= 0.

    Attributes:
        values: Current appeal of each node, -0.3 to 1.5.

    Raises:
        InvalidInput: If `closeness` does not have one value for each node.
    """

    def __init__(self, nodes: Nodes, closeness: Float[np.ndarray, " nodes"], *, mark: float = EXPLORATION_MARK) -> None:
        if closeness.shape != (len(nodes),):
            raise InvalidInput(
                f"closeness has shape {closeness.shape}; it must have one value for each of {len(nodes)} nodes",
                field="closeness",
            )
        pull = closeness.astype(np.float32)
        np.clip(pull, 0.0, 1.0, out=pull)
        pull += EXPLOITATION_WEIGHT * np.minimum(nodes.exploitation, 1.0)
        self._least: Float32[np.ndarray, " nodes"] = pull - np.float32(EXPLORATION_WEIGHT)
        self.values: Float32[np.ndarray, " nodes"] = pull
        self.values -= EXPLORATION_WEIGHT * np.minimum(nodes.exploration, 1.0)
        self._mark = np.float32(EXPLORATION_WEIGHT * mark)

    def visit(self, nodes: Int[np.ndarray, " agents"]) -> None:
        """Mark the nodes that agents have reached, once for each agent."""
        if self._mark > 0:
            np.subtract.at(self.values, nodes, self._mark)
            self.values[nodes] = np.maximum(self.values.take(nodes), self._least.take(nodes))


def arc_preference(snapshot: GraphSnapshot, closeness: Float[np.ndarray, " nodes"]) -> Float64[np.ndarray, " arcs"]:
    """Return the preference for each arc of a snapshot before the colony has left any marks.

    Args:
        closeness: Cosine of each node to the goal, clipped to -1 to 1; 0 for nodes without a vector.

    Raises:
        InvalidInput: If `closeness` does not have one value for each node.
    """
    appeal = NodeAppeal(snapshot.nodes, closeness).values.astype(np.float64)
    return appeal[snapshot.adjacency.neighbour] - snapshot.edges.current_cost[snapshot.adjacency.edge]
