"""Work that a service does again and again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any

from apscheduler.schedulers.asyncio import AsyncIOScheduler

Work = Callable[[], Coroutine[Any, Any, None]]


class Timetable:
    """Does each work at its interval, never twice at once, and ends without a word about what it broke off.

    APScheduler left alone reports a job as failed when it cancels it, does not wait for its end, and complains of
    turns that come while the one before is still at work.
    """

    def __init__(self) -> None:
        self._scheduler = AsyncIOScheduler(timezone="UTC")
        self._under_way: dict[Work, asyncio.Task[None]] = {}

    def every(self, seconds: float, work: Work, *, at_once: bool = False) -> None:
        """Add work to do every so many seconds (above 0), the first time now or one interval from now."""
        self._scheduler.add_job(
            self._turn,
            "interval",
            args=[work],
            seconds=seconds,
            max_instances=1000,
            coalesce=True,
            misfire_grace_time=None,
            next_run_time=datetime.now(UTC) + timedelta(seconds=0 if at_once else seconds),
        )

    def start(self) -> None:
        """Begin; what goes wrong in a turn is logged, and the next turn comes all the same."""
        self._scheduler.start()

    async def stop(self) -> None:
        """Begin nothing more, break off what is under way and wait until it has ended."""
        if not self._scheduler.running:
            return
        self._scheduler.pause()
        await asyncio.sleep(0)  # turns handed out already begin, so that they can be broken off like the others
        under_way = set(self._under_way.values())
        for task in under_way:
            task.cancel()
        if under_way:
            await asyncio.wait(under_way)
        self._scheduler.shutdown(wait=False)

    async def _turn(self, work: Work) -> None:
        if work in self._under_way:
            return
        task = self._under_way[work] = asyncio.create_task(work())
        try:
            await asyncio.wait({task})
        finally:
            del self._under_way[work]
        if not task.cancelled():
            task.result()
