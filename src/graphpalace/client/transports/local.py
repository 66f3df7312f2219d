"""Calls to a palace whose work is done in this process."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from graphpalace.client.transports.asgi import AsgiTransport
from graphpalace.client.transports.reply import Reply, Request
from graphpalace.errors import Conflict

if TYPE_CHECKING:
    from graphpalace.app import GraphPalace
    from graphpalace.embedding.embedder import Embedder
    from graphpalace.serve.http.local import LocalService
    from graphpalace.settings.load import Settings

_T = TypeVar("_T")


def transport_over(settings: Settings, operations: Callable[[], GraphPalace]) -> AsgiTransport:
    """Return a transport to operations that somebody else opened and closes.

    Args:
        operations: Raises `DatabaseUnavailable` as long as there are none.
    """
    from graphpalace.serve.http.limits.deadlines import Deadlines
    from graphpalace.serve.http.local import local_api

    return AsgiTransport(Deadlines(local_api(settings, _Opened(operations)), seconds=settings.service.deadlines_s()))


@dataclass(frozen=True, slots=True)
class _Opened:
    operations: Callable[[], GraphPalace]


class AsyncLocalTransport:
    """Starts the operations at the first call. It belongs to the event loop of that call."""

    def __init__(self, settings: Settings | Path | None, *, embedder: Embedder | None = None) -> None:
        """Remember what to open; nothing is imported or opened yet.

        Args:
            settings: Settings, or the file to read them from; None reads them as the command line does.
            embedder: Another embedding model than the configured one.
        """
        self._settings = settings
        self._embedder = embedder
        self._starting = asyncio.Lock()
        self._service: LocalService | None = None
        self._transport: AsgiTransport | None = None
        self._closed = False

    async def send(self, request: Request) -> Reply:
        """Send a call and return the whole reply.

        Raises:
            DatabaseUnavailable: If Neo4j does not run.
        """
        return await (await self._started()).send(request)

    async def lines(self, request: Request) -> AsyncGenerator[bytes, None]:
        """Send a call and yield first the status and then the lines of the reply as they come."""
        async for line in (await self._started()).lines(request):
            yield line

    async def close(self) -> None:
        """End what is under way, and close the database."""
        self._closed = True
        async with self._starting:
            if self._service is not None:
                await self._service.stop()
                self._service = self._transport = None

    async def _started(self) -> AsgiTransport:
        if self._transport is not None:
            return self._transport
        async with self._starting:
            if self._closed:
                raise Conflict("this palace was closed; open it again")
            if self._transport is None:
                from graphpalace.serve.http.local import LocalService
                from graphpalace.serve.http.request_log import RequestIds
                from graphpalace.settings.load import Settings, load

                settings = self._settings if isinstance(self._settings, Settings) else load(self._settings)
                self._service = await LocalService(settings, embedder=self._embedder).start()
                self._transport = AsgiTransport(RequestIds(self._service.application))
            return self._transport


class LocalTransport:
    """The same for callers without asyncio: an event loop of its own runs in a thread. Several threads may call."""

    def __init__(self, settings: Settings | Path | None, *, embedder: Embedder | None = None) -> None:
        """Remember what to open; nothing is imported or opened yet.

        Args:
            settings: Settings, or the file to read them from; None reads them as the command line does.
            embedder: Another embedding model than the configured one.
        """
        self._transport = AsyncLocalTransport(settings, embedder=embedder)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="graphpalace", daemon=True)
        self._thread.start()

    def send(self, request: Request) -> Reply:
        """Send a call and return the whole reply.

        Raises:
            DatabaseUnavailable: If Neo4j does not run.
        """
        return self._run(self._transport.send(request))

    def lines(self, request: Request) -> Generator[bytes, None, None]:
        """Send a call and yield first the status and then the lines of the reply as they come."""
        lines = self._transport.lines(request)
        try:
            while (line := self._run(_next(lines))) is not None:
                yield line
        finally:
            self._run(lines.aclose())

    def close(self) -> None:
        """End what is under way, and close the database."""
        if self._loop.is_closed():
            return
        self._run(self._transport.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, work: Coroutine[Any, Any, _T]) -> _T:
        if self._loop.is_closed():
            work.close()
            raise Conflict("this palace was closed; open it again")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:  # Ctrl-C in the calling thread ends the work in the other one
            future.cancel()
            raise


async def _next(lines: AsyncIterator[bytes]) -> bytes | None:
    return await anext(lines, None)
