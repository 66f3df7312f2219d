# Written by `make client` from ../asynchronous/jobs.py; change that file.
"""Simulations that run in the background, over shards of their documents."""

from __future__ import annotations

import builtins
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from graphpalace.client.synchronous.link import Link
from graphpalace.client.synchronous.simulation import start_body

if TYPE_CHECKING:
    from graphpalace.domain.simulation.jobs import JobStarted, JobStatus, ListedJob

_POLL_S = 0.2


class Jobs:
    """The background jobs of a palace. Any service of the database continues one whose service ends."""

    def __init__(self, link: Link) -> None:
        """Use the link of a palace."""
        self._link = link

    def start(
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
        return self._link.send_plain(JobStarted, "/v1/mcmp/jobs/start", body, simulation=simulation)

    def status(self, job: str) -> JobStatus:
        """Return a job with its progress and its results so far.

        Raises:
            NotFound: If there is no such job.
        """
        from graphpalace.domain.simulation.jobs import JobStatus

        return self._link.get(JobStatus, "/v1/mcmp/jobs/status", job_id=job)

    def cancel(self, job: str) -> JobStarted:
        """Cancel a job that is queued or running. Its results so far are kept.

        Raises:
            NotFound: If there is no such job.
            Conflict: If it is done or has failed.
        """
        from graphpalace.domain.simulation.jobs import JobStarted

        return self._link.send_plain(JobStarted, "/v1/mcmp/jobs/cancel", {"job_id": job})

    def list(self) -> builtins.list[ListedJob]:
        """Return the jobs of the palace, newest first.

        Raises:
            NotFound: If the palace does not exist.
        """
        from graphpalace.domain.simulation.jobs import JobList

        return builtins.list((self._link.get(JobList, "/v1/mcmp/jobs")).jobs)

    def wait(self, job: str, progress: Callable[[JobStatus], object] | None = None) -> JobStatus:
        """Wait until a job is done, has failed or is cancelled, and return it with its results.

        The job goes on if the wait is interrupted.

        Args:
            progress: Called about five times a second with the job, and once at the end.
        Raises:
            NotFound: If there is no such job.
        """
        while True:
            now = self.status(job)
            if progress:
                progress(now)
            if now.status not in ("queued", "running"):
                return now
            time.sleep(_POLL_S)
