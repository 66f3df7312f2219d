"""Background simulation jobs: as the database stores them, and as they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, Literal

from graphpalace.domain.field import Field
from graphpalace.domain.simulation.simulation_requests import FoundDocument

JobState = Literal["queued", "running", "done", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class StoredJob:
    """A background job, without the states of its shards.

    Attributes:
        palace: Name of the palace that stores the job.
        simulation: Name of the simulation whose subscribers receive the job's progress.
        owner: Id of the service that works on the job; "" after it gave the job up.
        query: Text to search for.
        seed: Random seed of the first shard; each further shard uses the next number.
        settings, corpus: Complete, so that another service can continue the job.
        progress: Share of the work that is done, 0 to 1.
        shards: For each shard, its number of documents, its step, why it ended (None while it runs) and when it began.
        results: Findings as JSON, best first.
        error: Why the job failed.
        created_at: Time of creation.
    """

    id: str
    palace: str
    simulation: str
    owner: str
    query: str
    seed: int
    settings: dict[str, Any]
    corpus: dict[str, Any]
    status: JobState = "queued"
    progress: float = 0.0
    shards: list[dict[str, Any]] = field(default_factory=list)
    results: list[dict[str, Any]] = field(default_factory=list)
    error: str | None = None
    created_at: str = ""


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
