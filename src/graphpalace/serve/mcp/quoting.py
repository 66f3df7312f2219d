"""Quotes all that a palace answers before a tool sees it, because a model reads what the tool makes of it.

It stands between the tools and the API, so that a new tool cannot forget it, and so that a tool that cuts an answer to
a number of bytes counts those of the quotation.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator

from graphpalace.client.transports.reply import AsyncTransport, Reply, Request
from graphpalace.domain.quoting import quoted_json

_QUOTED = "/v1/wake-up"  # whose text is written for a model, within a number of bytes


class QuotingTransport:
    """Carries calls to another transport, and quotes the texts of its replies."""

    def __init__(self, inner: AsyncTransport) -> None:
        """Remember the transport that does the work."""
        self._inner = inner

    async def send(self, request: Request) -> Reply:
        """Send a call and return the whole reply, quoted."""
        reply = await self._inner.send(request)
        if request.path.partition("?")[0] == _QUOTED and reply.status < 400:
            return reply
        return Reply(reply.status, _quoted(reply.body))

    async def lines(self, request: Request) -> AsyncGenerator[bytes, None]:
        """Send a call and yield first the status and then the lines of the reply as they come, each quoted."""
        async for line in self._inner.lines(request):
            yield _quoted(line)

    async def close(self) -> None:
        """Close the other transport."""
        await self._inner.close()


def _quoted(body: bytes) -> bytes:
    return json.dumps(quoted_json(json.loads(body)), ensure_ascii=False).encode() if body.strip() else body
