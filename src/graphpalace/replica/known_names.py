"""Keep in memory, in arrays, which drawers of a palace mention which names, up to date with the database."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, fields

import numpy as np
from jaxtyping import Bool, Float32, Int32

from graphpalace.domain.deadline import to_the_end
from graphpalace.domain.knowledge.entity import MentionChanges, MentionColumns, SpellingColumns
from graphpalace.domain.palaces.palaces import PalaceVersion
from graphpalace.entities.name_index import Mentions, NameIndex, Spellings
from graphpalace.errors import NotFound
from graphpalace.pheromones.strength import decayed
from graphpalace.replica.read_again import read_again
from graphpalace.store.connection.database import Database
from graphpalace.store.knowledge.entities import MentionStore


@dataclass(frozen=True, eq=False, slots=True)
class _Stored:
    """Mentions with their pheromones as they are stored: `success` was current at the cycle `cycle`; -1: always."""

    drawer: Int32[np.ndarray, " mentions"]
    name: Int32[np.ndarray, " mentions"]
    is_title: Bool[np.ndarray, " mentions"]
    success: Float32[np.ndarray, " mentions"]
    cycle: Int32[np.ndarray, " mentions"]

    @classmethod
    def joined(cls, parts: Sequence[_Stored]) -> _Stored:
        """Return the mentions of several parts, sorted by name."""
        columns = [np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)]
        order = np.argsort(columns[1], kind="stable")  # takes a millisecond if the first part is long and sorted
        return cls(*(column[order] for column in columns))

    def of(self, chosen: np.ndarray) -> _Stored:
        """Return some of the mentions, chosen by a mask."""
        return _Stored(*(getattr(self, field.name)[chosen] for field in fields(self)))


def _none() -> _Stored:
    return _Stored(*(np.empty(0, dtype) for dtype in (np.int32, np.int32, np.bool_, np.float32, np.int32)))


@dataclass(frozen=True, slots=True)
class _Written:
    """How a name is written: `normalised` and `aliases` say which spellings mean it."""

    normalised: str = ""
    aliases: Sequence[str] = ()


_NOTHING = _Written()


class NameTable:
    """The mentions and spellings of a palace. Rows of drawers and names are only added, so indexes stay valid."""

    def __init__(self) -> None:
        self._drawer_row: dict[str, int] = {}
        self._name_row: dict[str, int] = {}
        self._drawers: list[str] = []
        self._names: list[str] = []
        self._shown: list[str] = []
        self._written: list[_Written] = []
        self._spelled: list[_Written] = []  # what of it is among the spellings: nothing unless the name is mentioned
        self._spellings = Spellings()
        self._mentions = _none()
        self._new: list[_Stored] = []
        self._touched: set[int] = set()  # names whose spellings may have changed

    def spell(self, read: SpellingColumns) -> None:
        """Add names, or change how they are written."""
        columns = zip(read.ids, read.shown, read.normalised, read.aliases, strict=True)
        for identity, shown, normalised, aliases in columns:
            row = self._name_row.get(identity)
            if row is None:
                row = self._name_row[identity] = len(self._names)
                self._names.append(identity)
                self._shown.append(shown)
                self._written.append(_NOTHING)
                self._spelled.append(_NOTHING)
            self._shown[row], self._written[row] = shown, _Written(normalised, tuple(aliases))
            self._touched.add(row)

    def put(self, read: MentionColumns) -> None:
        """Add the mentions of drawers that have none yet. Mentions of names that are not known are left out."""
        known = [at for at, name in enumerate(read.names) if name in self._name_row]
        self._new.append(
            _Stored(
                np.array([self._row(read.drawers[at]) for at in known], np.int32),
                np.array([self._name_row[read.names[at]] for at in known], np.int32),
                np.array([read.is_title[at] for at in known], np.bool_),
                np.array([read.success[at] for at in known], np.float32),
                np.array([read.cycles[at] for at in known], np.int32),
            )
        )

    def names_of(self, drawers: Iterable[str]) -> set[str]:
        """Return the ids of the names that some drawers mention."""
        found = self._joined().name[self._of(drawers)]
        return {self._names[row] for row in np.unique(found).tolist()}

    def remove(self, drawers: Iterable[str]) -> None:
        """Remove the mentions of some drawers."""
        stored, gone = self._joined(), self._of(drawers)
        if gone.any():
            self._touched.update(np.unique(stored.name[gone]).tolist())
            self._mentions = stored.of(~gone)

    def index(self, *, rate: float, cycle: int) -> NameIndex:
        """Return the index at a cycle of the palace's clock.

        Args:
            rate: Share of the success pheromone that is lost in a cycle, 0 to 1.
        """
        stored = self._joined()
        success = stored.success.copy()
        laid = np.flatnonzero(success)
        age = np.where(stored.cycle[laid] < 0, 0, cycle - stored.cycle[laid])
        success[laid] = decayed(stored.success[laid].astype(np.float64), rate=rate, cycles=age)
        index = NameIndex(
            drawers=self._drawers,
            names=self._names,
            shown=self._shown,
            row_of=self._drawer_row,
            spellings=self._spellings,
            mentions=Mentions(stored.drawer, stored.name, stored.is_title, success),
        )
        self._spell_touched(index)
        return index

    def _joined(self) -> _Stored:
        """Return all mentions, sorted by name."""
        if self._new:
            self._mentions, self._new = _Stored.joined([self._mentions, *self._new]), []
        return self._mentions

    def _spell_touched(self, index: NameIndex) -> None:
        """Let the spellings mean the names that are mentioned, and forget how others are written."""
        for row in sorted(self._touched):
            if index.name_start[row] == index.name_start[row + 1]:
                self._shown[row], self._written[row] = "", _NOTHING
            last, now = self._spelled[row], self._written[row]
            if last != now:
                if last.normalised:
                    self._spellings.remove(self._names[row], last.normalised, last.aliases)
                if now.normalised:
                    self._spellings.add(self._names[row], row, now.normalised, now.aliases)
                self._spelled[row] = now
        self._touched = set()

    def _row(self, drawer: str) -> int:
        row = self._drawer_row.get(drawer)
        if row is None:
            row = self._drawer_row[drawer] = len(self._drawers)
            self._drawers.append(drawer)
        return row

    def _of(self, drawers: Iterable[str]) -> Bool[np.ndarray, " mentions"]:
        """Return for each mention whether it is in one of some drawers."""
        chosen = np.zeros(len(self._drawers), np.bool_)
        chosen[[row for drawer in drawers if (row := self._drawer_row.get(drawer)) is not None]] = True
        return chosen[self._mentions.drawer]


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
            table = await read_again(lambda: self._read_all(palace))
            index = await asyncio.to_thread(table.index, rate=self._rate, cycle=changes.cycle)
        elif changes.named or changes.removed or changes.cycle != entry.cycle:
            index = await self._changed(table, changes)
        entry.index, entry.table = index, table
        entry.born, entry.revision, entry.cycle = changes.born, changes.revision, changes.cycle
        return index

    async def _read_all(self, palace: str) -> NameTable:
        table = NameTable()
        async with aclosing(self._mentions.load(palace)) as parts:
            async for spellings, mentions in parts:
                await asyncio.to_thread(_add, table, spellings, mentions)
        return table

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
