"""Limits how many requests of each kind run at once.

Some more may wait for a short time; the rest are refused at once, so that whoever asks can come again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping

from starlette.types import ASGIApp, Receive, Scope, Send

from graphpalace.errors import Overloaded
from graphpalace.serve.http.errors import response_to
from graphpalace.serve.http.limits.request_kinds import kind_of
from graphpalace.serve.http.limits.whole_body import replayed
from graphpalace.telemetry import metrics


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
