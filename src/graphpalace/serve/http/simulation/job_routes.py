"""The routes of background jobs: parse, call one operation, render."""

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
    """Which job is meant."""

    job_id: str = Field(min_length=1, max_length=64)


class JobStarted(BaseModel):
    """A job that waits for its turn."""

    status: JobState
    job_id: str


class JobListed(JobStarted):
    """A job and how far it is."""

    progress: float = Field(description="0 to 1")
    query: str
    simulation: str = Field(description="whose watchers are told of it")
    palace: str
    created_at: str
    seed: int = Field(description="of the first shard; gives the same results again")


class JobsListed(BaseModel):
    """Jobs of a palace, the newest first."""

    jobs: list[JobListed]


class ShardStatus(BaseModel):
    """How far a part of the corpus is."""

    documents: int
    step: int
    over: Literal["trails", "relevance", "max_iterations"] | None = Field(description="why it makes no more steps")


class JobStatus(JobListed):
    """How far a job is, and the best of what it found so far."""

    results: list[Result]
    shards: list[ShardStatus]
    error: str | None


@router.post("/mcmp/jobs/start", response_model=JobStarted, tags=_TAGS)
async def start_job(body: StartRequest, app: Operations, name: Name) -> dict[str, Any]:
    """Begin a simulation in the background, in shards of the corpus."""
    return {"job_id": await app.jobs.start(name, body.given(), body.choice()), "status": "queued"}


@router.get("/mcmp/jobs/status", response_model=JobStatus, tags=_TAGS)
async def read_job(app: Operations, job_id: Annotated[str, Query(max_length=64)]) -> dict[str, Any]:
    """Say how far a job is, with its results so far."""
    return _shown(await app.jobs.status(job_id))


@router.post("/mcmp/jobs/cancel", response_model=JobStarted, tags=_TAGS)
async def cancel_job(body: JobId, app: Operations) -> dict[str, Any]:
    """End a job that waits or runs; its results so far stay."""
    await app.jobs.cancel(body.job_id)
    return {"job_id": body.job_id, "status": "cancelled"}


@router.get("/mcmp/jobs", response_model=JobsListed, tags=_TAGS)
async def list_jobs(app: Operations, palace: PalaceName = None) -> dict[str, Any]:
    """List the jobs of a palace, the newest first."""
    return {"jobs": [_shown(job) for job in await app.jobs.every(named(app, palace))]}


def _shown(job: Any) -> dict[str, Any]:
    return asdict(job) | {"job_id": job.id}
