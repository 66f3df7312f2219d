"""Calls to an application of this process: what HTTP would carry, without a socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import unquote

from graphpalace.client.transports.reply import Reply, Request
from graphpalace.errors import ServiceUnavailable

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
