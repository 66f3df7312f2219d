"""Order the writes of one process so that each starts while the previous one commits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from graphpalace.domain.drawers.records import WriteResult


class _MakeWay(Exception):
    """The previous write was restarted, and may need locks that this one holds."""


class WriteTurn:
    """The turn of a write in a sequence. It starts while the previous write commits, and links to its drawers later."""

    def __init__(self, before: WriteTurn | None = None) -> None:
        self._before = before
        self.drawers: frozenset[str] = frozenset()  # ids of the drawers that the write stores
        self._begun = False
        self._again = asyncio.Event()
        self._ready = asyncio.Event()
        self._outcome: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @property
    def follows(self) -> bool:
        """Whether there is a previous write."""
        return self._before is not None

    @property
    def awaited(self) -> frozenset[str]:
        """Ids of drawers that may not exist until `follow` has returned."""
        return self._before.drawers if self._before else frozenset()

    async def ready(self) -> None:
        """Wait until the next write may start: until only the commit of this one is left, or it failed."""
        await self._ready.wait()

    async def take(self, write: Callable[[], Awaitable[WriteResult]]) -> WriteResult:
        """Run a write, which must call `begin`, `follow` and `leave` in its transaction."""
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
            self._outcome.exception()  # retrieved here, as perhaps no write follows
            raise
        finally:
            self._before = None
            self._ready.set()
        return written

    def begin(self) -> None:
        """Record that the transaction starts, possibly again."""
        if self._begun:
            self._again.set()
        self._begun = True

    async def follow(self) -> None:
        """Wait until the previous write is committed; raise its error if it failed."""
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
        """Record that only the commit is left."""
        self._ready.set()
