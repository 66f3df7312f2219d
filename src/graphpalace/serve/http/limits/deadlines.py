"""The kinds of requests, and by when each is answered: with its result, or with 503 when its time is over.

The time begins when the request has arrived. Waiting for a turn, for the database and for others is a part of it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graphpalace.domain.deadline import due_in
from graphpalace.serve.http.errors import response_to
from graphpalace.telemetry import metrics

_READ, _WRITE, _ANY = "read", "write", None  # how long a request may take; None: as long as it needs


@dataclass(frozen=True, slots=True)
class RequestKind:
    """What is the same for requests of one kind.

    Attributes:
        turns: Whose turns they take: "searches", "reads", "writes", "heavy" or "tools".
        deadline: Which deadline they have, "read" or "write"; None: as much time as they need.
    """

    turns: str
    deadline: str | None


# How long an ingest, a simulation or a large removal takes depends on what it is given. A call of a tool has its own
# limit.
_KINDS = (
    (RequestKind("tools", _ANY), r"[A-Z]+ /mcp"),
    (RequestKind("heavy", _WRITE), r"POST /v1/decay"),
    (
        RequestKind("heavy", _ANY),
        r"POST /v1/(rerank(/batch)?|explore|ingest(/(documents|content))?|conversations(/content)?|names/build)"
        r"|POST /v1/mcmp/(start|resume|jobs/start)"
        r"|POST /v1/(facts/propose|forget|palaces/reembed|export|import/finish)|DELETE /v1/palaces/.*",
    ),
    (RequestKind("searches", _READ), r"POST /v1/(search|navigate|surroundings|mcmp/search|runs/.*|hooks/.*)"),
    (RequestKind("reads", _READ), r"(GET|HEAD) /v1/.*"),
    (
        RequestKind("writes", _ANY),
        r"POST /v1/(messages|drawers/batch|import/.*|palaces|prune|mcmp/.*)|DELETE /v1/(wings|rooms)/.*",
    ),
    (RequestKind("writes", _WRITE), r"[A-Z]+ /v1/.*"),
)
_PATTERNS = tuple((kind, re.compile(pattern)) for kind, pattern in _KINDS)


def kind_of(method: str, path: str) -> RequestKind | None:
    """Return the kind of a request, or None if it is cheap and always answered, like health and files of the page."""
    return next((kind for kind, pattern in _PATTERNS if pattern.fullmatch(f"{method} {path}")), None)


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
