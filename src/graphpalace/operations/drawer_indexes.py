"""The drawers of each palace in memory, in step with the database.

Every write appends to the palace's change feed in its own transaction, and every search first reads the feed from
where this process stands. So a search sees all that was committed before it began, whichever service wrote it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import numpy as np

from graphpalace.domain.ranking import Ranking
from graphpalace.domain.vectors import Vector, from_bytes
from graphpalace.errors import NotFound
from graphpalace.operations.together import Together
from graphpalace.score.drawer_matrix import DrawerMatrix, DrawerRows, DrawerVectors, Filter
from graphpalace.store.database import Database, Row
from graphpalace.store.palaces import check_model, get_palace

STANDING = ("born", "learned", "forgot", "cycle", "since_ms", "revision", "drawers")  # tells where a palace stands
_SEEK = 5  # to find a drawer by its id and read it takes as long as to read so many among all,
_SMALL = 5000  # which is done in an instant, either way, where there are no more than this
_PATIENCE_S = 0.05  # for another's answer; what it takes to ask oneself is some milliseconds


class _ReadersWriter:
    """Many searches at once, or one update."""

    def __init__(self) -> None:
        self._changed = asyncio.Condition()
        self._readers = 0
        self._writing = False

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[None]:
        async with self._changed:
            await self._changed.wait_for(lambda: not self._writing)
            self._readers += 1
        try:
            yield
        finally:
            async with self._changed:
                self._readers -= 1
                self._changed.notify_all()

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[None]:
        async with self._changed:
            await self._changed.wait_for(lambda: not self._writing and not self._readers)
            self._writing = True
        try:
            yield
        finally:
            async with self._changed:
                self._writing = False
                self._changed.notify_all()


@dataclass
class _Entry:
    matrix: DrawerMatrix
    revision: int = -1
    state: Row = field(default_factory=dict)
    born: str = ""  # a palace that was dropped and made anew has another time of birth
    update: asyncio.Lock = field(default_factory=asyncio.Lock)
    access: _ReadersWriter = field(default_factory=_ReadersWriter)
    together: Together[tuple[Vector, int], Ranking] = field(init=False)

    def __post_init__(self) -> None:
        self.together = Together(self._nearest)

    async def _nearest(self, asked: Sequence[tuple[Vector, int]]) -> list[Ranking]:
        most = max(limit for _, limit in asked)
        vectors = np.stack([vector for vector, _ in asked])
        async with self.access.reading():
            found = await asyncio.to_thread(self.matrix.nearest_of_each, vectors, limit=most)
        return [ranking.first(limit) for ranking, (_, limit) in zip(found, asked, strict=True)]


class DrawerIndexes:
    """The matrices of the palaces that this process has searched."""

    def __init__(self, database: Database, *, model: str, dimension: int, device: str = "cpu") -> None:
        self._database = database
        self._model = model
        self._dimension = dimension
        self._device = device
        self._entries: dict[str, _Entry] = {}

    @property
    def loaded(self) -> list[str]:
        """Names of the palaces in memory."""
        return sorted(self._entries)

    def revision(self, palace: str) -> int | None:
        """Return up to which revision the palace is in memory; None if it is not."""
        entry = self._entries.get(palace)
        return entry.revision if entry is not None and entry.revision >= 0 else None

    def state(self, palace: str) -> Row | None:
        """Return where the palace and its learning stood when it was last looked at; None if it is not in memory."""
        entry = self._entries.get(palace)
        return entry.state or None if entry is not None else None

    @asynccontextmanager
    async def reading(self, palace: str) -> AsyncIterator[DrawerMatrix]:
        """Give the palace's matrix, brought up to date, and keep it as it is meanwhile."""
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
        standing: asyncio.Future[Row | None] | None = None,
    ) -> Ranking:
        """Return the palace's drawers nearest to a vector, among all that was committed before this was called.

        The cosine is taken of what is in memory while the feed is read; only if the feed tells of something new is it
        taken again.

        Args:
            standing: What another is just reading of the palace, with the columns `STANDING`; None in it if that came
                to nothing.
        """
        entry = self._entries.get(palace)
        if entry is not None and entry.revision >= 0:
            revision = entry.revision
            state, ranking = await asyncio.gather(
                self._told(palace, entry, standing), self._nearest(entry, vector, limit, only)
            )
            if state["revision"] == revision == entry.revision and state["drawers"] == len(entry.matrix):
                return ranking
        return await self._nearest(await self._fresh(palace), vector, limit, only)

    async def _nearest(self, entry: _Entry, vector: Vector, limit: int, only: Filter | None) -> Ranking:
        if not entry.matrix.quick and (only is None or only.passes_all):
            return await entry.together.ask((vector, limit))
        async with entry.access.reading():
            if entry.matrix.quick:
                return entry.matrix.nearest(vector, limit=limit, only=only)
            return await asyncio.to_thread(entry.matrix.nearest, vector, limit=limit, only=only)

    async def vectors(self, palace: str, ids: Sequence[str]) -> DrawerVectors:
        """Return the vectors of some drawers as they are in memory; those that are not there are left out.

        Raises:
            NotFound: If the palace was dropped meanwhile.
        """
        entry = self._entries.get(palace)
        if entry is None:
            raise _dropped(palace)
        async with entry.access.reading():
            return entry.matrix.some(ids)

    def weighs(self, palace: str) -> bool:
        """Return whether any drawer of the palace has an importance other than a half, by what is in memory."""
        entry = self._entries.get(palace)
        return entry is not None and entry.matrix.weighs

    async def importances(self, palace: str, ids: Sequence[str]) -> dict[str, float]:
        """Return the importances in memory of those drawers for which it is not a half; none of a dropped palace."""
        entry = self._entries.get(palace)
        if entry is None:
            return {}
        async with entry.access.reading():
            return entry.matrix.importances(ids)

    async def warm(self, palace: str) -> None:
        """Load a palace, or bring it up to date."""
        await self._fresh(palace)

    async def refresh(self) -> None:
        """Bring every palace in memory up to date; forget those that were dropped."""
        existing = {row["name"] for row in await self._database.read("palaces/list_names")}
        for palace in self.loaded:
            if palace in existing:
                await self._fresh(palace)
            else:
                self.forget(palace)

    def forget(self, palace: str) -> None:
        """Free the memory of a palace."""
        self._entries.pop(palace, None)

    async def _fresh(self, palace: str) -> _Entry:
        entry = self._entries.get(palace)
        if entry is None:
            row = await get_palace(self._database, palace)
            check_model(palace, row, model=self._model, dimension=self._dimension)
            entry = self._entries.setdefault(palace, _Entry(DrawerMatrix(self._dimension, device=self._device)))
        async with entry.update:
            state = await self._state(palace, entry)
            while not await self._follow(palace, entry, state):
                again = await self._state(palace, entry)
                # Counted again at the same revision and still different: somebody edited by hand. Load all anew.
                if again["revision"] == state["revision"] and again["drawers"] != len(entry.matrix):
                    entry.revision = -1
                state = again
        return entry

    async def _told(self, palace: str, entry: _Entry, standing: asyncio.Future[Row | None] | None) -> Row:
        if standing is not None:
            await asyncio.wait([standing], timeout=_PATIENCE_S)
            if standing.done() and (state := standing.result()) is not None:
                return self._noted(entry, state)
        return await self._state(palace, entry)

    async def _state(self, palace: str, entry: _Entry) -> Row:
        rows = await self._database.read(
            "search/read_changes", palace=palace, seen=max(entry.revision, 0), loaded=entry.revision >= 0
        )
        if not rows:
            self.forget(palace)
            raise _dropped(palace)
        return self._noted(entry, rows[0])

    def _noted(self, entry: _Entry, state: Row) -> Row:
        if state["born"] != entry.born:
            entry.born, entry.revision = state["born"], -1
        # Of two reads at once the earlier may answer last.
        if not entry.state or entry.state["born"] != entry.born or _written(entry.state) <= _written(state):
            entry.state = {column: state[column] for column in STANDING}
        return state

    async def _follow(self, palace: str, entry: _Entry, state: Row) -> bool:
        """Apply the changes; return whether the matrix now has as many drawers as the palace had."""
        revision, changes = state["revision"], state["changes"]
        last: dict[str, bool] = {}  # the last word on each drawer counts
        for change in changes:
            last.update(dict.fromkeys(change["stored"], True) | dict.fromkeys(change["removed"], False))
        stored = [drawer for drawer, there in last.items() if there]
        incomplete = entry.revision < 0 or len(changes) != revision - entry.revision  # nothing loaded, or a gap
        if incomplete or len(stored) * _SEEK > max(state["drawers"], _SMALL):
            fresh = await self.load(palace)
            async with entry.access.writing():
                entry.matrix, entry.revision = fresh, revision
            return True
        if changes:
            arrived = _rows(await self._database.read("search/load_some_vectors", ids=stored), self._dimension)
            async with entry.access.writing():
                entry.matrix.remove(last.keys() - set(arrived.ids))
                await asyncio.to_thread(entry.matrix.put, arrived)
                entry.revision = revision
        return state["drawers"] == len(entry.matrix)

    async def load(self, palace: str, *, many_neighbours: bool = False) -> DrawerMatrix:
        """Return a matrix of the caller's own with all drawers of the palace."""
        rows = await self._database.read("search/load_vectors", palace=palace)
        fresh = DrawerMatrix(self._dimension, device=self._device, many_neighbours=many_neighbours)

        def fill() -> None:
            for row in rows:
                fresh.put(_rows([row], self._dimension))

        await asyncio.to_thread(fill)
        return fresh


def _rows(rows: Sequence[Row], dimension: int) -> DrawerRows:
    if not rows:
        return DrawerRows((), (), (), (), np.empty((0, dimension), np.float32))
    row = rows[0]
    return DrawerRows(
        row["ids"],
        row["wings"],
        row["rooms"],
        row["times_ms"],
        from_bytes(row["embeddings"], dimension=dimension),
        row["importances"],
    )


def _dropped(palace: str) -> NotFound:
    return NotFound(f"palace {palace!r} was dropped", palace=palace)


def _written(state: Row) -> int:
    """Return how much was written to a palace; every part only grows."""
    return state["revision"] + state["learned"] + state["forgot"]
