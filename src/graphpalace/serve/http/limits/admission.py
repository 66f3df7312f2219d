"""Limits how many requests a client sends in a minute, and how many of each kind run at once.

Some more may wait for a short time; the rest are refused at once, so that whoever asks can come again.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable, Mapping

from starlette.types import ASGIApp, Receive, Scope, Send

from graphpalace.domain.texts import counted
from graphpalace.errors import Overloaded, RateLimited
from graphpalace.serve.http.errors import response_to
from graphpalace.serve.http.limits.deadlines import kind_of
from graphpalace.serve.http.limits.whole_body import replayed
from graphpalace.telemetry import metrics

_WINDOW_S = 60.0


class RateLimit:
    """Allows each client a number of requests in any minute. Each process counts for itself."""

    def __init__(self, per_minute: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Start counting.

        Args:
            per_minute: Most requests of one client in a minute; 0 means no limit.
            clock: Returns the time in seconds.
        """
        self._most = per_minute
        self._clock = clock
        self._requests: dict[str, deque[float]] = {}  # ordered by the latest request

    def pass_or_refuse(self, client: str) -> None:
        """Count a request, or refuse it. Refused requests are not counted.

        Raises:
            RateLimited: If the client has sent too many; the detail has the seconds after which it may try again.
        """
        if not self._most:
            return
        now = self._clock()
        self._forget(now - _WINDOW_S)
        times = self._requests.get(client, deque())
        while times and times[0] <= now - _WINDOW_S:
            times.popleft()
        if len(times) >= self._most:
            wait = math.ceil(times[0] + _WINDOW_S - now)
            raise RateLimited(
                f"more than {self._most} requests in a minute ([rerank] rate_limit_per_minute):"
                f" try again in {counted(wait, 'second')}",
                retry_after_s=wait,
            )
        times.append(now)
        self._requests.pop(client, None)
        self._requests[client] = times

    def _forget(self, since: float) -> None:
        """Forget the clients that have sent no request since a time."""
        for client in list(self._requests):
            if self._requests[client][-1] > since:
                return
            del self._requests[client]


class TurnQueue:
    """Gives out a fixed number of turns. When all are taken, requests wait in the order of arrival."""

    def __init__(self, kind: str, *, at_once: int, most_waiting: int, wait_s: float) -> None:
        """Start with all turns free.

        Args:
            kind: Kind of the requests, for messages and metrics.
            at_once: Number of turns, >= 1.
            most_waiting: Most requests that may wait for a turn, >= 0.
            wait_s: Longest wait in seconds.
        """
        self._kind = kind
        self._at_once, self._most_waiting, self._wait_s = at_once, most_waiting, wait_s
        self._taken = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def take(self, receive: Receive) -> bool:
        """Wait for a turn and return True; the caller must give it back. Return False if the client disconnects.

        Args:
            receive: The rest of a request whose body has been read; it reports the disconnect.
        Raises:
            Overloaded: If too many requests are waiting already, or no turn became free in time.
        """
        if self._taken < self._at_once:
            self._taken += 1
            metrics.HTTP_UNDER_WAY.labels(self._kind).inc()
            return True
        if len(self._waiting) >= self._most_waiting:
            raise self._refusal("full")
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        gone = asyncio.create_task(_disconnect(receive))
        try:
            with metrics.HTTP_WAITING.labels(self._kind).track_inprogress():
                await asyncio.wait({turn, gone}, timeout=self._wait_s, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            if turn.done():
                self.give_back()
            raise
        finally:
            gone.cancel()
            if not turn.done():
                self._waiting.remove(turn)
        if turn.done():
            return True
        if gone.done():
            return False
        raise self._refusal("waited")

    def give_back(self) -> None:
        """Give the turn to the request that has waited longest."""
        if self._waiting:
            self._waiting.popleft().set_result(None)
        else:
            self._taken -= 1
            metrics.HTTP_UNDER_WAY.labels(self._kind).dec()

    def _refusal(self, why: str) -> Overloaded:
        metrics.HTTP_TURNED_AWAY.labels(self._kind, why).inc()
        waited = f" and {self._most_waiting} are waiting" if why == "full" else f" for more than {self._wait_s:g} s"
        return Overloaded(
            f"the service is busy: {self._at_once} {self._kind} are in progress{waited}; try again in a moment"
            f" ([service] {self._kind}_at_once, most_waiting, wait_s)",
            kind=self._kind,
        )


async def _disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class Admission:
    """Middleware that gives each kind of request its turns. It runs after `WholeBody`, which reads the bodies."""

    def __init__(self, app: ASGIApp, *, at_once: Mapping[str, int], most_waiting: int, wait_s: float) -> None:
        """Guard an application.

        Args:
            at_once: Most requests in progress, by kind.
            most_waiting: Most requests of each kind that may wait.
            wait_s: Longest wait in seconds.
        """
        self._app = app
        self._turns = {
            kind: TurnQueue(kind, at_once=most, most_waiting=most_waiting, wait_s=wait_s)
            for kind, most in at_once.items()
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        kind = kind_of(scope["method"], scope["path"]) if scope["type"] == "http" else None
        if kind is None:
            await self._app(scope, receive, send)
            return
        turns, body = self._turns[kind.turns], await receive()
        try:
            if not await turns.take(receive):
                return
        except Overloaded as error:
            await response_to(error)(scope, receive, send)
            return
        try:
            await self._app(scope, replayed(body, receive), send)
        finally:
            turns.give_back()
