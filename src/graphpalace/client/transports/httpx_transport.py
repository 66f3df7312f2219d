"""Calls over HTTP with asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from typing import TYPE_CHECKING

from graphpalace.client.ensure_service import address
from graphpalace.client.transports.reply import (
    Reply,
    Request,
    busy_pauses,
    in_progress,
    may_try_again,
    pauses,
    turned_away,
    with_key,
)
from graphpalace.client.transports.sockets import unreachable
from graphpalace.errors import ServiceUnavailable

if TYPE_CHECKING:
    import httpx

_CONNECT_S = 5.0
_IDLE_S = 3.0  # as the transport without asyncio does


class HttpxTransport:
    """Keeps connections to one service open. It belongs to the event loop that uses it first."""

    def __init__(self, url: str | None, *, api_key: str | None = None) -> None:
        """Remember where the service is; nothing is opened yet.

        Args:
            url: For example `http://127.0.0.1:8600`. None: that of the service of this machine, which is found, and
                started if necessary, by a thread at the first call.
            api_key: The key of the service, if it asks for one.
        """
        self._url = url
        self._key = api_key
        self._opening = asyncio.Lock()
        self._client: httpx.AsyncClient | None = None
        self._earlier: list[httpx.AsyncClient] = []

    async def send(self, request: Request) -> Reply:
        """Send a call and return the whole reply. If the connection breaks, the call is sent once more.

        A call that a busy service turns away is sent again for some seconds.

        Raises:
            ServiceUnavailable: If the service cannot be reached or started, or goes away before it has answered.
        """
        asked = with_key(request)
        try:
            return await self._whole(asked)
        except ServiceUnavailable as error:
            if not may_try_again(error, restarts=self._url is None):
                raise
        await self._find_again()
        return await _repeated(asked, self._whole, while_=in_progress, pauses=pauses)

    async def _whole(self, request: Request) -> Reply:
        return await _repeated(request, self._once, while_=turned_away, pauses=busy_pauses)

    async def _once(self, request: Request) -> Reply:
        import httpx

        client = await self._opened()
        try:
            answer = await client.send(_built(client, request))
        except httpx.HTTPError as error:
            plain = _plain(error)
            raise unreachable(str(client.base_url), plain) from plain
        return Reply(answer.status_code, answer.content)

    async def lines(self, request: Request) -> AsyncGenerator[bytes, None]:
        """Send a call and yield the status and then the lines of the reply as they come.

        Raises:
            ServiceUnavailable: If the service cannot be reached or started, or goes away before it has finished.
        """
        import httpx

        client = await self._opened()
        try:
            answer = await client.send(_built(client, request), stream=True)
            try:
                yield str(answer.status_code).encode()
                async for line in answer.aiter_lines():
                    yield line.encode()
            finally:
                await answer.aclose()
        except httpx.HTTPError as error:
            raise unreachable(str(client.base_url), _plain(error)) from error

    async def close(self) -> None:
        """Close all connections."""
        for client in (*self._earlier, self._client):
            if client is not None:
                await client.aclose()

    async def _find_again(self) -> None:
        """Look anew where the service of this machine is. Other calls may still wait on the old connections."""
        async with self._opening:
            if self._url is None and self._client is not None:
                self._earlier.append(self._client)
                self._client = None

    async def _opened(self) -> httpx.AsyncClient:
        import httpx

        async with self._opening:
            if self._client is None:
                url, key = await asyncio.to_thread(address, self._url, self._key)
                headers = {"Authorization": f"Bearer {key}"} if key else {}
                limits = httpx.Limits(keepalive_expiry=_IDLE_S)
                self._client = httpx.AsyncClient(base_url=url, headers=headers, limits=limits, trust_env=False)
            return self._client


async def _repeated(
    request: Request,
    send: Callable[[Request], Awaitable[Reply]],
    *,
    while_: Callable[[Reply], bool],
    pauses: Callable[[Request], Iterator[float]],
) -> Reply:
    """Send a call, and send it again after each pause while the reply says that this may help."""
    reply = await send(request)
    for pause in pauses(request):
        if not while_(reply):
            break
        await asyncio.sleep(pause)
        reply = await send(request)
    return reply


def _built(client: httpx.AsyncClient, request: Request) -> httpx.Request:
    import httpx

    return client.build_request(
        request.method,
        request.path,
        content=request.body,
        headers=request.headers,
        timeout=httpx.Timeout(request.timeout_s, connect=_CONNECT_S),
    )


def _plain(error: Exception) -> Exception:
    import httpx

    if isinstance(error, httpx.TimeoutException):
        return TimeoutError()
    if isinstance(error, httpx.ConnectError):
        return ConnectionRefusedError()
    return error
