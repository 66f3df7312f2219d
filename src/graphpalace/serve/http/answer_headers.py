"""Add headers to every answer that tell browsers to trust its declared type and to run no scripts in it."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY = "default-src 'none'; frame-ancestors 'none'"  # for data; pages have their own policy


class AnswerHeaders:
    """Middleware that adds security headers to each answer, unless the answer sets them itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["X-Content-Type-Options"] = "nosniff"
                headers.setdefault("Content-Security-Policy", _POLICY)
            await send(message)

        await self._app(scope, receive, with_headers)
