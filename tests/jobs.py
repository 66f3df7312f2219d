"""What tests of background jobs share."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from graphpalace.app import GraphPalace
from graphpalace.domain.simulation.jobs import StoredJob
from graphpalace.operations.drawers.drawers import NewDrawer

QUERY = "how is bread baked"
# Long enough to be looked at; without an end before the last step.
LONG: dict[str, Any] = {
    "query": QUERY,
    "num_agents": 50,
    "max_iterations": 400,
    "max_chunks_per_shard": 8,
    "stop_on_convergence": False,
    "seed": 7,
}
SHORT = LONG | {"max_iterations": 40}
_SUBJECTS = ("bread", "roses", "ships", "stars")
_VERBS = ("baked", "cut", "sold", "seen", "drawn")


async def furnish_twenty(app: GraphPalace, palace: str) -> None:
    """Put twenty drawers into a palace, one of which says how bread is baked."""
    for subject in _SUBJECTS:
        for verb in _VERBS:
            text = f"this is how {subject} is {verb}"
            await app.drawers.add(palace, NewDrawer(text=text, wing="craft", room=subject))


async def seen(app: GraphPalace, job: str, holds: Callable[[StoredJob], bool], *, seconds: float = 90) -> StoredJob:
    """Wait until a job is so.

    Raises:
        AssertionError: If it is not in time.
    """
    deadline = time.monotonic() + seconds
    while not holds(kept := await app.jobs.status(job)):
        assert time.monotonic() < deadline, f"still {kept.status}, {kept.progress}, {kept.error}"
        assert kept.status in ("queued", "running"), f"{kept.status}: {kept.error}"
        await asyncio.sleep(0.02)
    return kept


async def over(app: GraphPalace, job: str) -> StoredJob:
    """Wait until a job is over, whatever its end."""
    async with asyncio.timeout(90):
        while not _is_over(kept := await app.jobs.status(job)):  # noqa: ASYNC110  # it is in Neo4j
            await asyncio.sleep(0.05)
    return kept


def _is_over(kept: StoredJob) -> bool:
    """Return whether a job has its end. A reader may see the new status before the error of the same write."""
    return kept.status in ("done", "cancelled") or (kept.status == "failed" and kept.error is not None)


async def done(app: GraphPalace, job: str) -> StoredJob:
    """Wait until a job is done."""
    return await seen(app, job, lambda kept: kept.status == "done")
