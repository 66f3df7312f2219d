"""Keep the diaries of agents. What a diary keeps to itself is no drawer, so nothing else in the palace finds it."""

from __future__ import annotations

from uuid import uuid4

from graphpalace.domain.drawers.diaries import DIARIES, Agent, Diary, DiaryEntry, NewDiaryEntry, check_last
from graphpalace.domain.drawers.new_drawer import NewDrawer
from graphpalace.domain.identity import place_name
from graphpalace.errors import Conflict, NotFound
from graphpalace.operations.drawers.drawers import Drawers
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.diaries import DiaryStore
from graphpalace.store.palaces.palaces import PalaceStore


class Diaries:
    """Writes and reads the diaries of a palace's agents.

    The entries that can be searched are drawers of the agent's room in the wing `diaries`.
    """

    def __init__(self, database: Database, drawers: Drawers) -> None:
        self._palaces = PalaceStore(database)
        self._stored = DiaryStore(database)
        self._drawers = drawers

    async def agents(self, palace: str) -> list[Agent]:
        """Return the agents, sorted by name.

        Raises:
            NotFound: If the palace does not exist.
        """
        await self._palaces.get(palace)
        return await self._stored.agents(palace)

    async def write(self, palace: str, agent: str, new: NewDiaryEntry) -> DiaryEntry:
        """Store an entry in the diary of an agent, who is created if missing.

        Raises:
            InvalidInput: If the name or the topic is not valid, or the text is blank.
            TooLarge: If the text is longer than a million characters.
            NotFound: If the palace does not exist.
        """
        place_name("agent", agent)
        new.check()
        await self._palaces.get(palace)
        drawer = None
        if new.searchable:
            kept = NewDrawer(
                new.text, DIARIES, agent, title=f"Diary of {agent}", source_uri=f"diary:{agent}", author=agent
            )
            drawer = (await self._drawers.add(palace, kept)).drawer.id
        entry = await self._stored.write(palace, agent, new, entry=f"entry-{uuid4().hex}", drawer=drawer)
        if entry is None:
            raise Conflict("the entry was deleted by another client meanwhile: write it again", agent=agent)
        return entry

    async def read(self, palace: str, agent: str, *, last: int = 10) -> Diary:
        """Return the latest entries of a diary, the latest first.

        Args:
            last: Largest number of entries, 1 to 1000.

        Raises:
            InvalidInput: If the number is out of range.
            NotFound: If the palace or the agent does not exist.
        """
        check_last(last)
        await self._palaces.get(palace)
        entries = await self._stored.read(palace, agent, last=last)
        if entries is None:
            raise NotFound(f"agent {agent!r} has no diary in palace {palace!r}", agent=agent)
        return Diary(agent, entries)
