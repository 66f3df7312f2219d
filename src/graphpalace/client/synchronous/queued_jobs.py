# Written by `make client` from ../asynchronous/queued_jobs.py; change that file.
"""The background jobs of a palace, but for their start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphpalace.client.synchronous.link import Link

if TYPE_CHECKING:
    from graphpalace.domain.simulation.jobs import JobStarted, JobStatus, ListedJob


class QueuedJobs:
    """The background jobs of a palace, but for their start."""

    def __init__(self, link: Link) -> None:
        """Use the link of a palace."""
        self._link = link

    def status(self, job: str) -> JobStatus:
        """Show a job with its progress and its results so far.

        Args:
            job: Its id.
        Raises:
            NotFound: If there is no such job.
        """
        from graphpalace.offers.simulation import JOB_STATUS

        return self._link.call(JOB_STATUS, job=job)

    def cancel(self, job: str) -> JobStarted:
        """Cancel a job that is queued or running.

        Its results so far are kept.

        Args:
            job: Its id.
        Raises:
            NotFound: If there is no such job.
            Conflict: If it is done or has failed.
        """
        from graphpalace.offers.simulation import CANCEL_JOB

        return self._link.call(CANCEL_JOB, job=job)

    def list(self) -> Sequence[ListedJob]:
        """List the jobs of the palace, newest first.

        Raises:
            NotFound: If the palace does not exist.
        """
        from graphpalace.offers.simulation import LIST_JOBS

        return (self._link.call(LIST_JOBS)).jobs
