"""Simulations that run in the background, over shards of their documents."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from graphpalace.client.asynchronous.queued_jobs import AsyncQueuedJobs
from graphpalace.client.asynchronous.simulation import start_body

if TYPE_CHECKING:
    from graphpalace.domain.simulation.jobs import JobStarted, JobStatus

_POLL_S = 0.2


class AsyncJobs(AsyncQueuedJobs):
    """The background jobs of a palace. Any service of the database continues one whose service ends."""

    async def start(
        self,
        simulation: str = "default",
        *,
        wing: str | None = None,
        room: str | None = None,
        drawers: Sequence[str] | None = None,
        root: str | None = None,
        **settings: Any,
    ) -> JobStarted:
        """Queue a job and return its id.

        Args:
            simulation: Whose settings are the defaults, and whose clients see the progress.
            wing, room, drawers, root: As for `simulations.start`.
            settings: Settings that differ, for example `query="bread", max_chunks_per_shard=500`.
        Raises:
            InvalidInput: If a setting or the choice of documents is not possible.
            NotFound: If the palace, the wing, the room or a drawer does not exist.
        """
        from graphpalace.domain.simulation.jobs import JobStarted

        body = start_body(self._link.palace, {"wing": wing, "room": room, "drawers": drawers, "root": root}, settings)
        return await self._link.send_plain(JobStarted, "/v1/mcmp/jobs/start", body, simulation=simulation)

    async def wait(self, job: str, progress: Callable[[JobStatus], object] | None = None) -> JobStatus:
        """Wait until a job is done, has failed or is cancelled, and return it with its results.

        The job goes on if the wait is interrupted.

        Args:
            progress: Called about five times a second with the job, and once at the end.
        Raises:
            NotFound: If there is no such job.
        """
        while True:
            now = await self.status(job)
            if progress:
                progress(now)
            if now.status not in ("queued", "running"):
                return now
            await asyncio.sleep(_POLL_S)
