"""What it costs to walk an edge towards a goal (seed 003's A* cost, with the trails that are really there)."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Float64

from graphpalace.domain.graph.graph_snapshot import Edges, GraphSnapshot
from graphpalace.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class PathWeights:
    """How much the three parts of a step's cost weigh, each >= 0.

    Attributes:
        semantic: Of walking to a node that is far from the goal in meaning.
        pheromone: Of walking an edge without a trail.
        structural: Of the edge's own cost.

    Raises:
        InvalidInput: If a weight is negative or not a number: a cheapest path needs costs that are not negative.
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
    """The cost of every step, in the two parts it depends on: an arc of edge e into node v costs `node[v] + edge[e]`.

    Kept apart, because each part is far shorter than the list of arcs, and a walk against an arc's direction can be
    priced without looking for the arc that leads back.

    Attributes:
        node: Of walking into a node, >= 0.
        edge: Of walking an edge, whichever way, >= 0.
    """

    node: Float64[np.ndarray, " nodes"]
    edge: Float64[np.ndarray, " edges"]

    def per_arc(self, snapshot: GraphSnapshot) -> Float64[np.ndarray, " arcs"]:
        """Return the cost of each arc of the snapshot's ways."""
        return self.node[snapshot.ways.neighbour] + self.edge[snapshot.ways.edge]


class StepParts(NamedTuple):
    """What one step costs, in parts; `sum` of them is the step's cost to the last bit."""

    pheromone: float
    structural: float
    semantic: float


def step_costs(snapshot: GraphSnapshot, closeness: Float[np.ndarray, " nodes"], weights: PathWeights) -> StepCosts:
    """Return what each step costs on the way to a goal.

    Walking edge e into node v costs semantic x (1 - closeness[v]) + pheromone x (1 - factor[e]) + structural x
    current_cost[e], which is never negative.

    Args:
        closeness: Cosine of each node to the goal, taken as -1 to 1; 0 where a node has no vector.

    Raises:
        InvalidInput: If there is not one closeness a node.

    Source: seed 003, "A* cost"; `current_cost` in place of a constant for each relation, so that trails count.
    """
    if closeness.shape != (len(snapshot.nodes),):
        raise InvalidInput(
            f"closeness has shape {closeness.shape}; it must have one value for each of {len(snapshot.nodes)} nodes",
            field="closeness",
        )
    return StepCosts(node_part(closeness, weights), edge_part(snapshot.edges, weights))


def node_part(closeness: Float[np.ndarray, " nodes"], weights: PathWeights) -> Float64[np.ndarray, " nodes"]:
    """Return what walking into each node costs, 0 to 2 x semantic."""
    return weights.semantic * (1.0 - np.clip(closeness.astype(np.float64), -1.0, 1.0))


def edge_part(edges: Edges, weights: PathWeights) -> Float64[np.ndarray, " edges"]:
    """Return what walking each edge costs, whatever the goal; one array serves all goals of a snapshot."""
    return weights.pheromone * (1.0 - edges.factor) + weights.structural * edges.current_cost


def explain_step(
    snapshot: GraphSnapshot, closeness: Float[np.ndarray, " nodes"], weights: PathWeights, *, edge: int, into: int
) -> StepParts:
    """Return the three parts of what it costs to walk an edge into a node.

    Args:
        edge, into: Indices of the edge and of the node that it is walked into.
    """
    edges = snapshot.edges
    return StepParts(
        weights.pheromone * (1.0 - float(edges.factor[edge])),
        weights.structural * float(edges.current_cost[edge]),
        float(node_part(closeness[into : into + 1], weights)[0]),
    )
