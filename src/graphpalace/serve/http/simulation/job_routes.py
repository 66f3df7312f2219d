"""The routes for background jobs."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query

from graphpalace.domain.simulation.jobs import JobList, JobStarted, JobStatus, ListedJob
from graphpalace.serve.http.access.simulation_needs import may_see
from graphpalace.serve.http.router import Operations, PalaceName, named, new_router
from graphpalace.serve.http.simulation.models import JobId, JobRequest
from graphpalace.serve.http.simulation.routes import Name

router = new_router()
_TAGS: list[Any] = ["simulation"]


@router.post("/mcmp/jobs/start", tags=_TAGS)
async def start_job(body: JobRequest, app: Operations, name: Name) -> JobStarted:
    """Queue a simulation that runs in the background, over shards of the corpus."""
    return JobStarted("queued", await app.jobs.start(name, body.given(), body.choice()))


@router.get("/mcmp/jobs/status", tags=_TAGS)
async def read_job(app: Operations, job_id: Annotated[str, Query(max_length=64)]) -> JobStatus:
    """Show the progress of a job and its results so far."""
    return JobStatus.of(await app.jobs.status(job_id))


@router.post("/mcmp/jobs/cancel", tags=_TAGS)
async def cancel_job(body: JobId, app: Operations) -> JobStarted:
    """Cancel a queued or running job. Its results so far are kept."""
    await app.jobs.cancel(body.job_id)
    return JobStarted("cancelled", body.job_id)


@router.get("/mcmp/jobs", tags=_TAGS)
async def list_jobs(app: Operations, palace: PalaceName = None) -> JobList:
    """List the jobs of a palace, newest first."""
    found = await app.jobs.every(named(app, palace))
    return JobList([ListedJob.of(job) for job in found if may_see(job.palace, job.corpus)])
