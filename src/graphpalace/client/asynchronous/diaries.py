"""Agents and their diaries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphpalace.client import wire
from graphpalace.client.asynchronous.link import AsyncLink
from graphpalace.client.write_keys import keyed

if TYPE_CHECKING:
    from graphpalace.domain.diaries import Agent, Diary, DiaryEntry


class AsyncDiaries:
    """The part of a palace that keeps diaries."""

    _link: AsyncLink

    async def agents(self) -> list[Agent]:
        """Return the agents with the number of entries in their diaries, sorted by name.

        Raises:
            NotFound: If the palace does not exist.
        """
        from graphpalace.domain.diaries import Agent

        return await self._link.get(list[Agent], "/v1/agents")

    async def write_diary(
        self, agent: str, text: str, *, topic: str = "", searchable: bool = True, key: str | None = None
    ) -> DiaryEntry:
        """Write an entry into the diary of an agent, who is created if missing.

        Args:
            agent: One line of at most 200 characters.
            text: At least one word, at most a million characters.
            topic: What it is about, at most 200 characters on one line.
            searchable: Whether it is also a drawer, in the agent's room of the wing `diaries`. If not, no search, walk
                or list of drawers finds it, and only `read_diary` shows it.
            key: 1 to 200 visible ASCII characters, such as a UUID: the same call with the same key is done once, and
                answered again; default: a new one for each call.
        Raises:
            InvalidInput: If the name or the topic is not possible, or the text is blank.
            TooLarge: If the text is too long.
        """
        from graphpalace.domain.diaries import DiaryEntry

        path = f"/v1/agents/{wire.segment('agent', agent)}/diary"
        with keyed(key):
            return await self._link.post(DiaryEntry, path, text=text, topic=topic, searchable=searchable)

    async def read_diary(self, agent: str, *, last: int = 10) -> Diary:
        """Return the latest entries of a diary, the latest first. An entry whose drawer was deleted is gone.

        Args:
            last: The largest number of entries, 1 to 1000.
        Raises:
            NotFound: If the palace does not exist, or the agent has no diary.
            InvalidInput: If the number is out of its range.
        """
        from graphpalace.domain.diaries import Diary

        return await self._link.get(Diary, f"/v1/agents/{wire.segment('agent', agent)}/diary", last=last)
