"""Tools of the profile `admin`: places, many texts at once, diaries, and what to know now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated

from pydantic import Field

from graphpalace.domain.palaces.places import HallType, WingType
from graphpalace.domain.pheromones.pheromones import DecayStatus
from graphpalace.domain.quoting import quoted
from graphpalace.domain.wake_up import LEAST_BYTES, MOST_BYTES, USUAL_BYTES
from graphpalace.offers import diaries, drawers, palaces
from graphpalace.serve.mcp.arguments import Named, Palace, Room, Wing
from graphpalace.serve.mcp.offered_tool import OfferedTool, PalaceOf, read, tool_of, tools_of, write

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


@dataclass(frozen=True, slots=True)
class ForgottenTexts:
    """What is gone or, with dry_run, would be."""

    dry_run: bool
    deleted: int
    drawers: Sequence[str]
    facts: int
    also: dict[str, int]
    places: Sequence[str]
    missing: Sequence[str]


class TextTools:
    """The tools for many texts."""

    def __init__(self, palace_of: PalaceOf) -> None:
        """Remember how to reach a palace."""
        self._palace_of = palace_of

    def tools(self) -> Sequence[OfferedTool]:
        """Return the tools."""
        return (
            tool_of(drawers.CHECK_DUPLICATE, self._palace_of),
            write(self.forget, ForgottenTexts, "admin", destroys=True, repeatable=True),
        )

    async def forget(
        self,
        drawers: Annotated[list[str] | None, Field(min_length=1, max_length=10_000, description="ids")] = None,
        source: Annotated[Named | None, Field(description="URI of the source")] = None,
        wing: Wing = None,
        room: Room = None,
        conversation: Annotated[Named | None, Field(description="HOST/ID")] = None,
        name: Annotated[Named | None, Field(description="all that mention this name")] = None,
        pattern: Annotated[str | None, Field(description="all that have this text")] = None,
        dry_run: Annotated[bool, Field(description="only show what would be deleted")] = False,
        palace: Palace = None,
    ) -> ForgottenTexts:
        """Delete all texts that match all given arguments, with everything that was derived from them.

        Always try it with dry_run first, and let the user confirm what would go.
        """
        gone = await self._palace_of(palace).forget(
            drawers=drawers,
            source=source,
            wing=wing,
            room=room,
            conversation=conversation,
            name=name,
            pattern=pattern,
            dry_run=dry_run,
        )
        also = {kind: number for kind, number in asdict(gone.traces).items() if number}
        return ForgottenTexts(
            gone.dry_run, gone.deleted, gone.drawers, gone.facts, also, list(gone.places), gone.missing
        )


@dataclass(frozen=True, slots=True)
class WakeUpText:
    """What to know now."""

    text: str


class DiaryTools:
    """The tools for diaries."""

    def __init__(self, palace_of: PalaceOf) -> None:
        """Remember how to reach a palace."""
        self._palace_of = palace_of

    def tools(self) -> Sequence[OfferedTool]:
        """Return the tools."""
        return (
            *tools_of(diaries.DIARIES, self._palace_of),
            read(self.wake_up, WakeUpText, "admin"),
        )

    async def wake_up(
        self,
        wing: Wing = None,
        budget_bytes: Annotated[int, Field(ge=LEAST_BYTES, le=MOST_BYTES)] = USUAL_BYTES,
        agent: Annotated[Named | None, Field(description="whose diary to show")] = None,
        palace: Palace = None,
    ) -> WakeUpText:
        """Return what to know when a conversation begins: facts, open questions, what is new, important or helped."""
        return WakeUpText((await self._palace_of(palace).wake_up(wing, budget_bytes, agent=agent)).text)
