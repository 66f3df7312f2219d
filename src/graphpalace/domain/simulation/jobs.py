"""A background simulation job as the database stores it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

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
