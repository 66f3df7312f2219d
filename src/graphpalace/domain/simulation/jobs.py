"""A background job as it is kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class StoredJob:
    """What is kept of a job beside the states of its shards.

    Attributes:
        palace: Where it is kept.
        simulation: Whose audience is told of it.
        owner: The service that works on it.
        settings, corpus: Complete, so that any service can go on with it.
        seed: Of the first shard; the next has one more.
        status: `queued`, `running`, `done`, `failed` or `cancelled`.
        progress: 0 to 1.
        shards: Of each its documents, step, why it is over and seconds of its clock.
        results: Best first, as doors show them.
    """

    id: str
    palace: str
    simulation: str
    owner: str
    query: str
    seed: int
    settings: dict[str, Any]
    corpus: dict[str, Any]
    status: str = "queued"
    progress: float = 0.0
    shards: list[dict[str, Any]] = field(default_factory=list)
    results: list[dict[str, Any]] = field(default_factory=list)
    error: str | None = None
    created_at: str = ""
