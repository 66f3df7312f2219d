"""How the parts of a palace call its service."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import Any, TypeVar

from graphpalace.client import wire
from graphpalace.client.transports.reply import AsyncTransport, Reply

T = TypeVar("T")


class AsyncLink:
    """A transport and the name of the palace that all calls are about."""

    def __init__(self, transport: AsyncTransport, palace: str | None, *, timeout_s: float | None = None) -> None:
        """Remember where to call.

        Args:
            palace: The name of the palace; None is the one that the service's settings name.
            timeout_s: How long to wait for each answer; None waits without limit.
        """
        self.transport = transport
        self.palace = palace
        self.timeout_s = timeout_s

    async def get(self, kind: type[T], path: str, /, **query: Any) -> T:
        """Ask for something about the palace and return the answer as a value of `kind`."""
        return wire.value_of(await self.send("GET", path, query={"palace": self.palace} | query), kind)

    async def post(self, kind: type[T], path: str, /, **body: Any) -> T:
        """Ask the palace to do something and return the answer as a value of `kind`."""
        return wire.value_of(await self.send("POST", path, body={"palace": self.palace} | body), kind)

    async def patch(self, kind: type[T], path: str, /, **body: Any) -> T:
        """Ask the palace to change something and return the answer as a value of `kind`."""
        return wire.value_of(await self.send("PATCH", path, body={"palace": self.palace} | body), kind)

    async def remove(self, kind: type[T], path: str, /, **query: Any) -> T:
        """Ask the palace to remove something and return the answer as a value of `kind`."""
        return wire.value_of(await self.send("DELETE", path, query={"palace": self.palace} | query), kind)

    async def send_plain(self, kind: type[T], path: str, body: Any, /, **query: Any) -> T:
        """Send a body as it is, None in it and all, and return the answer as a value of `kind`.

        Args:
            body: What JSON can hold; None sends no body.
        """
        request = wire.request_of("POST", path, query=query, timeout_s=self.timeout_s)
        content = None if body is None else wire.encoded(body)
        return wire.value_of(await self.transport.send(replace(request, body=content)), kind)

    async def send(self, method: str, path: str, **parts: Any) -> Reply:
        """Send a call and return the reply as it came."""
        return await self.transport.send(wire.request_of(method, path, timeout_s=self.timeout_s, **parts))

    async def stream(self, path: str, **body: Any) -> AsyncGenerator[dict[str, Any], None]:
        """Ask the palace to do something that takes long, and yield each line that it reports, as JSON.

        Raises:
            GraphPalaceError: The error that the service answered with, also in the middle of the lines.
        """
        request = wire.request_of("POST", path, body={"palace": self.palace} | body)
        async with aclosing(self.transport.lines(request)) as lines:  # the service stops when the caller leaves
            status = int(await anext(lines))
            if status >= 400:
                wire.check(Reply(status, b"".join([line async for line in lines])))
            async for line in lines:
                said = json.loads(line)
                if "error" in said:
                    wire.check(Reply(500, line))
                yield said
