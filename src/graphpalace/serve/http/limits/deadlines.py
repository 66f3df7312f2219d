"""Answers each request in time: with its result, or with 503 when its time is over.

The time begins when the request has arrived. Waiting for a turn, for the database and for others is a part of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graphpalace.domain.deadline import due_in
from graphpalace.serve.http.errors import response_to
from graphpalace.serve.http.limits.request_kinds import kind_of
from graphpalace.telemetry import metrics


class Deadlines:
    """Middleware that gives each request the time of its kind. It runs after `WholeBody`, which reads the bodies."""

    def __init__(self, app: ASGIApp, *, seconds: Mapping[str, float]) -> None:
        """Guard an application.

        Args:
            seconds: In how many seconds requests must be answered, "read" and "write".
        """
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        kind = kind_of(scope["method"], scope["path"]) if scope["type"] == "http" else None
        if kind is None or kind.deadline is None:
            await self._app(scope, receive, send)
            return
        seconds, begun = self._seconds[kind.deadline], False
        limit = asyncio.timeout(seconds)

        async def answer(message: Message) -> None:
            nonlocal begun
            if not begun:
                begun = True
                limit.reschedule(None)  # what is being sent is sent to its end
            await send(message)

        with due_in(seconds, setting=f"[service] {kind.deadline}_deadline_s") as deadline:
            try:
                async with limit:
                    await self._app(scope, receive, answer)
            except TimeoutError:
                if begun or not limit.expired():
                    raise
                metrics.HTTP_LATE.labels(kind.turns).inc()
                await response_to(deadline.passed())(scope, receive, send)
