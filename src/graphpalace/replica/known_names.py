"""Keep in memory which drawers of a palace mention which names, up to date with the database."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from graphpalace.domain.changes import PalaceVersion
from graphpalace.domain.deadline import to_the_end
from graphpalace.domain.knowledge.entity import normalised_name
from graphpalace.domain.knowledge.mentions import MentionColumns, SpellingColumns
from graphpalace.entities.name_index import Mentions, NameIndex
from graphpalace.errors import NotFound
from graphpalace.pheromones.decay import decayed
from graphpalace.store.connection.database import Database
from graphpalace.store.knowledge.mentions import MentionStore


@dataclass(slots=True)
class _Rows:
    """Mentions by the rows of drawers and names. Rows are only added, so that arrays stay valid."""

    drawers: dict[str, int] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    shown: list[str] = field(default_factory=list)
    normalised: list[str] = field(default_factory=list)
    aliases: list[Sequence[str]] = field(default_factory=list)
    drawer: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))
    name: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))
    is_title: np.ndarray = field(default_factory=lambda: np.empty(0, np.bool_))
    success: np.ndarray = field(default_factory=lambda: np.empty(0, np.float64))
    cycle: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))

    def spell(self, read: SpellingColumns) -> None:
        """Add names, or change how they are written."""
        for identity, shown, normalised, aliases in zip(
            read.ids, read.shown, read.normalised, read.aliases, strict=True
        ):
            row = self.names.setdefault(identity, len(self.names))
            if row == len(self.shown):
                self.shown.append(shown)
                self.normalised.append(normalised)
                self.aliases.append(aliases)
            else:
                self.shown[row], self.normalised[row], self.aliases[row] = shown, normalised, aliases

    def put(self, read: MentionColumns) -> None:
        """Add the mentions of drawers that have none yet. Mentions of names that are not known are left out."""
        known = [at for at, name in enumerate(read.names) if name in self.names]
        rows = [self.drawers.setdefault(read.drawers[at], len(self.drawers)) for at in known]
        self.drawer = np.append(self.drawer, np.array(rows, np.int32))
        self.name = np.append(self.name, np.array([self.names[read.names[at]] for at in known], np.int32))
        self.is_title = np.append(self.is_title, np.array([read.is_title[at] for at in known], np.bool_))
        self.success = np.append(self.success, np.array([read.success[at] for at in known], np.float64))
        self.cycle = np.append(self.cycle, np.array([read.cycles[at] for at in known], np.int64))

    def remove(self, drawers: Iterable[str]) -> None:
        """Remove the mentions of some drawers."""
        rows = [row for drawer in drawers if (row := self.drawers.get(drawer)) is not None]
        if rows:
            stays = ~np.isin(self.drawer, rows)
            self.drawer, self.name, self.is_title = self.drawer[stays], self.name[stays], self.is_title[stays]
            self.success, self.cycle = self.success[stays], self.cycle[stays]

    def clear_unused(self) -> None:
        """Forget how names are written that nothing mentions any more. Their rows stay."""
        unused = np.ones(len(self.names), np.bool_)
        unused[self.name] = False
        for row in np.flatnonzero(unused).tolist():
            self.shown[row], self.normalised[row], self.aliases[row] = "", "", ()

    def index(self, *, rate: float, cycle: int) -> NameIndex:
        """Return the index at a cycle of the palace's clock."""
        age = np.where(self.cycle < 0, 0, cycle - self.cycle)
        success = decayed(self.success, rate=rate, cycles=age).astype(np.float32)
        order = np.argsort(self.name, kind="stable")
        spellings: dict[str, int] = {}
        mentioned = np.zeros(len(self.names), np.bool_)
        mentioned[self.name] = True
        rows = np.flatnonzero(mentioned).tolist()
        for row in rows:  # names come before aliases of others
            spellings.setdefault(self.normalised[row], row)
        for row in rows:
            for alias in self.aliases[row]:
                if spelling := normalised_name(alias):
                    spellings.setdefault(spelling, row)
        mentions = Mentions(self.drawer[order], self.name[order], self.is_title[order], success[order])
        return NameIndex(list(self.drawers), list(self.names), list(self.shown), spellings, mentions)


@dataclass
class _Entry:
    born: str = ""
    revision: int = -1
    cycle: int = -1
    rows: _Rows = field(default_factory=_Rows)
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

    async def _up_to_date(self, palace: str, entry: _Entry, state: PalaceVersion) -> NameIndex:
        async with entry.update:
            current = entry.index
            if current is None or entry.born != state.born or entry.revision < state.revision:
                current = await self._follow(palace, entry)
            elif entry.cycle < state.cycle:
                entry.cycle = state.cycle
                current = entry.index = await asyncio.to_thread(entry.rows.index, rate=self._rate, cycle=entry.cycle)
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
        whole = entry.index is None or changes.born != entry.born or changes.entries != passed
        if whole:
            entry.rows = _Rows()
            for spellings in await self._mentions.spellings(palace):
                entry.rows.spell(spellings)
            for part in await self._mentions.load(palace):
                entry.rows.put(part)
        elif changes.named or changes.removed:
            named = await self._mentions.load_some(palace, sorted(changes.named))
            for spellings in await self._mentions.spellings(palace, sorted(set(named.names))):
                entry.rows.spell(spellings)
            entry.rows.remove(changes.named | changes.removed)
            entry.rows.put(named)
            entry.rows.clear_unused()
        if entry.index is None or whole or changes.named or changes.removed or changes.cycle != entry.cycle:
            entry.index = await asyncio.to_thread(entry.rows.index, rate=self._rate, cycle=changes.cycle)
        entry.born, entry.revision, entry.cycle = changes.born, changes.revision, changes.cycle
        return entry.index
