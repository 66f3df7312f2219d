"""Reports on pheromones: totals for a palace, its hot edges and nodes, and its cold places.

A node or edge is warm if it carries any pheromone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from graphpalace.domain.field import NAMED, Field

ColdKind = Literal["room", "closet", "drawer"]
HotKind = Literal["node", "edge"]
MOST_ROWS = 200

OnlyWing = Annotated[str | None, Field(description="only nodes in this wing, and edges with an end in it"), NAMED]
Limit = Annotated[int, Field(ge=1, le=MOST_ROWS, description="largest number of each")]


@dataclass(frozen=True, slots=True)
class StatusQuery:
    """All pheromones of a palace."""


@dataclass(frozen=True, slots=True)
class HotQuery:
    """Which warm nodes and edges to list."""

    kind: Annotated[HotKind | None, Field(description="list only these; default: both")] = None
    wing: OnlyWing = None
    limit: Limit = 10


@dataclass(frozen=True, slots=True)
class ColdQuery:
    """Which cold places to list."""

    kind: Annotated[ColdKind, Field(description="what kind of places")] = "room"
    wing: Annotated[OnlyWing, Field(description="only places in this wing")] = None
    limit: Annotated[Limit, Field(description="largest number of places")] = 10


@dataclass(frozen=True, slots=True)
class PalaceClock:
    """The current cycle of a palace.

    Attributes:
        next_cycle_at: When the next cycle starts, by the clock of the database.
    """

    cycle: int
    next_cycle_at: str


@dataclass(frozen=True, slots=True)
class Pheromone:
    """The state of one of the five pheromones in a whole palace.

    Attributes:
        on: Whether nodes or edges carry it.
        decay_rate: Share lost in one cycle, 0 to 1.
        half_life_cycles: Cycles until half of it is lost; None if it never decays.
        carriers: Number of nodes or edges that have some of it.
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
    """The pheromones on one kind of node or type of edge.

    Attributes:
        warm: Number of nodes or edges that have some pheromone left.
        faded: Number of those whose pheromones have all decayed since the decay service last ran.
        sums: Total of each pheromone that this kind can carry, by name.
    """

    kind: str
    on: HotKind
    warm: int
    faded: int
    sums: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class KindWarmth:
    """The warmth of one kind, with what the totals of the whole palace need in addition.

    Attributes:
        carriers: Number of nodes or edges that have some of each pheromone, by name.
        maxima: Largest amount of each pheromone on one node or edge, by name; 0 if there is none.
    """

    warmth: Warmth
    carriers: Mapping[str, int]
    maxima: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class PheromoneStatus:
    """The clock of a palace, the totals of its five pheromones, and how they are spread over nodes and edges."""

    palace: str
    cycle: int
    cycle_seconds: float
    next_cycle_at: str
    pheromones: list[Pheromone]
    warmth: list[Warmth]


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A node with its name and place, for people to read.

    Attributes:
        place: The path to it by names: wing, room, title of the closet, first words of the drawer.
    """

    kind: str
    id: str
    name: str
    place: list[str]


@dataclass(frozen=True, slots=True)
class HotEdge:
    """An edge with its pheromones and cost.

    Attributes:
        factor: Combined strength of the three pheromones, 0 to 1.
        base_cost, current_cost: Cost without and with pheromones.
        discount: Share of the base cost that the pheromones save.
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
    """A room, closet or drawer, with the total pheromones of itself and its contents."""

    node: NamedPlace
    created_at: str
    exploitation: float
    exploration: float


@dataclass(frozen=True, slots=True)
class HotSpots:
    """The edges and nodes with the strongest pheromones, strongest first."""

    palace: str
    cycle: int
    edges: list[HotEdge]
    nodes: list[HotNode]


@dataclass(frozen=True, slots=True)
class ColdSpots:
    """The places with the least pheromone, least first; of equal ones, the oldest first."""

    palace: str
    cycle: int
    kind: ColdKind
    places: list[ColdPlace]
