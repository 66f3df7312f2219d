"""Store background jobs as nodes (:SimulationJob), and states in parts, each a node (:SimulationState)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from graphpalace.domain.simulation.jobs import StoredJob
from graphpalace.store.connection.database import Database, Row

_PART_BYTES = 4 * 2**20
_NESTED = ("settings", "corpus", "shards", "results")
_NOT_OURS = ("heartbeat_at", "asked_at")


class StoredJobs:
    """Stores jobs."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._states = StoredStates(database)

    async def create(self, palace: str, job: StoredJob, *, most_kept: int) -> bool:
        """Store a new job, and return whether its palace exists.

        Args:
            most_kept: Number of finished jobs of the palace to keep; older ones are deleted.
        """
        properties = _properties(asdict(job))
        del properties["created_at"]
        return bool(await self._database.write(palace, "simulation/create_job", properties=properties, kept=most_kept))

    async def get(self, job: str) -> StoredJob | None:
        """Return a job; None if it does not exist."""
        rows = await self._database.read(None, "simulation/get_job", id=job)
        return _kept(rows[0]) if rows else None

    async def of_palace(self, palace: str) -> list[StoredJob]:
        """Return the jobs of a palace, newest first."""
        return [_kept(row) for row in await self._database.read(palace, "simulation/list_jobs")]

    async def unfinished(self, *, stale_s: float) -> list[str]:
        """Return the unfinished jobs that no service has renewed for some seconds, oldest first."""
        rows = await self._database.read(None, "simulation/list_unfinished_jobs", stale_ms=round(stale_s * 1000))
        return [row["id"] for row in rows]

    async def take(self, job: str, *, owner: str, stale_s: float) -> StoredJob | None:
        """Make a service the owner of a job that no service has renewed for some seconds.

        Returns:
            None if another service works on the job, or it is finished.
        """
        rows = await self._database.write(
            None, "simulation/take_job", id=job, owner=owner, stale_ms=round(stale_s * 1000)
        )
        return _kept(rows[0]) if rows else None

    async def renew(self, jobs: Sequence[str], *, owner: str, given_up: bool = False) -> None:
        """Renew the hold of a service on its jobs, or give them up so that other services can take them."""
        await self._database.write(None, "simulation/renew_jobs", owner=owner, ids=list(jobs), given_up=given_up)

    async def update(self, job: str, *, owner: str | None = None, **properties: Any) -> bool:
        """Change an unfinished job. If it is finished afterwards, the states of its shards are deleted.

        Args:
            owner: The job is changed only if this service owns it; None: whichever service owns it.
        Returns:
            Whether the job was changed.
        """
        return bool(
            await self._database.write(
                None, "simulation/update_job", id=job, owner=owner, properties=_properties(dict(properties))
            )
        )

    async def keep_shard(
        self, job: str, shard: int, *, owner: str, state: bytes, progress: float, **nested: Any
    ) -> bool:
        """Store the complete state of a shard, and the progress of the whole job.

        Args:
            nested: `shards` and `results` of the job.
        Returns:
            False if the job no longer runs or another service owns it. Nothing is stored then.
        """
        rows = await self._database.write(
            None,
            "simulation/keep_shard",
            id=job,
            owner=owner,
            properties=_properties({"progress": progress, **nested}),
            state=_state_name(job, shard),
            parts=parts_of(state),
        )
        return bool(rows)

    async def shard(self, job: str, shard: int) -> bytes:
        """Return the complete state of a shard; b"" if none is stored."""
        return b"".join(await self._states.parts(_state_name(job, shard)))


def _state_name(job: str, shard: int) -> str:
    return f"{job}/{shard}"


def _properties(given: dict[str, Any]) -> dict[str, Any]:
    return given | {name: json.dumps(given[name], ensure_ascii=False) for name in _NESTED if name in given}


def _kept(row: Row) -> StoredJob:
    properties = {name: value for name, value in row["job"].items() if name not in _NOT_OURS}
    return StoredJob(**properties | {name: json.loads(properties[name]) for name in _NESTED})


def parts_of(state: bytes) -> list[bytes]:
    """Divide a state into parts that are small enough for properties of nodes."""
    return [state[at : at + _PART_BYTES] for at in range(0, len(state), _PART_BYTES)]


class StoredStates:
    """Reads states."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def parts(self, name: str) -> list[bytes]:
        """Return the parts that are stored under a name; an empty list if there are none."""
        return [bytes(row["data"]) for row in await self._database.read(None, "simulation/read_state", name=name)]
