"""Calls to a palace whose work is done in this process: what HTTP would carry, without a socket."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine, Generator, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import unquote

from graphpalace.client.transports.reply import Reply, Request
from graphpalace.errors import Conflict, ServiceUnavailable

if TYPE_CHECKING:
    from graphpalace.app import GraphPalace
    from graphpalace.embedding.embedder import Embedder
    from graphpalace.serve.http.app import LocalService
    from graphpalace.settings.load import Settings


_AHEAD = 16  # parts of an answer that are not read yet

Application = Callable[..., Awaitable[None]]  # ASGI


class AsgiTransport:
    """Calls an ASGI application. Calls run on the event loop of the caller."""

    def __init__(self, application: Application) -> None:
        """Remember the application.

        Args:
            application: It must have been started already.
        """
        self._application = application

    async def send(self, request: Request) -> Reply:
        """Send a call and return the whole reply.

        Raises:
            ServiceUnavailable: If the application fails before it has answered.
        """
        lines = self.lines(request)
        status = int(await anext(lines))
        return Reply(status, b"".join([line async for line in lines]))

    async def lines(self, request: Request) -> AsyncGenerator[bytes, None]:
        """Send a call and yield first the status and then the lines of the reply as they come.

        Raises:
            ServiceUnavailable: If the application fails before it has finished.
        """
        # Bounded, so that an application that answers much waits for who reads it.
        sent: asyncio.Queue[MutableMapping[str, Any] | None] = asyncio.Queue(_AHEAD)
        unread = [{"type": "http.request", "body": request.body or b"", "more_body": False}]
        gone = asyncio.Event()

        async def receive() -> MutableMapping[str, Any]:
            if unread:
                return unread.pop()
            await gone.wait()
            return {"type": "http.disconnect"}

        async def answer() -> None:
            try:
                await self._application(_scope(request), receive, sent.put)
            except Exception:
                await sent.put(None)
                raise
            await sent.put(None)

        task = asyncio.create_task(answer())
        rest = b""
        try:
            async with asyncio.timeout(request.timeout_s):
                begin = await sent.get()
            if begin is None:
                await task  # raises what went wrong
                raise ServiceUnavailable("the application of this process did not answer")
            yield str(begin["status"]).encode()
            while (message := await sent.get()) is not None:
                *whole, rest = (rest + message.get("body", b"")).split(b"\n")
                for line in whole:
                    yield line + b"\n"
            if rest:
                yield rest
            await task
        except TimeoutError as error:
            raise ServiceUnavailable(f"there was no answer within {request.timeout_s:g} s") from error
        finally:
            gone.set()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def close(self) -> None:
        """Do nothing: who started the application stops it."""


def _scope(request: Request) -> dict[str, Any]:
    path, _, query = request.path.partition("?")
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [
            (b"host", b"localhost"),
            (b"content-type", b"application/json"),
            *([] if request.key is None else [(b"idempotency-key", request.key.encode())]),
        ],
        "client": ("127.0.0.1", 0),
        "server": ("127.0.0.1", 0),
    }


_T = TypeVar("_T")


def transport_over(settings: Settings, operations: Callable[[], GraphPalace]) -> AsgiTransport:
    """Return a transport to operations that somebody else opened and closes.

    Args:
        operations: Raises `DatabaseUnavailable` as long as there are none.
    """
    from graphpalace.serve.http.app import local_api
    from graphpalace.serve.http.limits.deadlines import Deadlines

    return AsgiTransport(Deadlines(local_api(settings, _Opened(operations)), seconds=settings.service.deadlines_s()))


@dataclass(frozen=True, slots=True)
class _Opened:
    operations: Callable[[], GraphPalace]


class AsyncLocalTransport:
    """Starts the operations at the first call. It belongs to the event loop of that call."""

    def __init__(
        self, settings: Settings | Path | None, *, embedder: Embedder | None = None, ray: str | None = None
    ) -> None:
        """Remember what to open; nothing is imported or opened yet.

        Args:
            settings: Settings, or the file to read them from; None reads them as the command line does.
            embedder: Another embedding model than the configured one.
            ray: Address of a Ray cluster whose workers compute; None: this process.
        """
        self._settings = settings
        self._embedder = embedder
        self._ray = ray
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
                from graphpalace.serve.http.app import LocalService
                from graphpalace.serve.http.request_log import RequestIds
                from graphpalace.settings.load import Settings, load

                settings = self._settings if isinstance(self._settings, Settings) else load(self._settings)
                self._service = await LocalService(settings, embedder=self._embedder, ray=self._ray).start()
                self._transport = AsgiTransport(RequestIds(self._service.application))
            return self._transport


class LocalTransport:
    """The same for callers without asyncio: an event loop of its own runs in a thread. Several threads may call."""

    def __init__(
        self, settings: Settings | Path | None, *, embedder: Embedder | None = None, ray: str | None = None
    ) -> None:
        """Remember what to open; nothing is imported or opened yet.

        Args:
            settings: Settings, or the file to read them from; None reads them as the command line does.
            embedder: Another embedding model than the configured one.
            ray: Address of a Ray cluster whose workers compute; None: this process.
        """
        self._transport = AsyncLocalTransport(settings, embedder=embedder, ray=ray)
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
