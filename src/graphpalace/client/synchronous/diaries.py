# Written by `make client` from ../asynchronous/diaries.py; change that file.
"""The part of a palace that keeps diaries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphpalace.client.synchronous.link import Link
from graphpalace.client.wire import keyed

if TYPE_CHECKING:
    from graphpalace.domain.drawers.diaries import Agent, Diary, DiaryEntry


class Diaries:
    """The part of a palace that keeps diaries."""

    _link: Link

    def agents(self) -> list[Agent]:
        """List the agents with the number of entries in their diaries.

        Raises:
            NotFound: If the palace does not exist.
        """
        from graphpalace.offers.diaries import LIST_AGENTS

        return self._link.call(LIST_AGENTS)

    def write_diary(
        self, agent: str, text: str, *, topic: str = "", searchable: bool = True, key: str | None = None
    ) -> DiaryEntry:
        """Write an entry into the diary of an agent, which is created if it does not exist.

        Args:
            agent: Name of the agent, such as reviewer.
            text: Word for word.
            topic: What it is about, in a few words.
            searchable: False: no search, walk or list of drawers finds it, only the diary shows it.
            key: 1 to 200 visible ASCII characters, such as a UUID: the same call with the same key is done once, and
                answered again; default: a new one for each call.
        Raises:
            InvalidInput: If the name or the topic is not possible, or the text is blank.
            NotFound: If the palace does not exist.
            TooLarge: If the text is too long.
        """
        from graphpalace.offers.diaries import WRITE_DIARY

        with keyed(key):
            return self._link.call(WRITE_DIARY, agent=agent, text=text, topic=topic, searchable=searchable)

    def read_diary(self, agent: str, *, last: int = 10) -> Diary:
        """Read the latest entries of a diary, the latest first.

        An entry whose drawer was deleted is gone.

        Args:
            agent: Name of the agent, such as reviewer.
            last: Largest number of entries, 1 to 1000.
        Raises:
            NotFound: If the palace does not exist, or the agent has no diary.
            InvalidInput: If the number is out of its range.
        """
        from graphpalace.offers.diaries import READ_DIARY

        return self._link.call(READ_DIARY, agent=agent, last=last)
