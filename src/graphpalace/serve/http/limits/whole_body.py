"""Reads each body completely before the request is processed, within limits of size, time and memory."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graphpalace.errors import Overloaded
from graphpalace.serve.http.errors import error_response, response_to

_LARGEST_AT_ONCE = 8  # memory for all bodies, in bodies of the largest size


class WholeBody:
    """Middleware that reads the whole body first, so that a slow client does not hold a turn."""

    def __init__(self, app: ASGIApp, *, most_bytes: int, timeout_s: float) -> None:
        """Guard an application.

        Args:
            most_bytes: Largest size of a body, whether its length is declared or not.
            timeout_s: Longest time to receive a body, in seconds.
        """
        self._app = app
        self._most, self._timeout_s = most_bytes, timeout_s
        self._kept = 0  # bytes of all bodies that are being received or processed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if declared.isdigit() and int(declared) > self._most:
            await self._too_large(scope, receive, send)
            return
        body = bytearray()
        try:
            if await self._read(body, scope, receive, send):
                whole: Message = {"type": "http.request", "body": bytes(body), "more_body": False}
                await self._app(scope, replayed(whole, receive), send)
        finally:
            self._kept -= len(body)

    async def _read(self, body: bytearray, scope: Scope, receive: Receive, send: Send) -> bool:
        """Read a body. Return False if it was refused, or the client disconnected."""
        more = True
        try:
            async with asyncio.timeout(self._timeout_s):
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return False
                    part = message.get("body", b"")
                    more = message.get("more_body", False)
                    body += part
                    self._kept += len(part)
                    if len(body) > self._most or self._kept > _LARGEST_AT_ONCE * self._most:
                        break
        except TimeoutError:
            message = f"the body did not arrive within {self._timeout_s:g} s ([service] body_timeout_s)"
            await error_response(408, "REQUEST_TIMEOUT", message, Connection="close")(scope, receive, send)
            return False
        if len(body) > self._most:
            await self._too_large(scope, receive, send)
            return False
        if self._kept > _LARGEST_AT_ONCE * self._most:
            busy = Overloaded("the service is receiving more data than it can hold in memory; try again in a moment")
            await response_to(busy)(scope, receive, send)
            return False
        return True

    async def _too_large(self, scope: Scope, receive: Receive, send: Send) -> None:
        message = f"the body is larger than {self._most} bytes ([service] max_body_mb)"
        await error_response(413, "ENTITY_TOO_LARGE", message)(scope, receive, send)


def replayed(message: Message, receive: Receive) -> Receive:
    """Return a `receive` that first returns a message that was already received."""
    waiting = [message]

    async def next_message() -> Message:
        return waiting.pop() if waiting else await receive()

    return next_message
