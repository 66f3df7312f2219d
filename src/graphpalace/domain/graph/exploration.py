"""The report of an exploration: what a colony found in a palace, and which rooms it visited least."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field


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
