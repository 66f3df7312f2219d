# Written by `make client` from graphpalace/offers/simulation.py; change that file.
"""The background jobs of a palace, but for their start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphpalace.client.asynchronous.link import AsyncLink

if TYPE_CHECKING:
    from graphpalace.domain.simulation.jobs import JobStarted, JobStatus, ListedJob


class AsyncQueuedJobs:
    """The background jobs of a palace, but for their start."""

    def __init__(self, link: AsyncLink) -> None:
        """Use the link of a palace."""
        self._link = link

    async def status(self, job: str) -> JobStatus:
        """Show a job with its progress and its results so far.

        Args:
            job: Its id.
        Raises:
            NotFound: If there is no such job.
        """
        from graphpalace.offers.simulation import JOB_STATUS

        return await self._link.call(JOB_STATUS, job=job)

    async def cancel(self, job: str) -> JobStarted:
        """Cancel a job that is queued or running.

        Its results so far are kept.

        Args:
            job: Its id.
        Raises:
            NotFound: If there is no such job.
            Conflict: If it is done or has failed.
        """
        from graphpalace.offers.simulation import CANCEL_JOB

        return await self._link.call(CANCEL_JOB, job=job)

    async def list(self) -> Sequence[ListedJob]:
        """List the jobs of the palace, newest first.

        Raises:
            NotFound: If the palace does not exist.
        """
        from graphpalace.offers.simulation import LIST_JOBS

        return (await self._link.call(LIST_JOBS)).jobs
