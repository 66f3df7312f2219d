"""The cheapest path through a palace, and the cost of each of its steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from graphpalace.domain.named_node import NamedNode


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
