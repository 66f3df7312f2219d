"""What requests on background jobs answer. All doors show them as declared here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal

from pydantic import Field

from graphpalace.domain.simulation.jobs import JobState, StoredJob
from graphpalace.domain.simulation.simulation_answers import FoundDocument


@dataclass(frozen=True, slots=True)
class JobStarted:
    """A queued job."""

    status: JobState
    job_id: str


@dataclass(frozen=True, slots=True)
class ListedJob(JobStarted):
    """A job with its progress."""

    progress: Annotated[float, Field(description="0 to 1")]
    query: str
    simulation: Annotated[str, Field(description="simulation whose clients receive the progress")]
    palace: str
    created_at: str
    seed: Annotated[int, Field(description="random seed of the first shard; the same seed gives the same results")]

    @classmethod
    def of(cls, job: StoredJob) -> ListedJob:
        """Return what a list shows of a job."""
        return ListedJob(**_known(job))


@dataclass(frozen=True, slots=True)
class JobList:
    """The jobs of a palace, newest first."""

    jobs: Sequence[ListedJob]


@dataclass(frozen=True, slots=True)
class ShardStatus:
    """The progress of one shard."""

    documents: int
    step: int
    over: Annotated[
        Literal["trails", "relevance", "max_iterations"] | None,
        Field(description="why the shard makes no more steps"),
    ]


@dataclass(frozen=True, slots=True)
class JobStatus(ListedJob):
    """A job with its progress and its best results so far."""

    results: Sequence[FoundDocument]
    shards: Sequence[ShardStatus]
    error: str | None

    @classmethod
    def of(cls, job: StoredJob) -> JobStatus:
        """Return a job with its progress and its results."""
        return JobStatus(
            **_known(job),
            results=[FoundDocument.of(found) for found in job.results],
            shards=[ShardStatus(shard["documents"], shard["step"], shard["over"]) for shard in job.shards],
            error=job.error,
        )


def _known(job: StoredJob) -> dict[str, Any]:
    shared = {one.name: getattr(job, one.name) for one in fields(ListedJob) if one.name != "job_id"}
    return {"job_id": job.id, **shared}
