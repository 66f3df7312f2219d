"""Limits how many requests a client may send in a minute."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable

from graphpalace.domain.texts import counted
from graphpalace.errors import RateLimited

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
