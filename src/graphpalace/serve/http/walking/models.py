"""Requests and responses of the routes that walk through the palace."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from graphpalace.domain.graph.colony_rules import (
    COLDEST,
    HOTTEST,
    LARGEST_SHARE,
    LEAST_FLOOR,
    MOST_AGENTS,
    MOST_STEPS,
    Archetype,
    ColonyRules,
    Schedule,
)
from graphpalace.serve.http.request_body import EXAMPLE_PALACE, PalaceField, RequestBody, with_example


class NavigateRequest(RequestBody):
    """A request for the cheapest path between two places."""

    model_config = ConfigDict(
        populate_by_name=True,
        json_schema_extra={
            "examples": [
                {"palace": EXAMPLE_PALACE, "from": "python", "to": "kitchen/bread", "context": "memory_recall"}
            ]
        },
    )

    start: str = Field(alias="from", min_length=1, max_length=500, description="a wing, WING/ROOM, or any node's id")
    goal: str = Field(alias="to", min_length=1, max_length=500, description="a wing, WING/ROOM, or any node's id")
    context: str = Field("default", description="preset of the weights of meaning, pheromones and structure")
    palace: PalaceField = None


class Stop(BaseModel):
    """A node on a path."""

    kind: str = Field(examples=["Room"])
    id: str
    name: str


class Leg(BaseModel):
    """One step of a path. `cost` is the sum of `semantic`, `pheromone` and `structural`."""

    type: str = Field(examples=["HAS_ROOM"])
    forward: bool = Field(description="whether the edge is walked in its stored direction")
    to: Stop
    cost: float
    semantic: float = Field(description="part of the cost for the distance in meaning from the goal")
    pheromone: float = Field(description="part of the cost for missing pheromones")
    structural: float = Field(description="part of the cost for the stored cost of the edge")
    base_cost: float
    current_cost: float
    success: float
    traversal: float
    recency: float


class NavigateResponse(BaseModel):
    """The cheapest path."""

    start: Stop
    legs: list[Leg]
    cost: float
    context: str


class ExploreRequest(RequestBody):
    """A request to explore a palace with a colony of agents."""

    model_config = with_example({"query": "how is bread made", "mix": {"explorer": 2, "exploiter": 1}})

    query: str | None = Field(
        None, max_length=20_000, description="start at the best drawers for it; without it, at the wings"
    )
    wing: str | None = Field(None, max_length=200, description="start in this wing only")
    agents: int | None = Field(
        None,
        ge=1,
        le=MOST_AGENTS,
        description="number of agents; default: the setting, or else as many as fit the palace's size",
    )
    steps: int | None = Field(
        None, ge=1, le=MOST_STEPS, description="number of steps of each agent; default as for agents"
    )
    mix: dict[Archetype, Annotated[float, Field(ge=0, le=LARGEST_SHARE)]] | None = Field(
        None, description="share of each archetype, on any scale; default: the setting"
    )
    temperatures: dict[Archetype, Annotated[float, Field(ge=COLDEST, le=HOTTEST)]] | None = Field(
        None,
        description="temperature by archetype: a low one takes the best edge, a high one any; default: the setting",
    )
    schedule: Schedule | None = Field(
        None, description="how the temperature falls while agents walk; default: the setting"
    )
    floor: float | None = Field(
        None,
        ge=LEAST_FLOOR,
        le=1,
        description="share of its first temperature at an agent's last step; default: the setting",
    )
    seed: int | None = Field(
        None, ge=0, le=2**63 - 1, description="random seed; the same seed gives the same walk; default: a new one"
    )
    mark: bool = Field(True, description="mark visited nodes, so that the next walk looks elsewhere for a while")
    until_converged: bool = Field(False, description="stop when little new is found")
    palace: PalaceField = None

    @property
    def rules(self) -> ColonyRules:
        """Return the rules of the colony."""
        return ColonyRules(
            agents=self.agents,
            steps=self.steps,
            mix=None if self.mix is None else {str(name): share for name, share in self.mix.items()},
            temperatures={str(name): warmth for name, warmth in (self.temperatures or {}).items()},
            schedule=self.schedule,
            floor=self.floor,
        )


class Found(BaseModel):
    """A drawer that agents reached."""

    id: str
    text: str = Field(description="beginning of its text")
    score: float = Field(description="share of the visits to drawers, weighted by closeness to the query")
    visits: int
    path: list[str] = Field(description="ids of the nodes on the path by which it was first reached")


class Corner(BaseModel):
    """A room that was visited little."""

    id: str
    name: str
    drawers: int
    visited: float = Field(description="share of its drawers that was visited, 0 to 1")
    exploration: float = Field(description="its exploration pheromone before this walk")


class ExploreResponse(BaseModel):
    """The report of an exploration."""

    agents: int
    steps: int
    seed: int
    nodes: int = Field(description="visited")
    drawers: int = Field(description="visited")
    coverage: float = Field(description="share of all nodes that was visited")
    drawer_coverage: float = Field(description="share of all drawers that was visited")
    frontier: int = Field(description="number of nodes that were not visited but are next to a visited one")
    converged_at: int | None = Field(description="step from which little new was found")
    found: list[Found]
    corners: list[Corner]
    marked: int
