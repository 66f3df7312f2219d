"""Tools of the profile `stigmergy` that walk through the palace. Source of the names: seed 003."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from graphpalace.domain.graph.exploration import Exploration
from graphpalace.domain.graph.route import Route
from graphpalace.domain.palace_shape import Tunnel
from graphpalace.serve.mcp.arguments import Named, Palace, Wing
from graphpalace.serve.mcp.offered_tool import OfferedTool, PalaceOf, read, write
from graphpalace.serve.mcp.shown_list import Shown

Context = Literal[
    "default", "hypothesis_testing", "exploratory_research", "evidence_gathering", "memory_recall"
]  # fmt: skip
Place = Annotated[Named, Field(description="a wing, WING/ROOM, or the id of anything")]


class WalkingTools:
    """The tools that walk."""

    def __init__(self, palace_of: PalaceOf) -> None:
        """Remember how to reach a palace."""
        self._palace_of = palace_of

    def tools(self) -> Sequence[OfferedTool]:
        """Return the tools."""
        return (
            read(self.navigate, Route, "stigmergy"),
            read(self.find_tunnels, Shown[Tunnel], "stigmergy"),
            write(self.explore, Exploration, "stigmergy"),
        )

    async def navigate(
        self,
        start: Place,
        goal: Place,
        context: Annotated[Context, Field(description="how meaning, pheromones and structure are weighed")] = "default",
        palace: Palace = None,
    ) -> Route:
        """Find the cheapest way between two wings, rooms or drawers, with what each step costs: how they connect."""
        return await self._palace_of(palace).navigate(start, goal, context=context)

    async def find_tunnels(
        self,
        wing: Wing = None,
        other: Annotated[str | None, Field(description="only tunnels from wing to this wing")] = None,
        limit: Annotated[int, Field(ge=1, le=200)] = 20,
        palace: Palace = None,
    ) -> Shown[Tunnel]:
        """List rooms of different wings that are about the same: what two projects or people have in common."""
        return Shown.of(await self._palace_of(palace).tunnels(wing=wing, other=other), limit)

    async def explore(
        self,
        query: Annotated[str | None, Field(description="start at what answers this; default: at the wings")] = None,
        wing: Wing = None,
        agents: Annotated[int | None, Field(ge=1)] = None,
        steps: Annotated[int | None, Field(ge=1)] = None,
        seed: Annotated[int | None, Field(ge=0, description="the same seed walks the same way again")] = None,
        mark: Annotated[bool, Field(description="leave marks, so that the next walk looks elsewhere")] = True,
        until_converged: bool = False,
        palace: Palace = None,
    ) -> Exploration:
        """Let a colony of agents walk through the palace, and see what it found and which rooms it missed.

        Use it to discover what a search does not show; to find an answer, search.
        """
        return await self._palace_of(palace).explore(
            query=query,
            wing=wing,
            agents=agents,
            steps=steps,
            seed=seed,
            mark=mark,
            until_converged=until_converged,
        )
