"""Keep the facts of each palace in memory, up to date with the database.

The state of a palace, which every search reads anyway, says how often its facts were written. So a search reads nothing
more, unless they were written since the last one; and in a palace without facts, nothing happens at all.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

from graphpalace.domain.deadline import to_the_end
from graphpalace.domain.knowledge.fact_index import FactIndex
from graphpalace.domain.palaces.palaces import PalaceVersion
from graphpalace.errors import NotFound
from graphpalace.store.connection.database import Database
from graphpalace.store.knowledge.facts import FactStore
from graphpalace.store.search.drawer_columns import DrawerVectorStore


@dataclass
class _Entry:
    born: str = ""
    facts: int = 0
    forgot: int = 0
    index: FactIndex = field(default_factory=FactIndex)
    update: asyncio.Lock = field(default_factory=asyncio.Lock)

    def is_at(self, state: PalaceVersion) -> bool:
        """Return whether the index has all facts of a state of the palace."""
        return self.born == state.born and self.facts >= state.facts


class KnownFacts:
    """The facts of the palaces that this process uses."""

    def __init__(self, database: Database) -> None:
        self._stored = FactStore(database)
        self._versions = DrawerVectorStore(database)
        self._palaces: dict[str, _Entry] = {}

    def forget(self, palace: str) -> None:
        """Free what is in memory of a palace."""
        self._palaces.pop(palace, None)

    async def catch_up(self, palace: str, state: PalaceVersion) -> None:
        """Bring the facts of a palace up to date, if they are in memory."""
        if palace in self._palaces:
            await self.of(palace, state)

    async def latest(self, palace: str) -> FactIndex:
        """Read the state of a palace, and return its facts.

        Raises:
            NotFound: If the palace does not exist.
        """
        read = await self._versions.changes(palace, since=None)
        if read is None:
            raise NotFound(f"there is no palace {palace!r}", palace=palace)
        return await self.of(palace, read[0]) or FactIndex()

    async def of(self, palace: str, state: PalaceVersion) -> FactIndex | None:
        """Return the facts of a palace; None if it never had any.

        Args:
            state: Its state, as the caller has just read it.
        """
        if not state.facts:
            return None
        entry = self._palaces.setdefault(palace, _Entry())
        if entry.is_at(state):
            return entry.index
        return await to_the_end(lambda: self._up_to_date(palace, entry, state))

    async def _up_to_date(self, palace: str, entry: _Entry, state: PalaceVersion) -> FactIndex:
        async with entry.update:
            if entry.is_at(state):
                return entry.index
            # A fact that was forgotten leaves nothing that could be read, so all facts are read again then.
            goes_on = (entry.born, entry.forgot) == (state.born, state.facts_forgot)
            facts, names = await self._stored.since(palace, entry.facts if goes_on else 0)
            old = entry.index if goes_on else FactIndex()
            spelled = {named.id: named.names for named in names}
            index = await asyncio.to_thread(old.updated, facts, spelled)
            entry.index = replace(index, replaced=await self._stored.replaced(palace))
            entry.born, entry.facts, entry.forgot = state.born, state.facts, state.facts_forgot
            return entry.index
