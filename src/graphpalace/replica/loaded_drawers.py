"""The drawers of one palace in memory, which many read at once, in batches, while one changes them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np

from graphpalace.domain.deadline import without_deadline
from graphpalace.domain.palaces.palaces import PalaceVersion
from graphpalace.domain.search.answer import Ranking
from graphpalace.domain.search.news import NewsOn
from graphpalace.domain.vectors import Vector, texts_from_bytes
from graphpalace.replica.read_again import read_again
from graphpalace.store.search.drawer_columns import DrawerColumns, DrawerVectorStore
from graphpalace.vectors.drawer_matrix import DrawerMatrix
from graphpalace.vectors.drawer_rows import DrawerRows

_Q = TypeVar("_Q")
_A = TypeVar("_A")
_MOST = 32  # largest number of questions in a batch


class _ReadersWriter:
    """A lock that allows many readers or one writer at a time."""

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
class LoadedDrawers:
    """The drawers of a palace, and how far they are up to date.

    Attributes:
        revision: Of the palace, up to which its changes were followed; -1: nothing was read yet.
        born: Time of creation, which differs if the palace was dropped and created again.
        update: Held by who brings it up to date.
        access: Held by who reads the matrix, and alone by who changes it.
        together: Answers several searches by one product.
    """

    matrix: DrawerMatrix
    revision: int = -1
    state: PalaceVersion | None = None
    model: str = ""
    born: str = ""
    update: asyncio.Lock = field(default_factory=asyncio.Lock)
    access: _ReadersWriter = field(default_factory=_ReadersWriter)
    together: RequestBatcher[tuple[Vector, int], Ranking] = field(init=False)

    def __post_init__(self) -> None:
        self.together = RequestBatcher(self._nearest)

    async def _nearest(self, asked: Sequence[tuple[Vector, int]]) -> list[Ranking]:
        most = max(limit for _, limit in asked)
        vectors = np.stack([vector for vector, _ in asked])
        async with self.access.reading():
            found = await asyncio.to_thread(self.matrix.nearest_of_each, vectors, limit=most)
        return [ranking.first(limit) for ranking, (_, limit) in zip(found, asked, strict=True)]


@dataclass(frozen=True, slots=True)
class HeldPalace:
    """What a process has in memory of a palace.

    Attributes:
        size_bytes: Of the vectors.
        behind: How many writes to the palace it does not have yet, of those that it knows of.
    """

    palace: str
    drawers: int
    size_bytes: int
    behind: int


async def read_all(matrix: DrawerMatrix, stored: DrawerVectorStore, palace: str, state: PalaceVersion) -> bool:
    """Read all drawers of a palace into an empty matrix; return false if the palace changed its model meanwhile."""
    await asyncio.to_thread(matrix.reserve, state.drawers)

    async def read() -> bool:  # drawers that are read again are replaced
        async with aclosing(stored.load(palace)) as parts:
            async for part in parts:
                if part.model != state.model:
                    return False
                await asyncio.to_thread(lambda part=part: matrix.put(rows_of(part, state.dimension)))
        return True

    return await read_again(read)


def rows_of(read: DrawerColumns, dimension: int) -> DrawerRows:
    """Return what was read of drawers as rows of a matrix."""
    vectors, windows = texts_from_bytes(read.embeddings, dimension=dimension)
    return DrawerRows(
        read.ids,
        read.wings,
        read.rooms,
        read.times_ms,
        vectors,
        read.importances,
        read.pointer_shares,
        (read.authors, read.projects, read.conversations),
        [[NewsOn(older, probability) for older, probability in some] for some in read.news],
        windows,
    )


@dataclass(slots=True)
class _Waiting(Generic[_Q, _A]):
    question: _Q
    answer: asyncio.Future[_A]


class RequestBatcher(Generic[_Q, _A]):
    """Answers questions in batches. A batch consists of the questions that arrived during the previous batch.

    A single question is answered at once.
    """

    def __init__(self, answer: Callable[[Sequence[_Q]], Awaitable[Sequence[_A]]]) -> None:
        """Create a batcher.

        Args:
            answer: Returns an answer for each question, in the same order.
        """
        self._answer = answer
        self._waiting: list[_Waiting[_Q, _A]] = []
        self._task: asyncio.Task[None] | None = None

    async def ask(self, question: _Q) -> _A:
        """Return the answer to a question. If its batch fails, all questions of the batch get the error."""
        waiting = _Waiting(question, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._task is None or self._task.done():
            self._task = without_deadline(self._work())
        return await waiting.answer

    async def _work(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
            batch = [one for one in batch if not one.answer.cancelled()]  # skip callers that no longer wait
            if not batch:
                continue
            try:
                answers = await self._answer([one.question for one in batch])
            except Exception as error:
                for one in batch:
                    if not one.answer.done():
                        one.answer.set_exception(error)
                continue
            for one, answer in zip(batch, answers, strict=True):
                if not one.answer.done():
                    one.answer.set_result(answer)
