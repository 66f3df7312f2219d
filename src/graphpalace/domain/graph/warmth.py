"""Where a palace is warm and where it is cold, as it is shown to people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

ColdKind = Literal["room", "closet", "drawer"]
HotKind = Literal["node", "edge"]


@dataclass(frozen=True, slots=True)
class Pheromone:
    """One of the five, over the whole palace.

    Attributes:
        on: What carries it: node or edge.
        decay_rate: The share lost in one cycle.
        half_life_cycles: None if it never fades.
        carriers: How many have some of it.
        sum, mean, maximum: Over the carriers; 0 if there are none.
    """

    name: str
    on: HotKind
    decay_rate: float
    half_life_cycles: float | None
    carriers: int
    sum: float
    mean: float
    maximum: float


@dataclass(frozen=True, slots=True)
class Warmth:
    """One kind of node or type of edge.

    Attributes:
        warm: How many have some pheromone left.
        faded: How many had, and wait for the decay service to be cleared away.
        sums: Of each pheromone that it can carry.
    """

    kind: str
    on: HotKind
    warm: int
    faded: int
    sums: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class CarriedAmount:
    """How much of one pheromone lies on some nodes or edges.

    Attributes:
        carriers: How many have some of it.
        sum, maximum: Over the carriers; 0 if there are none.
    """

    carriers: int
    sum: float
    maximum: float


@dataclass(frozen=True, slots=True)
class KindWarmth:
    """What lies on the nodes of one kind or the edges of one type.

    Attributes:
        warm: How many have some pheromone left.
        faded: How many had, and wait for the decay service to be cleared away.
        amounts: Of each pheromone that it can carry.
    """

    kind: str
    warm: int
    faded: int
    amounts: Mapping[str, CarriedAmount]


@dataclass(frozen=True, slots=True)
class PheromoneStatus:
    """The clock of a palace, its five pheromones, and what is warm."""

    palace: str
    cycle: int
    cycle_seconds: float
    next_cycle_at: str
    pheromones: list[Pheromone]
    warmth: list[Warmth]


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A node by what people call it.

    Attributes:
        place: The way to it by names: wing, room, closet's title, drawer's first words.
    """

    kind: str
    id: str
    name: str
    place: list[str]


@dataclass(frozen=True, slots=True)
class HotEdge:
    """An edge with its trail.

    Attributes:
        factor: How strong the trail is as a whole, 0 to 1.
        discount: The share of its cost that this saves.
    """

    type: str
    source: NamedPlace
    target: NamedPlace
    success: float
    traversal: float
    recency: float
    factor: float
    base_cost: float
    current_cost: float
    discount: float


@dataclass(frozen=True, slots=True)
class HotNode:
    """A node with its pheromones."""

    node: NamedPlace
    exploitation: float
    exploration: float


@dataclass(frozen=True, slots=True)
class ColdPlace:
    """A place with the pheromones of itself and of all that is in it."""

    node: NamedPlace
    created_at: str
    exploitation: float
    exploration: float


@dataclass(frozen=True, slots=True)
class HotSpots:
    """The strongest edges and nodes, the strongest first."""

    palace: str
    cycle: int
    edges: list[HotEdge]
    nodes: list[HotNode]


@dataclass(frozen=True, slots=True)
class ColdSpots:
    """The places that are visited least, the oldest of them first."""

    palace: str
    cycle: int
    kind: ColdKind
    places: list[ColdPlace]
