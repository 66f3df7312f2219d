"""A path through a palace, and the cost of each step towards a goal (the A* cost of seed 003)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Float64, Int64

from graphpalace.domain.walking.graph_snapshot import Adjacency, Edges, GraphSnapshot
from graphpalace.errors import InvalidInput
from graphpalace.traverse.adjacency import tail_of


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


@dataclass(frozen=True, slots=True)
class PathWeights:
    """Weights of the three parts of a step's cost, each >= 0.

    Attributes:
        semantic: Weight of the semantic distance between the next node and the goal.
        pheromone: Weight of the lack of pheromone on the edge.
        structural: Weight of the current cost of the edge.

    Raises:
        InvalidInput: If a weight is negative, infinite or not a number. Cheapest paths need finite costs >= 0.
    """

    semantic: float = 0.4
    pheromone: float = 0.3
    structural: float = 0.3

    def __post_init__(self) -> None:
        if not all(0 <= weight < np.inf for weight in astuple(self)):
            raise InvalidInput(f"weights are {astuple(self)}; each must be >= 0", field="weights", value=astuple(self))


# Source: seed 003, "A* cost" and its presets.
PRESETS = MappingProxyType(
    {
        "default": PathWeights(),
        "hypothesis_testing": PathWeights(0.3, 0.4, 0.3),
        "exploratory_research": PathWeights(0.5, 0.2, 0.3),
        "evidence_gathering": PathWeights(0.35, 0.35, 0.3),
        "memory_recall": PathWeights(0.5, 0.3, 0.2),
    }
)


@dataclass(frozen=True, eq=False)
class StepCosts:
    """The cost of every step, in two parts: walking edge e into node v costs `node[v] + edge[e]`.

    Two arrays are much shorter than one with a cost for each arc. They also give the cost of walking against an arc
    without a search for the opposite arc.

    Attributes:
        node: Cost of walking into each node, >= 0.
        edge: Cost of walking each edge, the same in both directions, >= 0.
    """

    node: Float64[np.ndarray, " nodes"]
    edge: Float64[np.ndarray, " edges"]

    def per_arc(self, snapshot: GraphSnapshot) -> Float64[np.ndarray, " arcs"]:
        """Return the cost of each arc of the adjacency `snapshot.ways`."""
        return self.node[snapshot.ways.neighbour] + self.edge[snapshot.ways.edge]


class StepParts(NamedTuple):
    """The three parts of the cost of one step. `sum` of them equals the cost exactly."""

    pheromone: float
    structural: float
    semantic: float


def step_costs(snapshot: GraphSnapshot, closeness: Float[np.ndarray, " nodes"], weights: PathWeights) -> StepCosts:
    """Return the cost of each step on the way to a goal.

        cost(e, v) = semantic x (1 - closeness[v]) + pheromone x (1 - factor[e]) + structural x current_cost[e]

    for walking edge e into node v. It is never negative.

    Args:
        closeness: Cosine of each node to the goal, clipped to -1 to 1; 0 for nodes without a vector.

    Raises:
        InvalidInput: If `closeness` does not have one value for each node.

    Source: seed 003, "A* cost". It uses `current_cost` instead of a constant for each relation, so that pheromones
        count.
    """
    if closeness.shape != (len(snapshot.nodes),):
        raise InvalidInput(
            f"closeness has shape {closeness.shape}; it must have one value for each of {len(snapshot.nodes)} nodes",
            field="closeness",
        )
    return StepCosts(node_part(closeness, weights), edge_part(snapshot.edges, weights))


def node_part(closeness: Float[np.ndarray, " nodes"], weights: PathWeights) -> Float64[np.ndarray, " nodes"]:
    """Return the cost of walking into each node, 0 to 2 x `weights.semantic`."""
    return weights.semantic * (1.0 - np.clip(closeness.astype(np.float64), -1.0, 1.0))


def edge_part(edges: Edges, weights: PathWeights) -> Float64[np.ndarray, " edges"]:
    """Return the cost of walking each edge. It does not depend on the goal, so searches can share it."""
    return weights.pheromone * (1.0 - edges.factor) + weights.structural * edges.current_cost


def explain_step(
    snapshot: GraphSnapshot, closeness: Float[np.ndarray, " nodes"], weights: PathWeights, *, edge: int, into: int
) -> StepParts:
    """Return the three parts of the cost of one step.

    Args:
        closeness: Cosine of each node to the goal.
        edge, into: Indices of the edge and of the node that the step leads to.
    """
    edges = snapshot.edges
    return StepParts(
        weights.pheromone * (1.0 - float(edges.factor[edge])),
        weights.structural * float(edges.current_cost[edge]),
        float(node_part(closeness[into : into + 1], weights)[0]),
    )
