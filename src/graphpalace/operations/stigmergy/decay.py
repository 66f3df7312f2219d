"""Apply the decay of pheromones up to the current cycle of the palace's clock. Source: seed 003, "Decay Formula".

A value v that was current at cycle c is v (1 - rate)^(now - c) now. Each node and edge with pheromones stores its c.
The decay is therefore exact however long ago it was last applied, and a run that was interrupted is completed by the
next.
"""

from __future__ import annotations

import os
import socket
import time
import uuid

from graphpalace.domain.graph.decay import DecayLease, DecayResult, DecayStatus
from graphpalace.domain.graph.pheromones import DecayRates
from graphpalace.errors import NotFound
from graphpalace.operations.palaces.pheromone_samples import PheromoneSamples
from graphpalace.operations.stigmergy.lease import under_lease
from graphpalace.store.connection.database import Database
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.store.pheromones.decay import DecayStore
from graphpalace.store.pheromones.leases import LeaseStore

DEPOSITS_KEPT_DAYS = 7  # for how long a deposit that is sent twice is recognized


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
        return result


def _dropped(palace: str) -> NotFound:
    return NotFound(f"palace {palace!r} was dropped meanwhile", palace=palace)
