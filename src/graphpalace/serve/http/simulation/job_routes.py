"""The routes for background jobs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import BaseModel, Field

from graphpalace.serve.http.request_body import RequestBody
from graphpalace.serve.http.router import Operations, PalaceName, named, new_router
from graphpalace.serve.http.simulation.models import JobState, Result, StartRequest
from graphpalace.serve.http.simulation.routes import Name

router = new_router()
_TAGS: list[Any] = ["simulation"]


class JobId(RequestBody):
    """A request that names a job."""

    job_id: str = Field(min_length=1, max_length=64)


class JobStarted(BaseModel):
    """A queued job."""

    status: JobState
    job_id: str


class JobListed(JobStarted):
    """A job with its progress."""

    progress: float = Field(description="0 to 1")
    query: str
    simulation: str = Field(description="simulation whose clients receive the progress")
    palace: str
    created_at: str
    seed: int = Field(description="random seed of the first shard; the same seed gives the same results")


class JobsListed(BaseModel):
    """The jobs of a palace, newest first."""

    jobs: list[JobListed]


class ShardStatus(BaseModel):
    """The progress of one shard."""

    documents: int
    step: int
    over: Literal["trails", "relevance", "max_iterations"] | None = Field(
        description="why the shard makes no more steps"
    )


class JobStatus(JobListed):
    """A job with its progress and its best results so far."""

    results: list[Result]
    shards: list[ShardStatus]
    error: str | None


@router.post("/mcmp/jobs/start", response_model=JobStarted, tags=_TAGS)
async def start_job(body: StartRequest, app: Operations, name: Name) -> dict[str, Any]:
    """Queue a simulation that runs in the background, over shards of the corpus."""
    return {"job_id": await app.jobs.start(name, body.given(), body.choice()), "status": "queued"}


@router.get("/mcmp/jobs/status", response_model=JobStatus, tags=_TAGS)
async def read_job(app: Operations, job_id: Annotated[str, Query(max_length=64)]) -> dict[str, Any]:
    """Show the progress of a job and its results so far."""
    return _shown(await app.jobs.status(job_id))


@router.post("/mcmp/jobs/cancel", response_model=JobStarted, tags=_TAGS)
async def cancel_job(body: JobId, app: Operations) -> dict[str, Any]:
    """Cancel a queued or running job. Its results so far are kept."""
    await app.jobs.cancel(body.job_id)
    return {"job_id": body.job_id, "status": "cancelled"}


@router.get("/mcmp/jobs", response_model=JobsListed, tags=_TAGS)
async def list_jobs(app: Operations, palace: PalaceName = None) -> dict[str, Any]:
    """List the jobs of a palace, newest first."""
    return {"jobs": [_shown(job) for job in await app.jobs.every(named(app, palace))]}


def _shown(job: Any) -> dict[str, Any]:
    return asdict(job) | {"job_id": job.id}
