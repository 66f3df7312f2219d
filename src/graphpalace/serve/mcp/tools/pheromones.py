"""Tools of the profile `stigmergy` that show and change pheromones. Source of the names: seed 003."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from graphpalace.domain.graph.decay import DecayResult
from graphpalace.domain.graph.deposit_request import MOST_AMOUNT, MOST_NODES, DepositKind
from graphpalace.domain.graph.deposits import DepositReceipt
from graphpalace.domain.graph.warmth import ColdKind, ColdSpots, HotKind, HotSpots, PheromoneStatus
from graphpalace.serve.mcp.arguments import Palace, Wing
from graphpalace.serve.mcp.offered_tool import OfferedTool, PalaceOf, read, write

Limit = Annotated[int, Field(ge=1, le=200)]


class PheromoneTools:
    """The tools for pheromones."""

    def __init__(self, palace_of: PalaceOf) -> None:
        """Remember how to reach a palace."""
        self._palace_of = palace_of

    def tools(self) -> Sequence[OfferedTool]:
        """Return the tools."""
        return (
            read(self.pheromone_status, PheromoneStatus, "stigmergy"),
            read(self.hot_paths, HotSpots, "stigmergy"),
            read(self.cold_spots, ColdSpots, "stigmergy"),
            write(self.pheromone_deposit, DepositReceipt, "stigmergy"),
            write(self.decay_now, DecayResult, "stigmergy", repeatable=True),
        )

    async def pheromone_status(self, palace: Palace = None) -> PheromoneStatus:
        """Show the palace's clock, how much there is of each of the five pheromones, and how fast each fades."""
        return await self._palace_of(palace).pheromones()

    async def hot_paths(
        self,
        kind: Annotated[HotKind | None, Field(description="default: both")] = None,
        wing: Wing = None,
        limit: Limit = 10,
        palace: Palace = None,
    ) -> HotSpots:
        """List the connections and places with the strongest pheromones: what is used most and helped most."""
        return await self._palace_of(palace).hot_paths(kind=kind, wing=wing, limit=limit)

    async def cold_spots(
        self, kind: ColdKind = "room", wing: Wing = None, limit: Limit = 10, palace: Palace = None
    ) -> ColdSpots:
        """List the places with the least pheromone, oldest first: what nobody looks at any more."""
        return await self._palace_of(palace).cold_spots(kind=kind, wing=wing, limit=limit)

    async def pheromone_deposit(
        self,
        nodes: Annotated[
            list[str],
            Field(
                min_length=1,
                max_length=MOST_NODES,
                description="wings, WING/ROOM or ids; for success in the order of a path",
            ),
        ],
        kind: Annotated[
            DepositKind, Field(description="success: the path helped; exploration: the places were searched")
        ] = "success",
        amount: Annotated[
            float | None, Field(gt=0, le=MOST_AMOUNT, description="for success: reward of the first edge")
        ] = None,
        id: Annotated[str | None, Field(description="a second deposit with the same id has no effect")] = None,
        palace: Palace = None,
    ) -> DepositReceipt:
        """Lay pheromones by hand on a path that helped, or on places that were searched.

        To say that a hit of a search helped, give feedback instead.
        """
        return await self._palace_of(palace).deposit(nodes, kind=kind, amount=amount, id=id)

    async def decay_now(self, palace: Palace = None) -> DecayResult:
        """Let all pheromones fade to the current cycle now, instead of waiting for the decay service."""
        return await self._palace_of(palace).decay()
