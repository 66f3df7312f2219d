"""Tools of the profile `admin`: what is in a palace, and where. Source of the names: seed 003."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from graphpalace.domain.palaces.places import HallType, WingType
from graphpalace.domain.pheromones.pheromones import DecayStatus
from graphpalace.domain.quoting import quoted
from graphpalace.offers import palaces
from graphpalace.serve.mcp.arguments import Named, Palace
from graphpalace.serve.mcp.offered import tool_of
from graphpalace.serve.mcp.offered_tool import OfferedTool, PalaceOf, read, write

Name = Annotated[Named, Field(description="1 to 200 characters")]


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
            tool_of(palaces.LIST_WINGS, self._palace_of),
            tool_of(palaces.LIST_ROOMS, self._palace_of),
            tool_of(palaces.STATS, self._palace_of),
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

    async def add_wing(self, name: Name, wing_type: WingType = WingType.TOPIC, palace: Palace = None) -> MadePlace:
        """Create an empty wing. Storing a text creates its wing by itself; use this to set its type beforehand."""
        return MadePlace(quoted(name), await self._palace_of(palace).add_wing(name, wing_type=wing_type))

    async def add_room(
        self, wing: Named, name: Name, hall_type: HallType = HallType.FACTS, palace: Palace = None
    ) -> MadePlace:
        """Create an empty room in a wing. Storing a text creates its room by itself."""
        made = await self._palace_of(palace).add_room(wing, name, hall_type=hall_type)
        return MadePlace(quoted(f"{wing}/{name}"), made)
