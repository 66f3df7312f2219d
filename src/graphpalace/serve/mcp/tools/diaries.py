"""Tools of the profile `admin` for agents: their diaries, and what to know now. Source of the names: seed 003."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from graphpalace.domain.diaries import MOST_ENTRIES, Agent, Diary, DiaryEntry
from graphpalace.domain.wake_up import LEAST_BYTES, MOST_BYTES, USUAL_BYTES
from graphpalace.serve.mcp.arguments import Named, Palace, Wing
from graphpalace.serve.mcp.offered_tool import OfferedTool, PalaceOf, read, write
from graphpalace.serve.mcp.shown_list import Shown

AgentName = Annotated[Named, Field(description="name of the agent, such as reviewer")]


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
            read(self.list_agents, Shown[Agent], "admin"),
            write(self.diary_write, DiaryEntry, "admin"),
            read(self.diary_read, Diary, "admin"),
            read(self.wake_up, WakeUpText, "admin"),
        )

    async def list_agents(
        self, limit: Annotated[int, Field(ge=1, le=1000)] = 100, palace: Palace = None
    ) -> Shown[Agent]:
        """List the agents that keep a diary."""
        return Shown.of(await self._palace_of(palace).agents(), limit)

    async def diary_write(
        self,
        agent: AgentName,
        text: Annotated[str, Field(description="word for word")],
        topic: Annotated[str, Field(description="what it is about, in a few words")] = "",
        searchable: Annotated[bool, Field(description="false: only diary_read shows it, no search")] = True,
        palace: Palace = None,
    ) -> DiaryEntry:
        """Write an entry into an agent's own diary: what it did, noticed or plans."""
        return await self._palace_of(palace).write_diary(agent, text, topic=topic, searchable=searchable)

    async def diary_read(
        self, agent: AgentName, last: Annotated[int, Field(ge=1, le=MOST_ENTRIES)] = 10, palace: Palace = None
    ) -> Diary:
        """Read the latest entries of an agent's diary, the latest first."""
        return await self._palace_of(palace).read_diary(agent, last=last)

    async def wake_up(
        self,
        wing: Wing = None,
        budget_bytes: Annotated[int, Field(ge=LEAST_BYTES, le=MOST_BYTES)] = USUAL_BYTES,
        agent: Annotated[Named | None, Field(description="whose diary to show")] = None,
        palace: Palace = None,
    ) -> WakeUpText:
        """Say what to know when a conversation begins: facts, open questions, and what is new, important or helped."""
        return WakeUpText((await self._palace_of(palace).wake_up(wing, budget_bytes, agent=agent)).text)
