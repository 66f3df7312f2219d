"""Settle each palace shortly after the last write to it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic

import structlog

from graphpalace.errors import GraphPalaceError, NotFound
from graphpalace.operations.drawers.settle import settle
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.store.connection.database import Database
from graphpalace.telemetry import metrics
from graphpalace.telemetry.work_ids import background, background_task, current_id

_MOST_WAITS = 12  # if writes never pause, settle after this many times the usual wait
_MOST_BACK_OFF = 64  # after failures, settle after at most this many times the usual wait
_CLOSE_S = 10.0

_log = structlog.get_logger(__name__)


@dataclass(eq=False)
class _Unsettled:
    """A palace that was written to and is not settled yet; times are readings of `monotonic`.

    Attributes:
        again: Whether something was written since settling began.
        wait: How many times the usual wait to wait; it doubles with each failure.
        failed: Why settling failed last; "" if it did not.
    """

    first: float
    last: float
    again: bool = False
    wait: int = 1
    failed: str = ""
    at_once: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None

    async def quiet(self, after_s: float) -> None:
        """Wait until nothing was written for `after_s` seconds, or the longest wait has passed."""
        while not self.at_once.is_set():
            left = min(self.last + after_s, self.first + _MOST_WAITS * after_s) - monotonic()
            if left <= 0:
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(self.at_once.wait(), left)


class Settler:
    """Updates centroids, halls and tunnels after drawers were written one by one.

    Each palace has one task, which starts with a write and ends when everything is settled. Several services may settle
    the same palace: an older result never replaces a newer one.
    """

    def __init__(
        self, database: Database, indexes: DrawerIndexes, *, after_s: float, tunnel_threshold: float = 0.7
    ) -> None:
        """Create a settler.

        Args:
            after_s: Seconds from the last write to a palace until it is settled; 0: only ingests settle.
            tunnel_threshold: Least cosine of two rooms for a tunnel.
        """
        self._database = database
        self._indexes = indexes
        self._after_s = after_s
        self._tunnel_threshold = tunnel_threshold
        self._unsettled: dict[str, _Unsettled] = {}
        self._closing = False

    @property
    def waiting(self) -> list[str]:
        """Names of the palaces that are not settled yet."""
        return sorted(self._unsettled)

    def wrote(self, palace: str) -> None:
        """Schedule a palace to be settled, because it was just written to."""
        if not self._after_s or self._closing:
            return
        now = monotonic()
        known = self._unsettled.get(palace)
        if known is not None:
            known.last, known.again = now, True
            return
        known = self._unsettled[palace] = _Unsettled(now, now)
        known.task = background_task("settle", self._settle(palace, known))

    def forget(self, palace: str) -> None:
        """Cancel the settling of a palace."""
        known = self._unsettled.pop(palace, None)
        if known is not None and known.task is not None:
            known.task.cancel()

    async def close(self) -> None:
        """Settle all waiting palaces now, for at most 10 seconds.

        What is not settled by then is settled after the next write or ingest.
        """
        self._closing = True
        tasks = []
        for known in self._unsettled.values():
            known.at_once.set()
            tasks.append(known.task)
        if not tasks:
            return
        _, late = await asyncio.wait(tasks, timeout=_CLOSE_S)
        if late:
            _log.warning("palaces_not_settled", palaces=self.waiting, reason=f"not done within {_CLOSE_S:g} s")
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def _settle(self, palace: str, known: _Unsettled) -> None:
        try:
            while True:
                await known.quiet(known.wait * self._after_s)
                known.again = False
                failure = await self._failure(palace)
                if failure is None:
                    known.failed, known.wait = "", 1
                elif self._closing:
                    return
                else:
                    known.again, known.last = True, monotonic()
                    known.wait = min(2 * known.wait, _MOST_BACK_OFF)
                    if failure != known.failed:  # said once, and again when there is another reason
                        _log.warning("palace_not_settled", palace=palace, reason=failure)
                    known.failed = failure
                if not known.again:
                    return
                known.first = known.last
        finally:
            if self._unsettled.get(palace) is known:
                del self._unsettled[palace]

    async def _failure(self, palace: str) -> str | None:
        """Settle a palace; return why it failed and should be tried again, or None."""
        try:
            with background("settle", work_id=current_id(), palace=palace), metrics.SETTLE_SECONDS.time():
                await settle(self._database, self._indexes, palace=palace, tunnel_threshold=self._tunnel_threshold)
        except NotFound:  # it was dropped
            return None
        except Exception as error:  # this is a background task: no caller would see the error
            metrics.SETTLE_FAILURES.inc()
            return error.message if isinstance(error, GraphPalaceError) else repr(error)
        return None
