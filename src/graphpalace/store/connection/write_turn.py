"""Writes of one process that follow each other, each begun while the one before it commits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from graphpalace.domain.records import WriteResult


class _MakeWay(Exception):
    """The write before began again, and may need what this one has locked."""


class WriteTurn:
    """The place of a write in a row of them: it begins while the one before commits, and links to it after that."""

    def __init__(self, before: WriteTurn | None = None) -> None:
        self._before = before
        self.drawers: frozenset[str] = frozenset()  # that the write stores
        self._begun = False
        self._again = asyncio.Event()
        self._ready = asyncio.Event()
        self._outcome: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @property
    def follows(self) -> bool:
        """Whether there is a write before it."""
        return self._before is not None

    @property
    def awaited(self) -> frozenset[str]:
        """Ids of the drawers that are not there before `follow` has returned."""
        return self._before.drawers if self._before else frozenset()

    async def ready(self) -> None:
        """Wait until the next may begin: all is said and only the commit is left, or it failed."""
        await self._ready.wait()

    async def take(self, write: Callable[[], Awaitable[WriteResult]]) -> WriteResult:
        """Run the write, which is to call `begin`, `follow` and `leave` in its transaction."""
        try:
            try:
                written = await write()
            except _MakeWay:
                assert self._before
                await asyncio.wait([self._before._outcome])
                written = await write()
            self._outcome.set_result(None)
        except BaseException as error:
            self._outcome.set_exception(error if isinstance(error, Exception) else asyncio.CancelledError())
            self._outcome.exception()  # whether anybody follows or not
            raise
        finally:
            self._before = None
            self._ready.set()
        return written

    def begin(self) -> None:
        """Note that the transaction begins, perhaps again."""
        if self._begun:
            self._again.set()
        self._begun = True

    async def follow(self) -> None:
        """Wait until the write before is committed; raise what it failed with."""
        if self._before is None:
            return
        again = asyncio.create_task(self._before._again.wait())
        try:
            await asyncio.wait([self._before._outcome, again], return_when=asyncio.FIRST_COMPLETED)
        finally:
            again.cancel()
        if not self._before._outcome.done():
            raise _MakeWay
        self._before._outcome.result()

    def leave(self) -> None:
        """Note that only the commit is left."""
        self._ready.set()
