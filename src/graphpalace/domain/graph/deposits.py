"""Deposits of pheromones: what a deposit adds, its effect, and the record that allows undoing it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graphpalace.domain.graph.trail import EdgeRef, NodeRef


class EdgeGain(NamedTuple):
    """What a deposit adds to an edge: success (below 0 takes it away) and traversal; recency is raised to the value."""

    success: float
    traversal: float = 0.0
    recency: float = 0.0


class NodeGain(NamedTuple):
    """What a deposit adds to a node: exploitation (below 0 takes it away) and exploration."""

    exploitation: float = 0.0
    exploration: float = 0.0


@dataclass(frozen=True, slots=True)
class Deposit:
    """Pheromones that are laid together.

    Attributes:
        id: A deposit with an id that was used before is not laid again.
        kind: What it is laid for: path_success, feedback or exploration.
        recorded: Whether to record it, because it, or a deposit below it, may be undone. Exploration is never recorded.
    """

    id: str
    kind: str
    edges: Mapping[EdgeRef, EdgeGain]
    nodes: Mapping[NodeRef, NodeGain]
    recorded: bool = True


@dataclass(frozen=True, slots=True)
class DepositReceipt:
    """The effect of a deposit.

    Attributes:
        fresh: Whether it was laid now. False if a deposit with the same id was laid before, so nothing changed.
        edges, nodes: Number of edges and nodes it was laid on; fewer than named if some no longer exist.
    """

    fresh: bool
    edges: int
    nodes: int


@dataclass(frozen=True, slots=True)
class DepositRecord:
    """What a deposit found and laid.

    Attributes:
        edges, nodes: Keys of what it was laid on, in the order of the values below.
        before: Of each pheromone, what was there, one value for each edge or node.
        laid: Of each pheromone, what was laid.
    """

    id: str
    cycle: int
    edges: Sequence[str]
    nodes: Sequence[str]
    before: Mapping[str, Sequence[float]]
    laid: Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Carrier:
    """An edge or a node with its pheromones.

    Attributes:
        key: What records call it.
        element: What the database calls it.
        pheromones: Strength by name.
    """

    key: str
    element: str
    pheromones: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class StandingDeposit:
    """A deposit that can be undone, with what has happened to it since.

    Attributes:
        cycle: The one that `edges` and `nodes` are of.
        later: Records since that share an edge or a node, the oldest first.
        edges, nodes: What it was laid on and is still there, as it is now.
    """

    cycle: int
    record: DepositRecord
    later: Sequence[DepositRecord]
    edges: Sequence[Carrier]
    nodes: Sequence[Carrier]


@dataclass(frozen=True, slots=True)
class UndoneDeposit:
    """What is to be written so that a deposit was never laid.

    Attributes:
        later: What each later deposit would have found, by its id and by pheromone.
    """

    cycle: int
    edges: Sequence[Carrier]
    nodes: Sequence[Carrier]
    later: Mapping[str, Mapping[str, Sequence[float]]]
