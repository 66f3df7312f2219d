"""The cheapest path through a palace, the nodes on it, and the cost of each of its steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from graphpalace.domain.field import NAMED, Field

Context = Literal["default", "hypothesis_testing", "exploratory_research", "evidence_gathering", "memory_recall"]
Place = Annotated[str, Field(min_length=1, max_length=500), NAMED]


@dataclass(frozen=True, slots=True)
class NavigateRequest:
    """A request for the cheapest path between two places."""

    start: Annotated[Place, Field(description="where to start: a wing, WING/ROOM, or the id of any node")]
    goal: Annotated[Place, Field(description="where to go, likewise")]
    context: Annotated[Context, Field(description="how meaning, pheromones and structure are weighed")] = "default"


@dataclass(frozen=True, slots=True)
class NamedNode:
    """One node of a way."""

    kind: Annotated[str, Field(examples=["Room"])]
    id: str
    name: Annotated[str, Field(examples=["decorators"])]


@dataclass(frozen=True, slots=True)
class RouteStep:
    """One step of a route; `cost` is the sum of `semantic`, `pheromone` and `structural`."""

    type: Annotated[str, Field(examples=["HAS_ROOM"])]
    forward: Annotated[bool, Field(description="whether the edge is walked in its stored direction")]
    to: NamedNode
    cost: float
    semantic: Annotated[float, Field(description="part for walking to a node far from the goal in meaning")]
    pheromone: Annotated[float, Field(description="part for walking without a trail")]
    structural: Annotated[float, Field(description="part for the edge's own cost")]
    base_cost: Annotated[float, Field(description="cost stored with the edge, without pheromones")]
    current_cost: Annotated[float, Field(description="cost stored with the edge, as it is now")]
    success: float
    traversal: float
    recency: float


@dataclass(frozen=True, slots=True)
class Route:
    """The cheapest path."""

    start: NamedNode
    legs: Sequence[RouteStep]
    cost: float
    context: str
