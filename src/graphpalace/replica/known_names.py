"""Keep in memory which drawers of a palace mention which names, up to date with the database."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass, field

from graphpalace.domain.deadline import to_the_end
from graphpalace.domain.knowledge.mentions import MentionChanges, MentionColumns, SpellingColumns
from graphpalace.domain.palaces.palaces import PalaceVersion
from graphpalace.entities.name_index import NameIndex
from graphpalace.errors import NotFound
from graphpalace.replica.name_table import NameTable
from graphpalace.store.connection.database import Database
from graphpalace.store.knowledge.entities import MentionStore


@dataclass
class _Entry:
    born: str = ""
    revision: int = -1
    cycle: int = -1
    table: NameTable = field(default_factory=NameTable)
    index: NameIndex | None = None
    update: asyncio.Lock = field(default_factory=asyncio.Lock)

    def is_at(self, state: PalaceVersion) -> bool:
        """Return whether the index has everything of a state of the palace."""
        return self.born == state.born and self.revision >= state.revision and self.cycle >= state.cycle


class KnownNames:
    """The name indexes of the palaces that this process uses."""

    def __init__(self, database: Database, *, rate: float) -> None:
        """Create it empty.

        Args:
            rate: Share of the success pheromone that is lost in a cycle, 0 to 1.
        """
        self._mentions = MentionStore(database)
        self._rate = rate
        self._entries: dict[str, _Entry] = {}

    async def of(self, palace: str, state: PalaceVersion) -> NameIndex:
        """Return the index of a palace that includes everything that was committed before `state` was read.

        If nothing changed since the last call, the database is not asked.

        Raises:
            NotFound: If the palace was dropped meanwhile.
        """
        entry = self._entries.setdefault(palace, _Entry())
        if entry.index is not None and entry.is_at(state):
            return entry.index
        return await to_the_end(lambda: self._up_to_date(palace, entry, state))

    def loaded(self, palace: str) -> bool:
        """Return whether the index of a palace is in memory, be it up to date or not."""
        entry = self._entries.get(palace)
        return entry is not None and entry.index is not None

    async def load(self, palace: str) -> None:
        """Load the index of a palace, unless it is in memory. Whoever stops waiting for it stops alone.

        Raises:
            NotFound: If there is no such palace.
        """
        entry = self._entries.setdefault(palace, _Entry())
        await to_the_end(lambda: self._loaded(palace, entry))

    async def _loaded(self, palace: str, entry: _Entry) -> None:
        async with entry.update:
            if entry.index is None:
                await self._follow(palace, entry)

    async def _up_to_date(self, palace: str, entry: _Entry, state: PalaceVersion) -> NameIndex:
        async with entry.update:
            current = entry.index
            if current is None or entry.born != state.born or entry.revision < state.revision:
                current = await self._follow(palace, entry)
            elif entry.cycle < state.cycle:
                entry.cycle = state.cycle
                current = entry.index = await asyncio.to_thread(entry.table.index, rate=self._rate, cycle=entry.cycle)
            return current

    async def catch_up(self, palace: str, state: PalaceVersion) -> None:
        """Bring the index of a palace up to date, if it is in memory."""
        if palace in self._entries:
            await self.of(palace, state)

    def forget(self, palace: str) -> None:
        """Free what is in memory of a palace."""
        self._entries.pop(palace, None)

    async def _follow(self, palace: str, entry: _Entry) -> NameIndex:
        changes = await self._mentions.changes(palace, since=entry.revision if entry.revision >= 0 else None)
        if changes is None:
            self.forget(palace)
            raise NotFound(f"palace {palace!r} was dropped", palace=palace)
        passed = changes.revision - entry.revision
        index, table = entry.index, entry.table
        if index is None or changes.born != entry.born or changes.entries != passed:  # nothing loaded, or a gap
            table = NameTable()
            async with aclosing(self._mentions.load(palace)) as parts:
                async for spellings, mentions in parts:
                    await asyncio.to_thread(_add, table, spellings, mentions)
            index = await asyncio.to_thread(table.index, rate=self._rate, cycle=changes.cycle)
        elif changes.named or changes.removed or changes.cycle != entry.cycle:
            index = await self._changed(table, changes)
        entry.index, entry.table = index, table
        entry.born, entry.revision, entry.cycle = changes.born, changes.revision, changes.cycle
        return index

    async def _changed(self, table: NameTable, changes: MentionChanges) -> NameIndex:
        """Read what some drawers mention now, and how those names are written and the names that they mentioned."""
        mentions, spellings = MentionColumns(), SpellingColumns()
        if changes.named:
            mentions = await self._mentions.load_some(sorted(changes.named))
            names = {*mentions.names, *await asyncio.to_thread(table.names_of, changes.named)}
            spellings = await self._mentions.spellings(sorted(names))

        def work() -> NameIndex:
            table.remove(changes.named | changes.removed)
            _add(table, spellings, mentions)
            return table.index(rate=self._rate, cycle=changes.cycle)

        return await asyncio.to_thread(work)


def _add(table: NameTable, spellings: SpellingColumns, mentions: MentionColumns) -> None:
    table.spell(spellings)
    table.put(mentions)
