"""How often a client may ask."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable

from graphpalace.domain.counts import counted
from graphpalace.errors import RateLimited

_WINDOW_S = 60.0


class RateLimit:
    """Lets each client ask a number of times in any minute, as this process counts."""

    def __init__(self, per_minute: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Start to count.

        Args:
            per_minute: Most requests of one client; 0: no limit.
            clock: Seconds.
        """
        self._most = per_minute
        self._clock = clock
        self._asked: dict[str, deque[float]] = {}  # the client that asked last comes last

    def pass_or_refuse(self, client: str) -> None:
        """Count a request; one that is refused does not count.

        Raises:
            RateLimited: If the client has asked too often; the detail says in how many seconds it may ask again.
        """
        if not self._most:
            return
        now = self._clock()
        self._forget(now - _WINDOW_S)
        times = self._asked.get(client, deque())
        while times and times[0] <= now - _WINDOW_S:
            times.popleft()
        if len(times) >= self._most:
            wait = math.ceil(times[0] + _WINDOW_S - now)
            raise RateLimited(
                f"more than {self._most} requests in a minute ([rerank] rate_limit_per_minute):"
                f" ask again in {counted(wait, 'second')}",
                retry_after_s=wait,
            )
        times.append(now)
        self._asked.pop(client, None)
        self._asked[client] = times

    def _forget(self, since: float) -> None:
        """Free the memory of clients that have not asked for a minute."""
        for client in list(self._asked):
            if self._asked[client][-1] > since:
                return
            del self._asked[client]
