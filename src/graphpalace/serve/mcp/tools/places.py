"""Tools of the profile `admin`: what is in a palace, and where. Source of the names: seed 003."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from graphpalace.domain.graph.decay import DecayStatus
from graphpalace.domain.palace_shape import PalaceStats
from graphpalace.domain.places import Room, Wing
from graphpalace.domain.quoting import quoted
from graphpalace.domain.room import HallType, WingType
from graphpalace.serve.mcp import arguments
from graphpalace.serve.mcp.arguments import Named, Palace
from graphpalace.serve.mcp.offered_tool import OfferedTool, PalaceOf, read, write
from graphpalace.serve.mcp.shown_list import Shown

Name = Annotated[Named, Field(description="1 to 200 characters")]
Limit = Annotated[int, Field(ge=1, le=1000)]


@dataclass(frozen=True, slots=True)
class PalaceOverview:
    """A palace at a glance."""

    palace: str
    wings: int
    rooms: int
    closets: int
    drawers: int
    decay: Annotated[DecayStatus, Field(description="the clock, and the last and next run of the decay")]


@dataclass(frozen=True, slots=True)
class MadePlace:
    """A wing or room that was to be made."""

    place: str
    created: Annotated[bool, Field(description="false: it was there already")]


class PlaceTools:
    """The tools for wings and rooms."""

    def __init__(self, palace_of: PalaceOf) -> None:
        """Remember how to reach a palace."""
        self._palace_of = palace_of

    def tools(self) -> Sequence[OfferedTool]:
        """Return the tools."""
        return (
            read(self.palace_status, PalaceOverview, "admin"),
            read(self.list_wings, Shown[Wing], "admin"),
            read(self.list_rooms, Shown[Room], "admin"),
            read(self.graph_stats, PalaceStats, "admin"),
            write(self.add_wing, MadePlace, "admin", repeatable=True),
            write(self.add_room, MadePlace, "admin", repeatable=True),
        )

    async def palace_status(self, palace: Palace = None) -> PalaceOverview:
        """Show how large the palace is, its clock, and whether its decay runs: a first look at its health."""
        of = self._palace_of(palace)
        decay, wings = await of.decay_status(), await of.wings()
        return PalaceOverview(
            decay.palace,
            len(wings),
            sum(wing.rooms for wing in wings),
            sum(wing.closets for wing in wings),
            sum(wing.drawers for wing in wings),
            decay,
        )

    async def list_wings(self, limit: Limit = 100, palace: Palace = None) -> Shown[Wing]:
        """List the wings with their types and sizes."""
        return Shown.of(await self._palace_of(palace).wings(), limit)

    async def list_rooms(self, wing: arguments.Wing = None, limit: Limit = 100, palace: Palace = None) -> Shown[Room]:
        """List the rooms of a wing or of the palace, with their sizes and the rooms they are connected to."""
        return Shown.of(await self._palace_of(palace).rooms(wing=wing), limit)

    async def graph_stats(self, palace: Palace = None) -> PalaceStats:
        """Count the nodes and relationships of each kind in the graph, and show which model its vectors are of."""
        return await self._palace_of(palace).stats()

    async def add_wing(self, name: Name, wing_type: WingType = WingType.TOPIC, palace: Palace = None) -> MadePlace:
        """Make an empty wing. Storing a text makes its wing by itself, so this is for setting a type beforehand."""
        return MadePlace(quoted(name), await self._palace_of(palace).add_wing(name, wing_type=wing_type))

    async def add_room(
        self, wing: Named, name: Name, hall_type: HallType = HallType.FACTS, palace: Palace = None
    ) -> MadePlace:
        """Make an empty room in a wing. Storing a text makes its room by itself."""
        made = await self._palace_of(palace).add_room(wing, name, hall_type=hall_type)
        return MadePlace(quoted(f"{wing}/{name}"), made)
