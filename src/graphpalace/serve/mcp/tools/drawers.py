"""Tools of the profile `admin` that look after many texts: duplicates, and forgetting by source or place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated

from pydantic import Field

from graphpalace.offers import drawers
from graphpalace.serve.mcp.arguments import Named, Palace, Room, Wing
from graphpalace.serve.mcp.offered import tool_of
from graphpalace.serve.mcp.offered_tool import OfferedTool, PalaceOf, write


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
