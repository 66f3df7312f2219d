"""Apply the decay of pheromones up to the current cycle of the palace's clock. Source: seed 003, "Decay Formula".

A value v that was current at cycle c is v (1 - rate)^(now - c) now. Each node and edge with pheromones stores its c.
The decay is therefore exact however long ago it was last applied, and a run that was interrupted is completed by the
next.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

from graphpalace.domain.deadline import current_deadline, without_deadline
from graphpalace.domain.pheromones.pheromones import DecayLease, DecayRates, DecayResult, DecayStatus
from graphpalace.errors import DatabaseUnavailable, DecayRunning, GraphPalaceError, NotFound
from graphpalace.operations.palaces.palace_map import PheromoneSamples
from graphpalace.store.connection.database import Database
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.store.pheromones.decay import DecayStore, LeaseStore
from graphpalace.telemetry import metrics

DEPOSITS_KEPT_DAYS = 7  # for how long a deposit that is sent twice is recognized

T = TypeVar("T")

_RELEASE_S = 3  # if releasing takes longer, the lease is left to expire


class Decay:
    """Applies decay to palaces. Any number of services may do so: each cycle counts once.

    Args:
        rates: Decay rates of the pheromones, per cycle.
        cycle_seconds: Seconds of one cycle of the clock.
        interval_cycles: Cycles after which decay is due again.
        batch_rows: Number of nodes or edges in one transaction.
        lease_s: Seconds after which another service may take over from one that died.
    """

    def __init__(
        self,
        database: Database,
        *,
        rates: DecayRates,
        cycle_seconds: float,
        interval_cycles: int,
        batch_rows: int,
        lease_s: float,
    ) -> None:
        self._palaces = PalaceStore(database)
        self._decays = DecayStore(database, rates=rates, cycle_seconds=cycle_seconds, batch_rows=batch_rows)
        self._leases = LeaseStore(database)
        self._samples = PheromoneSamples(database, rates=rates, cycle_seconds=cycle_seconds)
        self._interval = interval_cycles
        self._lease_s = lease_s
        self._last_runs: dict[str, float] = {}

    @property
    def last_runs(self) -> Mapping[str, float]:
        """When this process last applied decay to each palace, in seconds since 1970."""
        return self._last_runs

    def forget(self, palace: str) -> None:
        """Forget that decay was applied to a palace."""
        self._last_runs.pop(palace, None)

    async def apply(self, palace: str) -> DecayResult:
        """Apply decay to a palace now, whether it is due or not.

        Raises:
            NotFound: If the palace does not exist.
            DecayRunning: If another service is applying it.
        """
        await self._palaces.get(palace)
        result = await self._leased(palace, interval=0)
        assert result is not None
        return result

    async def apply_if_due(self, palace: str) -> DecayResult | None:
        """Apply decay to a palace if it is due; return None if it is not.

        Raises:
            NotFound: If the palace does not exist.
            DecayRunning: If another service is applying it.
        """
        await self._palaces.get(palace)
        return await self._leased(palace, interval=self._interval)

    async def due(self) -> list[str]:
        """Return the palaces whose decay is due and is not being applied."""
        return await self._decays.due_palaces(interval_cycles=self._interval)

    async def status(self, palace: str) -> DecayStatus:
        """Return the clock, when decay was last applied, and when it is due again. Nothing changes in the palace.

        Raises:
            NotFound: If the palace does not exist.
        """
        await self._palaces.get(palace)
        status = await self._decays.status(palace, interval_cycles=self._interval)
        if status is None:
            raise _dropped(palace)
        return status

    async def _leased(self, palace: str, *, interval: int) -> DecayResult | None:
        async def work(lease: DecayLease) -> DecayResult | None:
            cycle = await self._decays.tick(palace)
            if cycle is None:
                raise _dropped(palace)
            return await self._apply(palace, cycle) if cycle - lease.last_cycle >= interval else None

        by = f"{socket.gethostname()}:{os.getpid()}/{uuid.uuid4().hex[:8]}"
        return await under_lease(self._leases, palace, work, by=by, lease_s=self._lease_s)

    async def _apply(self, palace: str, cycle: int) -> DecayResult:
        started = time.perf_counter()
        edges = await self._decays.fade_edges(palace, cycle)
        nodes = await self._decays.fade_nodes(palace, cycle)
        pruned = await self._decays.forget_deposits(palace, keep_days=DEPOSITS_KEPT_DAYS)
        await self._samples.keep(palace, cycle)
        result = await self._decays.record(
            palace,
            cycle=cycle,
            nodes=nodes,
            edges=edges,
            deposits_pruned=pruned,
            seconds=time.perf_counter() - started,
        )
        if result is None:
            raise _dropped(palace)
        metrics.DECAY_SECONDS.observe(result.seconds)
        self._last_runs[palace] = time.time()
        return result


def _dropped(palace: str) -> NotFound:
    return NotFound(f"palace {palace!r} was dropped meanwhile", palace=palace)


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
