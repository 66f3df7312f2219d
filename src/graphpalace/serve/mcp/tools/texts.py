"""Tools of the profile `admin` that look after many texts: duplicates, and forgetting by source or place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from graphpalace.domain.duplicates import DuplicateCheck
from graphpalace.domain.forgetting import ForgetReceipt
from graphpalace.serve.mcp.arguments import Palace, Room, Wing
from graphpalace.serve.mcp.offered_tool import OfferedTool, PalaceOf, read, write


class TextTools:
    """The tools for many texts."""

    def __init__(self, palace_of: PalaceOf) -> None:
        """Remember how to reach a palace."""
        self._palace_of = palace_of

    def tools(self) -> Sequence[OfferedTool]:
        """Return the tools."""
        return (
            read(self.check_duplicate, DuplicateCheck, "admin"),
            write(self.forget, ForgetReceipt, "admin", destroys=True, repeatable=True),
        )

    async def check_duplicate(
        self,
        text: Annotated[str, Field(description="word for word")],
        wing: Wing = None,
        threshold: Annotated[float, Field(ge=-1, le=1, description="least cosine of a text that is near")] = 0.9,
        top_k: Annotated[int, Field(ge=1, le=200)] = 5,
        palace: Palace = None,
    ) -> DuplicateCheck:
        """Look whether a text, or nearly the same one, is stored already. Nothing that was learned counts."""
        return await self._palace_of(palace).check_duplicate(text, wing=wing, threshold=threshold, top_k=top_k)

    async def forget(
        self,
        drawers: Annotated[list[str] | None, Field(min_length=1, max_length=10_000, description="ids")] = None,
        source: Annotated[str | None, Field(description="URI of the source")] = None,
        wing: Wing = None,
        room: Room = None,
        dry_run: Annotated[bool, Field(description="only show what would be deleted")] = False,
        palace: Palace = None,
    ) -> ForgetReceipt:
        """Delete all texts that meet everything given: ids, a source, a wing, a room. The answer lists what is gone.

        Try it with dry_run before a wing, a room or a source.
        """
        return await self._palace_of(palace).forget(
            drawers=drawers, source=source, wing=wing, room=room, dry_run=dry_run
        )
