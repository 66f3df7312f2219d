"""Requests and responses of the routes that walk the palace."""

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
    """From where to where."""

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
    context: str = Field("default", description="preset that weighs meaning, trails and structure")
    palace: PalaceField = None


class Stop(BaseModel):
    """A node of a way."""

    kind: str = Field(examples=["Room"])
    id: str
    name: str


class Leg(BaseModel):
    """One step of a way; `cost` is the sum of `semantic`, `pheromone` and `structural`."""

    type: str = Field(examples=["HAS_ROOM"])
    forward: bool = Field(description="walked in the direction the edge is stored in")
    to: Stop
    cost: float
    semantic: float = Field(description="part for walking to a node far from the goal in meaning")
    pheromone: float = Field(description="part for walking without a trail")
    structural: float = Field(description="part for the edge's own cost")
    base_cost: float
    current_cost: float
    success: float
    traversal: float
    recency: float


class NavigateResponse(BaseModel):
    """The cheapest way."""

    start: Stop
    legs: list[Leg]
    cost: float
    context: str


class ExploreRequest(RequestBody):
    """Who walks, and from where."""

    model_config = with_example({"query": "how is bread made", "mix": {"explorer": 2, "exploiter": 1}})

    query: str | None = Field(
        None, max_length=20_000, description="begin at the best drawers for it; else at the wings"
    )
    wing: str | None = Field(None, max_length=200, description="begin in this wing only")
    agents: int | None = Field(
        None, ge=1, le=MOST_AGENTS, description="how many walk; default: the setting, else as many as fit the palace"
    )
    steps: int | None = Field(None, ge=1, le=MOST_STEPS, description="of each agent; default as for agents")
    mix: dict[Archetype, Annotated[float, Field(ge=0, le=LARGEST_SHARE)]] | None = Field(
        None, description="share of each archetype that walks, on any scale; default: the setting"
    )
    temperatures: dict[Archetype, Annotated[float, Field(ge=COLDEST, le=HOTTEST)]] | None = Field(
        None, description="of archetypes, low takes the best edge, high any; one that is not named keeps the setting"
    )
    schedule: Schedule | None = Field(None, description="how the agents cool while walking; default: the setting")
    floor: float | None = Field(
        None, ge=LEAST_FLOOR, le=1, description="share of its temperature at an agent's last step; default: the setting"
    )
    seed: int | None = Field(None, ge=0, le=2**63 - 1, description="gives the same walk again; default: a new one")
    mark: bool = Field(True, description="mark what was searched, so that the next walk looks elsewhere for a while")
    until_converged: bool = Field(False, description="stop when little new is found")
    palace: PalaceField = None

    @property
    def rules(self) -> ColonyRules:
        """Who walks, and how."""
        return ColonyRules(
            agents=self.agents,
            steps=self.steps,
            mix=None if self.mix is None else {str(name): share for name, share in self.mix.items()},
            temperatures={str(name): warmth for name, warmth in (self.temperatures or {}).items()},
            schedule=self.schedule,
            floor=self.floor,
        )


class Found(BaseModel):
    """A drawer that agents came to."""

    id: str
    text: str = Field(description="its first words")
    score: float = Field(description="share of the visits to drawers, weighted by closeness to the query")
    visits: int
    path: list[str] = Field(description="ids of the nodes by which it was first reached")


class Corner(BaseModel):
    """A room of which little was visited."""

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
    frontier: int = Field(description="nodes not visited beside a visited one")
    converged_at: int | None = Field(description="step from which little new was found")
    found: list[Found]
    corners: list[Corner]
    marked: int
