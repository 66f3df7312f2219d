"""Hold a lease on a palace's decay, so that one service at a time works on it and another can take over."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import TypeVar

from graphpalace.domain.deadline import current_deadline, without_deadline
from graphpalace.domain.graph.decay import DecayLease
from graphpalace.errors import DatabaseUnavailable, DecayRunning, GraphPalaceError, NotFound
from graphpalace.store.pheromones.leases import LeaseStore

T = TypeVar("T")

_RELEASE_S = 3  # if releasing takes longer, the lease is left to expire


async def under_lease(
    leases: LeaseStore, palace: str, work: Callable[[DecayLease], Awaitable[T]], *, by: str, lease_s: float
) -> T:
    """Run a function while holding the lease, which is renewed regularly and released at the end.

    One that is cancelled waits for the release, as a service that stops ends right after. Only a request, which has a
    deadline, does not wait.

    Args:
        work: Receives the lease. It is cancelled if another service takes the lease.
        by: Name of the holder, different for each call.
        lease_s: Seconds after which others may take over if the lease is not renewed.

    Raises:
        NotFound: If the palace does not exist.
        DecayRunning: If another service holds the lease, or takes it meanwhile.
    """
    lease_ms = max(1, round(lease_s * 1000))
    lease = await leases.acquire(palace, by=by, lease_ms=lease_ms)
    if lease is None:
        raise NotFound(f"there is no palace {palace!r}", palace=palace)
    if not lease.acquired:
        raise _running(palace, lease)
    working = asyncio.ensure_future(work(lease))
    renewing = without_deadline(_renew(leases, palace, by=by, lease_ms=lease_ms))
    waits_s = _RELEASE_S
    try:
        await asyncio.wait({working, renewing}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            renewing.result()
            raise DecayRunning(f"another service took over the decay of palace {palace!r}", palace=palace)
        return working.result()
    except asyncio.CancelledError:
        if current_deadline():
            waits_s = 0  # the time for the request is over
        raise
    finally:
        working.cancel()
        renewing.cancel()
        await asyncio.gather(working, renewing, return_exceptions=True)
        await asyncio.wait({without_deadline(_release(leases, palace, by=by))}, timeout=waits_s)


async def _release(leases: LeaseStore, palace: str, *, by: str) -> None:
    with contextlib.suppress(GraphPalaceError, TimeoutError):
        async with asyncio.timeout(_RELEASE_S):
            await leases.release(palace, by=by)


async def _renew(leases: LeaseStore, palace: str, *, by: str, lease_ms: int) -> None:
    """Renew the lease until it is lost."""
    while True:
        await asyncio.sleep(lease_ms / 3000)
        with contextlib.suppress(DatabaseUnavailable):  # the work itself will fail if this persists
            if not await leases.renew(palace, by=by, lease_ms=lease_ms):
                return


def _running(palace: str, lease: DecayLease) -> DecayRunning:
    return DecayRunning(
        f"the decay of palace {palace!r} is being run by {lease.by}, which holds the lease until {lease.until}",
        palace=palace,
        by=lease.by,
        until=lease.until,
    )
