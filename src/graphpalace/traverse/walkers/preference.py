"""What draws an agent over an arc: the negative expected free energy of the step, less what the step costs.

Seed 003 gives a node the expected free energy -(1 / precision + max(0, closeness) + .5 exploitation - .3 exploration).
No node of a palace has a precision of its own, and what is the same for all neighbours does not change a softmax, so
that term is left out. An agent on node u prefers the arc of edge e to node v by

    max(0, closeness[v]) + .5 min(1, exploitation[v]) - .3 min(1, exploration[v] + mark x visits[v]) - current_cost[e]

where visits are those of the colony itself, and mark is what each leaves (seed 003's exploration mark, .3): agents
are drawn to where earlier searches were rewarded, over edges with trails, and spread out among themselves.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Float32, Float64, Int

from graphpalace.domain.graph.graph_snapshot import GraphSnapshot, Nodes
from graphpalace.errors import InvalidInput

EXPLOITATION_WEIGHT = 0.5
EXPLORATION_WEIGHT = 0.3
EXPLORATION_MARK = 0.3


class Appeal:
    """What each node offers to an agent, which falls as the colony visits it.

    This is the one thing of a walk that changes in place: copying all nodes at each step would take longer than the
    step.

    Args:
        closeness: Cosine of each node to the goal, taken as -1 to 1; 0 where a node has no vector.
        mark: Exploration that a visit leaves, >= 0.

    Attributes:
        now: The preference above without the cost of the edge, -0.3 to 1.5.

    Raises:
        InvalidInput: If there is not one closeness a node.
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
        self.now: Float32[np.ndarray, " nodes"] = pull
        self.now -= EXPLORATION_WEIGHT * np.minimum(nodes.exploration, 1.0)
        self._mark = np.float32(EXPLORATION_WEIGHT * mark)

    def visit(self, nodes: Int[np.ndarray, " agents"]) -> None:
        """Leave a mark on the nodes that agents have come to, one for each agent."""
        if self._mark > 0:
            np.subtract.at(self.now, nodes, self._mark)
            self.now[nodes] = np.maximum(self.now.take(nodes), self._least.take(nodes))


def arc_preference(snapshot: GraphSnapshot, closeness: Float[np.ndarray, " nodes"]) -> Float64[np.ndarray, " arcs"]:
    """Return how much an agent prefers each arc of a snapshot before the colony has left any mark.

    Args:
        closeness: Cosine of each node to the goal, taken as -1 to 1; 0 where a node has no vector.

    Raises:
        InvalidInput: If there is not one closeness a node.
    """
    appeal = Appeal(snapshot.nodes, closeness).now.astype(np.float64)
    return appeal[snapshot.adjacency.neighbour] - snapshot.edges.current_cost[snapshot.adjacency.edge]
