"""Background jobs as nodes: (:SimulationJob), and a (:SimulationState) for each of its shards until it is over."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from graphpalace.store.database import Database, Row
from graphpalace.store.stored_simulations import parts_of, read_state

_NESTED = ("settings", "corpus", "shards", "results")
_NOT_OURS = ("heartbeat_at", "asked_at")


@dataclass(frozen=True, slots=True)
class KeptJob:
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


async def create_job(database: Database, job: KeptJob, *, most_kept: int) -> bool:
    """Keep a new job and return whether its palace is there.

    Args:
        most_kept: How many of the palace's jobs that are over are not removed.
    """
    properties = _properties(asdict(job))
    del properties["created_at"]
    return bool(await database.write("simulation/create_job", palace=job.palace, properties=properties, kept=most_kept))


async def get_job(database: Database, job: str) -> KeptJob | None:
    """Return a job."""
    rows = await database.read("simulation/get_job", id=job)
    return _kept(rows[0]) if rows else None


async def list_jobs(database: Database, palace: str) -> list[KeptJob]:
    """Return the jobs of a palace, the newest first."""
    return [_kept(row) for row in await database.read("simulation/list_jobs", palace=palace)]


async def list_unfinished_jobs(database: Database, *, stale_s: float) -> list[str]:
    """Return the jobs that nobody has worked on for some seconds, the oldest first."""
    rows = await database.read("simulation/list_unfinished_jobs", stale_ms=round(stale_s * 1000))
    return [row["id"] for row in rows]


async def take_job(database: Database, job: str, *, owner: str, stale_s: float) -> KeptJob | None:
    """Become the owner of a job that nobody has worked on for some seconds; None if somebody does, or it is over."""
    rows = await database.write("simulation/take_job", id=job, owner=owner, stale_ms=round(stale_s * 1000))
    return _kept(rows[0]) if rows else None


async def renew_jobs(database: Database, jobs: Sequence[str], *, owner: str, given_up: bool = False) -> None:
    """Say that somebody still works on jobs, or that whoever wants may take them."""
    await database.write("simulation/renew_jobs", owner=owner, ids=list(jobs), given_up=given_up)


async def update_job(database: Database, job: str, *, owner: str | None = None, **properties: Any) -> bool:
    """Change a job that is not over; once it is, the states of its shards go.

    Args:
        owner: Who may own it; None: anybody.
    Returns:
        Whether it was changed.
    """
    return bool(
        await database.write("simulation/update_job", id=job, owner=owner, properties=_properties(dict(properties)))
    )


async def keep_shard(
    database: Database, job: str, shard: int, *, owner: str, state: bytes, progress: float, **nested: Any
) -> bool:
    """Keep the complete state of a shard, and how far the whole job is.

    Args:
        nested: `shards` and `results` of the job.
    Returns:
        Whether the job still runs and is the owner's; nothing is kept else.
    """
    rows = await database.write(
        "simulation/keep_shard",
        id=job,
        owner=owner,
        properties=_properties({"progress": progress, **nested}),
        state=_state_name(job, shard),
        parts=parts_of(state),
    )
    return bool(rows)


async def read_shard(database: Database, job: str, shard: int) -> bytes:
    """Return the complete state of a shard; b"" if none is kept."""
    return await read_state(database, _state_name(job, shard))


def _state_name(job: str, shard: int) -> str:
    return f"{job}/{shard}"


def _properties(given: dict[str, Any]) -> dict[str, Any]:
    return given | {name: json.dumps(given[name], ensure_ascii=False) for name in _NESTED if name in given}


def _kept(row: Row) -> KeptJob:
    properties = {name: value for name, value in row["job"].items() if name not in _NOT_OURS}
    return KeptJob(**properties | {name: json.loads(properties[name]) for name in _NESTED})
