"""Ends the service after some time without requests and without work in the background."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import Callable, Iterator

import structlog
from starlette.types import ASGIApp, Receive, Scope, Send

from graphpalace.app import GraphPalace
from graphpalace.errors import DatabaseUnavailable

_LOG = structlog.get_logger("graphpalace.service")
_LOOK_S = 10.0
_NOT_USE = re.compile(r"/health/.*|/metrics")  # what watches a service does not use it


class RequestClock:
    """Knows when the last request ended, and whether requests are under way."""

    def __init__(self) -> None:
        self._under_way = 0
        self._last = time.monotonic()

    @property
    def idle_s(self) -> float:
        """Seconds since the last request ended, or the service started; 0 while requests are under way."""
        return 0.0 if self._under_way else time.monotonic() - self._last

    @contextlib.contextmanager
    def request(self) -> Iterator[None]:
        """Count a request while it is under way."""
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1
            self._last = time.monotonic()


class ClockedRequests:
    """Middleware that counts requests and open WebSockets, but not health checks and metrics."""

    def __init__(self, app: ASGIApp, *, clock: RequestClock) -> None:
        self._app = app
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or one WebSocket."""
        if scope["type"] not in ("http", "websocket") or _NOT_USE.fullmatch(scope["path"]):
            await self._app(scope, receive, send)
            return
        with self._clock.request():
            await self._app(scope, receive, send)


class IdleStop:
    """Ends the service once nobody has used it for some time. The scheduler is no use, but other work is."""

    def __init__(
        self,
        clock: RequestClock,
        operations: Callable[[], GraphPalace],
        *,
        after_s: float,
        end: Callable[[], None],
    ) -> None:
        """Create it; `start` begins to look.

        Args:
            operations: Raises `DatabaseUnavailable` until the database is reached.
            after_s: Seconds without a request and without work.
            end: Begins to end the service.
        """
        self._clock = clock
        self._operations = operations
        self._after_s = after_s
        self._end = end
        self._worked_at = time.monotonic()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start looking, on the running event loop."""
        self._task = asyncio.create_task(self._look())

    async def stop(self) -> None:
        """Stop looking."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(min(_LOOK_S, self._after_s / 4))
            if min(self._clock.idle_s, self._rest_s()) >= self._after_s:
                break
        _LOG.info("service_ends", reason=f"nobody has used it for {self._after_s / 60:g} minutes")
        self._end()

    def _rest_s(self) -> float:
        """Return the seconds since work in the background was last seen."""
        with contextlib.suppress(DatabaseUnavailable):
            if self._operations().busy:
                self._worked_at = time.monotonic()
        return time.monotonic() - self._worked_at
