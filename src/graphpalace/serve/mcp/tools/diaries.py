"""Tools of the profile `admin` for agents: their diaries, and what to know now. Source of the names: seed 003."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from graphpalace.domain.wake_up import LEAST_BYTES, MOST_BYTES, USUAL_BYTES
from graphpalace.offers import diaries
from graphpalace.serve.mcp.arguments import Named, Palace, Wing
from graphpalace.serve.mcp.offered import tools_of
from graphpalace.serve.mcp.offered_tool import OfferedTool, PalaceOf, read


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
