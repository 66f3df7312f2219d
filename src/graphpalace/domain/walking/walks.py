"""What walks through a palace are told, and what they answer: the cheapest path, and an exploration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Literal, TypeVar

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


_T = TypeVar("_T")

Archetype = Literal["explorer", "exploiter", "balanced", "specialist", "generalist"]
Schedule = Literal["constant", "linear", "exponential", "cosine"]

# At temperature T a neighbour that is better by T is e times as likely (seed 003).
TEMPERATURES = MappingProxyType(
    {"explorer": 1.0, "exploiter": 0.1, "balanced": 0.5, "specialist": 0.3, "generalist": 0.7}
)
EQUAL_SHARES = MappingProxyType(dict.fromkeys(TEMPERATURES, 1.0))
COLDEST, HOTTEST = 0.001, 100.0
LARGEST_SHARE = 1000.0
LEAST_FLOOR = 0.001
SCHEDULE: Schedule = "exponential"
FLOOR = 0.1
MOST_AGENTS, MOST_STEPS = 10_000, 1_000


@dataclass(frozen=True, slots=True)
class FoundDrawer:
    """A drawer that agents visited."""

    id: str
    text: Annotated[str, Field(description="its first words")]
    score: Annotated[float, Field(description="share of the visits to drawers, weighted by closeness to the query")]
    visits: int
    path: Annotated[Sequence[str], Field(description="ids of the nodes by which it was first reached")]


@dataclass(frozen=True, slots=True)
class UnvisitedRoom:
    """A room of whose drawers few were visited.

    Attributes:
        drawers: Number of drawers in the room.
        visited: Share of these drawers that was visited, 0 to 1.
        exploration: Exploration pheromone of the room before this exploration, >= 0.
    """

    id: str
    name: str
    drawers: int
    visited: Annotated[float, Field(description="share of its drawers that was visited, 0 to 1")]
    exploration: Annotated[float, Field(description="its exploration pheromone before this walk")]


@dataclass(frozen=True, slots=True)
class Exploration:
    """The report of an exploration."""

    agents: int
    steps: Annotated[int, Field(description="of each agent; fewer than requested if the colony converged before")]
    seed: Annotated[int, Field(description="gives the same walk again as long as the palace does not change")]
    nodes: Annotated[int, Field(description="visited")]
    drawers: Annotated[int, Field(description="visited")]
    coverage: Annotated[float, Field(description="share of all nodes that was visited")]
    drawer_coverage: Annotated[float, Field(description="share of all drawers that was visited")]
    frontier: Annotated[int, Field(description="unvisited nodes with a visited neighbour")]
    converged_at: Annotated[
        int | None, Field(description="first step at which the colony had converged; null if it never did")
    ]
    found: Annotated[Sequence[FoundDrawer], Field(description="the best drawers for the query; empty without a query")]
    corners: Annotated[Sequence[UnvisitedRoom], Field(description="rooms with the smallest share of visited drawers")]
    marked: Annotated[int, Field(description="nodes that got an exploration mark")]


@dataclass(frozen=True, slots=True)
class ColonyRules:
    """The rules of one exploration. None leaves a rule to the defaults. `Explore` refuses what is out of range."""

    agents: Annotated[
        int | None,
        Field(ge=1, le=MOST_AGENTS, description="how many walk; default: the setting, else as many as fit the palace"),
    ] = None
    steps: Annotated[int | None, Field(ge=1, le=MOST_STEPS, description="of each agent; default: as for agents")] = None
    mix: Annotated[
        Mapping[Archetype, Annotated[float, Field(ge=0, le=LARGEST_SHARE)]] | None,
        Field(description="share of each archetype that walks, on any scale; default: the setting"),
    ] = None
    temperatures: Annotated[
        Mapping[Archetype, Annotated[float, Field(ge=COLDEST, le=HOTTEST)]] | None,
        Field(description="of archetypes, low takes the best edge, high any; one that is not named keeps the setting"),
    ] = None
    schedule: Annotated[
        Schedule | None, Field(description="how the agents cool while walking; default: the setting")
    ] = None
    floor: Annotated[
        float | None,
        Field(
            ge=LEAST_FLOOR, le=1, description="share of its temperature at an agent's last step; default: the setting"
        ),
    ] = None

    def over(self, others: ColonyRules) -> ColonyRules:
        """Return these rules, with the values of `others` where these are None."""

        def first(one: _T | None, other: _T | None) -> _T | None:
            return other if one is None else one

        return ColonyRules(
            agents=first(self.agents, others.agents),
            steps=first(self.steps, others.steps),
            mix=first(self.mix, others.mix),
            temperatures={**(others.temperatures or {}), **(self.temperatures or {})},
            schedule=first(self.schedule, others.schedule),
            floor=first(self.floor, others.floor),
        )


@dataclass(frozen=True, slots=True)
class ExploreRequest(ColonyRules):
    """Who walks, and from where."""

    query: Annotated[
        str | None,
        Field(max_length=20_000, description="start at the best drawers for it; without it, at the wings"),
    ] = None
    wing: Annotated[str | None, Field(max_length=200, description="begin in this wing only"), NAMED] = None
    seed: Annotated[int | None, Field(ge=0, lt=2**63, description="gives the same walk again; default: a new one")] = (
        None
    )
    mark: Annotated[
        bool, Field(description="mark what was searched, so that the next walk looks elsewhere for a while")
    ] = True
    until_converged: Annotated[bool, Field(description="stop when little new is found")] = False
