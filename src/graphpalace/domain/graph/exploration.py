"""What a colony found in a palace, and where nobody ever is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FoundDrawer:
    """A drawer that agents came to: its share of their visits, weighted by closeness, and the way they first took."""

    id: str
    text: str
    score: float
    visits: int
    path: list[str]


@dataclass(frozen=True, slots=True)
class UnvisitedRoom:
    """A room of which little was visited."""

    id: str
    name: str
    drawers: int
    visited: float
    exploration: float


@dataclass(frozen=True, slots=True)
class Exploration:
    """The report of an exploration.

    Attributes:
        seed: Gives the same walk again as long as the palace is as it was.
        steps: Of each agent; fewer than asked for if the colony had converged.
        nodes, drawers: How many were visited.
        coverage: Share of all nodes that was visited, 0 to 1.
        drawer_coverage: Share of all drawers.
        frontier: Nodes not visited that are beside a visited one.
        converged_at: The step from which little new was found; None if that never was so.
        found: What answers the query best; empty without one.
        corners: The rooms of which least was visited.
        marked: Nodes that got an exploration mark.
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
