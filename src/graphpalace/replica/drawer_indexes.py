"""Keep the vectors of each palace's drawers in memory, up to date with the database.

Every write appends to the palace's change feed in its own transaction. Every search first reads the entries of the feed
that this process does not know yet. A search therefore sees everything that was committed before it began, whichever
service wrote it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence, Set
from contextlib import asynccontextmanager, suppress
from functools import partial

import numpy as np
from jaxtyping import Bool

from graphpalace.domain.deadline import to_the_end
from graphpalace.domain.palaces.palaces import DrawerChange, PalaceVersion
from graphpalace.domain.search.answer import Ranking
from graphpalace.domain.search.news import NewsOn
from graphpalace.domain.vectors import Vector
from graphpalace.errors import NotFound
from graphpalace.replica.loaded_drawers import HeldPalace, LoadedDrawers, read_all, rows_of
from graphpalace.replica.palace_models import PalaceModels
from graphpalace.store.connection.database import Database
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.store.search.drawer_columns import DrawerVectorStore
from graphpalace.vectors.drawer_matrix import DrawerMatrix
from graphpalace.vectors.drawer_rows import DrawerVectors, Filter
from graphpalace.vectors.vector_rows import VectorMemory

_SEEK = 5  # reading one drawer by its id takes as long as reading this many in a scan of all drawers
_SMALL = 5000  # with at most this many drawers, changes are always read by id, as both ways are fast


class DrawerIndexes:
    """The drawers of the palaces that this process uses, each as a matrix of vectors."""

    def __init__(
        self, database: Database, models: PalaceModels, *, device: str = "cpu", memory: VectorMemory | None = None
    ) -> None:
        """Hold no palace yet; `empty` makes a matrix on the device, in a file if it is larger than `memory` allows."""
        self._palaces = PalaceStore(database)
        self._stored = DrawerVectorStore(database)
        self._models = models
        self.empty = partial(DrawerMatrix, device=device, memory=memory)
        self._entries: dict[str, LoadedDrawers] = {}
        self._told: list[Callable[[str, Set[str]], None]] = []

    def tell_removals(self, listener: Callable[[str, Set[str]], None]) -> None:
        """Tell a listener from now on which drawers of a palace in memory were deleted.

        It gets no drawers if lessons were deleted, or questions, which may name any drawer.
        """
        self._told.append(listener)

    async def catch_up(self, palace: str) -> None:
        """Bring a palace up to date, if it is in memory."""
        if palace in self._entries:
            await self._fresh(palace)

    @property
    def loaded(self) -> list[str]:
        """Names of the palaces in memory."""
        return sorted(self._entries)

    @property
    def held(self) -> list[HeldPalace]:
        """What is in memory of each palace."""
        return [
            HeldPalace(palace, len(one.matrix), one.matrix.vector_bytes, one.state.revision - one.revision)
            for palace, one in self._entries.items()
            if one.state is not None and one.revision >= 0
        ]

    def revision(self, palace: str) -> int | None:
        """Return the revision of the palace in memory; None if it is not in memory."""
        entry = self._entries.get(palace)
        return entry.revision if entry is not None and entry.revision >= 0 else None

    def state(self, palace: str) -> PalaceVersion | None:
        """Return the last known state of the palace and its learning; None if it is not in memory."""
        entry = self._entries.get(palace)
        return entry.state if entry is not None else None

    @asynccontextmanager
    async def reading(self, palace: str) -> AsyncIterator[DrawerMatrix]:
        """Yield the palace's matrix, brought up to date. It does not change during the `with` statement."""
        entry = await self._fresh(palace)
        async with entry.access.reading():
            yield entry.matrix

    async def nearest(
        self,
        palace: str,
        vector: Vector,
        *,
        limit: int,
        only: Filter | None = None,
        state: Callable[[], Awaitable[PalaceVersion]] | None = None,
    ) -> Ranking:
        """Return the drawers nearest to a vector, among all that were committed before the call.

        The cosines are computed while the change feed is read. They are computed again only if the feed has changes.

        Args:
            state: Returns the state of the palace, if the caller is reading it already; None: it is read here.
        """
        entry = self._entries.get(palace)
        if entry is not None and entry.revision >= 0:
            revision = entry.revision
            stands, ranking = await asyncio.gather(
                state() if state is not None else self.look(palace), self._nearest(entry, vector, limit, only)
            )
            if stands.revision == revision == entry.revision and stands.drawers == len(entry.matrix):
                return ranking
        return await self._nearest(await self._fresh(palace), vector, limit, only)

    async def _nearest(self, entry: LoadedDrawers, vector: Vector, limit: int, only: Filter | None) -> Ranking:
        if not entry.matrix.quick and (only is None or only.passes_all):
            return await entry.together.ask((vector, limit))
        async with entry.access.reading():
            if entry.matrix.quick:
                return entry.matrix.nearest(vector, limit=limit, only=only)
            return await asyncio.to_thread(entry.matrix.nearest, vector, limit=limit, only=only)

    async def vectors(self, palace: str, ids: Sequence[str], *, asked: Vector | None = None) -> DrawerVectors:
        """Return the vectors of drawers from memory. Drawers that are not in memory are left out.

        Args:
            asked: Embedding of a question, for which a long text has the vector of its nearest window.

        Raises:
            NotFound: If the palace was dropped meanwhile.
        """
        entry = self._entry(palace)
        async with entry.access.reading():
            return entry.matrix.some(ids, asked=asked)

    async def passing(self, palace: str, ids: Sequence[str], only: Filter) -> Bool[np.ndarray, " ids"]:
        """Return for each drawer whether it passes a filter, from memory. Drawers that are not in memory do not.

        Raises:
            NotFound: If the palace was dropped meanwhile.
        """
        entry = self._entry(palace)
        async with entry.access.reading():
            return entry.matrix.passing(ids, only)

    def dimension(self, palace: str) -> int:
        """Return the length of the vectors of a palace in memory.

        Raises:
            NotFound: If the palace is not in memory.
        """
        return self._entry(palace).matrix.dimension

    def model(self, palace: str) -> str:
        """Return the name of the model that made the vectors of a palace in memory.

        Raises:
            NotFound: If the palace is not in memory.
        """
        return self._entry(palace).model

    def weighs(self, palace: str) -> bool:
        """Return whether any drawer in memory has an importance other than 0.5, the neutral value."""
        entry = self._entries.get(palace)
        return entry is not None and entry.matrix.weighs

    async def importances(self, palace: str, ids: Sequence[str]) -> dict[str, float]:
        """Return the importances from memory, by drawer, where they are not 0.5; empty for a dropped palace."""
        entry = self._entries.get(palace)
        if entry is None:
            return {}
        async with entry.access.reading():
            return entry.matrix.importances(ids)

    def points(self, palace: str) -> bool:
        """Return whether any drawer in memory mostly points elsewhere."""
        entry = self._entries.get(palace)
        return entry is not None and entry.matrix.points

    def pointer_shares(self, palace: str, ids: Iterable[str]) -> dict[str, float]:
        """Return the shares of links from memory, by drawer, of those that mostly point elsewhere."""
        entry = self._entries.get(palace)
        return {} if entry is None else entry.matrix.pointer_shares(ids)

    def has_news(self, palace: str) -> bool:
        """Return whether any drawer in memory is probably news on an older one."""
        entry = self._entries.get(palace)
        return entry is not None and bool(entry.matrix.news)

    def outdated_by_news(self, palace: str) -> Collection[str]:
        """Return the drawers on which another one in memory is probably news."""
        entry = self._entries.get(palace)
        return () if entry is None else entry.matrix.news.outdated

    def news_after(self, palace: str, ids: Iterable[str]) -> dict[str, list[NewsOn]]:
        """Return from memory what is news on some drawers, what is news on that, and so on, by the newer drawer."""
        entry = self._entries.get(palace)
        return {} if entry is None else entry.matrix.news.after(ids)

    async def times_ms(self, palace: str, ids: Sequence[str]) -> dict[str, int]:
        """Return when drawers were said, or else stored, from memory, in milliseconds since 1970."""
        entry = self._entries.get(palace)
        if entry is None:
            return {}
        async with entry.access.reading():
            return entry.matrix.times_ms(ids)

    async def look(self, palace: str) -> PalaceVersion:
        """Read the current state of the palace and its learning.

        Raises:
            NotFound: If the palace is not in memory, or was dropped.
        """
        return (await self._changes(palace, self._entry(palace)))[0]

    def note(self, palace: str, state: PalaceVersion) -> PalaceVersion:
        """Record a state of the palace that another statement has just read; return it.

        Raises:
            NotFound: If the palace is not in memory.
        """
        self._note(palace, self._entry(palace), state)
        return state

    async def warm(self, palace: str) -> None:
        """Load a palace into memory, or bring it up to date."""
        await self._fresh(palace)

    async def refresh(self) -> None:
        """Bring every palace in memory up to date, and free those that were dropped."""
        existing = set(await self._palaces.names())
        for palace in self.loaded:
            if palace in existing:
                with suppress(NotFound):  # it was dropped just now, and is no longer in memory
                    await self._fresh(palace)
            else:
                self.forget(palace)

    def forget(self, palace: str) -> None:
        """Free the memory of a palace."""
        if self._entries.pop(palace, None) is not None:
            self._tell(palace, frozenset())
        self._models.forget(palace)

    def _entry(self, palace: str) -> LoadedDrawers:
        if (entry := self._entries.get(palace)) is None:
            raise _dropped(palace)
        return entry

    async def _fresh(self, palace: str) -> LoadedDrawers:
        """Return a palace that is up to date. Whoever asks for it stops waiting alone: others need it too."""
        return await to_the_end(lambda: self._up_to_date(palace))

    async def _up_to_date(self, palace: str) -> LoadedDrawers:
        entry = self._entries.get(palace)
        if entry is None:
            embedder = await self._models.of(palace)
            entry = self._entries.setdefault(palace, LoadedDrawers(self.empty(embedder.dimension)))
        async with entry.update:
            state, changes = await self._changes(palace, entry)
            while not await self._follow(palace, entry, state, changes):
                again, changes = await self._changes(palace, entry)
                # If the count still differs at the same revision, the graph was edited by hand: load everything again.
                if again.revision == state.revision and again.drawers != len(entry.matrix):
                    entry.revision = -1
                state = again
        return entry

    async def _changes(self, palace: str, entry: LoadedDrawers) -> tuple[PalaceVersion, list[DrawerChange]]:
        read = await self._stored.changes(palace, since=entry.revision if entry.revision >= 0 else None)
        if read is None:
            self.forget(palace)
            raise _dropped(palace)
        self._note(palace, entry, read[0])
        return read

    def _note(self, palace: str, entry: LoadedDrawers, state: PalaceVersion) -> None:
        # Of two concurrent reads, the older one may be answered last.
        if entry.state is not None and entry.state.born == state.born and entry.state.written > state.written:
            return
        if (state.born, state.model) != (entry.born, entry.model):
            entry.born, entry.model, entry.revision = state.born, state.model, -1
        if entry.state is not None and entry.state.forgot != state.forgot:
            self._tell(palace, frozenset())
        entry.state = state
        self._models.note(palace, state.model, state.dimension)

    async def _follow(
        self, palace: str, entry: LoadedDrawers, state: PalaceVersion, changes: Sequence[DrawerChange]
    ) -> bool:
        """Apply the changes; return whether the matrix now has as many drawers as the palace had."""
        last: dict[str, bool] = {}  # whether each drawer exists after its last change
        for change in changes:
            last.update(dict.fromkeys(change.stored, True) | dict.fromkeys(change.removed, False))
        stored = [drawer for drawer, there in last.items() if there]
        incomplete = entry.revision < 0 or len(changes) != state.revision - entry.revision  # nothing loaded, or a gap
        if incomplete or len(stored) * _SEEK > max(state.drawers, _SMALL):
            self._models.known(palace)  # raises an error if nothing could be compared with the vectors
            fresh = self.empty(state.dimension)
            if not await read_all(fresh, self._stored, palace, state):
                return False
            gone = set(entry.matrix.ids) - set(fresh.ids)
            async with entry.access.writing():
                entry.matrix, entry.revision = fresh, state.revision
            if gone:
                self._tell(palace, gone)
            return True
        if changes:
            read = await self._stored.load_some(palace, stored)
            if read.model != state.model:
                return False
            arrived = rows_of(read, state.dimension)
            async with entry.access.writing():
                entry.matrix.remove(last.keys() - set(arrived.ids))
                await asyncio.to_thread(entry.matrix.put, arrived)
                entry.revision = state.revision
            if removed := {drawer for change in changes for drawer in change.removed}:
                self._tell(palace, removed)
        return state.drawers == len(entry.matrix)

    def _tell(self, palace: str, removed: Set[str]) -> None:
        for listener in self._told:
            listener(palace, removed)

    async def load(self, palace: str, *, many_neighbours: bool = False) -> DrawerMatrix:
        """Return a new matrix with all drawers of the palace, which belongs to the caller.

        Args:
            many_neighbours: Whether the matrix will be used to find the neighbours of many drawers.
        """
        while True:
            await self._palaces.get(palace)
            read = await self._stored.changes(palace, since=None)
            if read is None:
                raise _dropped(palace)
            fresh = self.empty(read[0].dimension, many_neighbours=many_neighbours)
            if await read_all(fresh, self._stored, palace, read[0]):
                return fresh


def _dropped(palace: str) -> NotFound:
    return NotFound(f"palace {palace!r} was dropped", palace=palace)
