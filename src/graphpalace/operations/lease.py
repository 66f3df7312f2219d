"""The lease on a palace's decay: one service works, and if it dies another takes over."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import TypeVar

from graphpalace.errors import DatabaseUnavailable, DecayRunning, GraphPalaceError, NotFound
from graphpalace.store.database import Database, Row

T = TypeVar("T")

_RELEASE_S = 3  # without a database the lease runs out by itself


async def under_lease(
    database: Database, palace: str, work: Callable[[Row], Awaitable[T]], *, by: str, lease_s: float
) -> T:
    """Do some work while holding the lease, which is renewed meanwhile and given back in the end.

    Args:
        work: Gets the row of `lease_acquire`; it is cancelled if another service takes the lease.
        by: Who holds it; another name for each piece of work.
        lease_s: Seconds after which others may take over if this service is not heard of.

    Raises:
        NotFound: If there is no such palace.
        DecayRunning: If another holds it, or has taken it meanwhile.
    """
    params = {"by": by, "lease_ms": max(1, round(lease_s * 1000))}
    rows = await database.write("pheromones/lease_acquire", palace=palace, **params)
    if not rows:
        raise NotFound(f"there is no palace {palace!r}", palace=palace)
    row = rows[0]
    if not row["acquired"]:
        raise _running(palace, row)
    working = asyncio.ensure_future(work(row))
    renewing = asyncio.create_task(_renew(database, palace, params, every_s=lease_s / 3))
    try:
        await asyncio.wait({working, renewing}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            renewing.result()
            raise DecayRunning(f"another service took over the decay of palace {palace!r}", palace=palace)
        return working.result()
    finally:
        working.cancel()
        renewing.cancel()
        await asyncio.gather(working, renewing, return_exceptions=True)
        with contextlib.suppress(GraphPalaceError, TimeoutError):
            async with asyncio.timeout(_RELEASE_S):
                await database.write("pheromones/lease_release", palace=palace, by=by)


async def _renew(database: Database, palace: str, params: Row, *, every_s: float) -> None:
    """Renew the lease until it is lost."""
    while True:
        await asyncio.sleep(every_s)
        with contextlib.suppress(DatabaseUnavailable):  # the work finds out for itself
            if not await database.write("pheromones/lease_renew", palace=palace, **params):
                return


def _running(palace: str, row: Row) -> DecayRunning:
    return DecayRunning(
        f"the decay of palace {palace!r} is being run by {row['by']}, which holds the lease until {row['until']}",
        palace=palace,
        by=row["by"],
        until=row["until"],
    )
