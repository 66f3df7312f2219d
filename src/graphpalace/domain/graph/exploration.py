"""The report of an exploration: what a colony found in a palace, and which rooms it visited least."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FoundDrawer:
    """A drawer that agents visited.

    Attributes:
        text: Its first words.
        score: Its share of all visits to drawers, weighted by closeness to the query, 0 to 1.
        visits: How often agents visited it.
        path: Ids of the nodes on the way by which it was first reached.
    """

    id: str
    text: str
    score: float
    visits: int
    path: list[str]


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
    visited: float
    exploration: float


@dataclass(frozen=True, slots=True)
class Exploration:
    """The report of an exploration.

    Attributes:
        agents: Number of agents.
        steps: Steps of each agent; fewer than requested if the colony stopped because it had converged.
        seed: Random seed. The same seed gives the same walk as long as the palace does not change.
        nodes, drawers: Number of different nodes and drawers that were visited.
        coverage: Share of all nodes that was visited, 0 to 1. The palace node itself does not count.
        drawer_coverage: Share of all drawers that was visited, 0 to 1.
        frontier: Number of unvisited nodes with a visited neighbour.
        converged_at: The first step at which the colony had converged; None if it never did.
        found: The best drawers for the query; empty without a query.
        corners: The rooms of whose drawers the smallest share was visited.
        marked: Number of nodes that got an exploration mark.
    """

    agents: int
    steps: int
    seed: int
    nodes: int
    drawers: int
    coverage: float
    drawer_coverage: float
    frontier: int
    converged_at: int | None
    found: list[FoundDrawer]
    corners: list[UnvisitedRoom]
    marked: int
