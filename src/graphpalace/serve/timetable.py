"""Work that a service repeats at fixed intervals."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from graphpalace.telemetry.work_ids import background_task

Work = Callable[[], Coroutine[Any, Any, None]]


class Timetable:
    """Runs each job at its interval, never twice at the same time, and stops quietly.

    APScheduler alone reports a cancelled job as failed, does not wait until the job has ended, and logs a warning when
    a turn is due while the previous one is still running.
    """

    def __init__(self) -> None:
        self._scheduler = AsyncIOScheduler(timezone="UTC")
        self._under_way: dict[Work, asyncio.Task[None]] = {}

    def every(self, seconds: float, work: Work, *, at_once: bool = False) -> None:
        """Add work to run every `seconds` (above 0). It first runs now if `at_once`, otherwise after one interval."""
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
        """Start. An error in one turn is logged, and the next turn runs as planned."""
        self._scheduler.start()

    async def stop(self) -> None:
        """Start no more turns, cancel those that are running, and wait until they have ended."""
        if not self._scheduler.running:
            return
        self._scheduler.pause()
        await asyncio.sleep(0)  # lets turns that are already due start, so that they can be cancelled like the others
        under_way = set(self._under_way.values())
        for task in under_way:
            task.cancel()
        if under_way:
            await asyncio.wait(under_way)
        self._scheduler.shutdown(wait=False)

    async def _turn(self, work: Work) -> None:
        if work in self._under_way:
            return
        kind = getattr(work, "__name__", "timetable").strip("_").replace("_", "-")
        task = self._under_way[work] = background_task(kind, work())
        try:
            await asyncio.wait({task})
        finally:
            del self._under_way[work]
        if not task.cancelled():
            task.result()
