"""Settles each palace a moment after the last write to it."""

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

_MOST_WAITS = 12  # writers that never pause are waited for so many times as long as one that does
_CLOSE_S = 10.0

_log = structlog.get_logger(__name__)


@dataclass(eq=False)
class _Unsettled:
    """A palace that was written to; times are those of `monotonic`."""

    first: float
    last: float
    again: bool = False  # something was written since settling began
    at_once: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None

    async def quiet(self, after_s: float) -> None:
        """Return once nothing was written for some seconds, or it must not wait any longer."""
        while not self.at_once.is_set():
            left = min(self.last + after_s, self.first + _MOST_WAITS * after_s) - monotonic()
            if left <= 0:
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(self.at_once.wait(), left)


class Settler:
    """Brings centroids, halls and tunnels in line with drawers that were written one by one.

    A palace has one task, which begins with a write and ends when all is settled. Other services may do the same:
    what is older never replaces what is newer.
    """

    def __init__(
        self, database: Database, indexes: DrawerIndexes, *, after_s: float, tunnel_threshold: float = 0.7
    ) -> None:
        """Wire it.

        Args:
            after_s: Seconds between the last write to a palace and its settling; 0: it is left to ingests.
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
        """Settle a palace soon, because it was just written to."""
        if not self._after_s or self._closing:
            return
        now = monotonic()
        known = self._unsettled.get(palace)
        if known is not None:
            known.last, known.again = now, True
            return
        known = self._unsettled[palace] = _Unsettled(now, now)
        known.task = asyncio.create_task(self._settle(palace, known))

    def forget(self, palace: str) -> None:
        """Leave a palace as it is."""
        known = self._unsettled.pop(palace, None)
        if known is not None and known.task is not None:
            known.task.cancel()

    async def close(self) -> None:
        """Settle at once what is waiting, for some seconds at most; what fails is left to the next write or ingest."""
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
                await known.quiet(self._after_s)
                known.again = False
                if not await self._settled(palace):
                    if self._closing:
                        return
                    known.again, known.last = True, monotonic()
                if not known.again:
                    return
                known.first = known.last
        finally:
            if self._unsettled.get(palace) is known:
                del self._unsettled[palace]

    async def _settled(self, palace: str) -> bool:
        """Settle a palace; return whether there is nothing more to do."""
        try:
            await settle(self._database, self._indexes, palace=palace, tunnel_threshold=self._tunnel_threshold)
        except NotFound:  # it was dropped
            return True
        except Exception as error:  # whatever it is, nobody waits for it who could be told
            message = error.message if isinstance(error, GraphPalaceError) else repr(error)
            _log.warning("palace_not_settled", palace=palace, reason=message)
            return False
        return True
