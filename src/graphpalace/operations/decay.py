"""Let pheromones fade: bring what is warm up to the palace's clock (seed 003, "Decay Formula").

A value v that was current at cycle c is worth v (1 - rate)^(now - c). Each warm node and edge knows its c, so a run is
exact however long the last one is ago, and one that broke off is finished by the next.
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
import uuid

from graphpalace.domain.decay import DecayRun, DecayStatus
from graphpalace.domain.pheromones import NOISE_FLOOR, DecayRates
from graphpalace.errors import DatabaseFailed, NotFound
from graphpalace.operations.lease import under_lease
from graphpalace.operations.palace_map import keep_sample
from graphpalace.store.database import Database, Row
from graphpalace.store.palaces import get_palace

DEPOSITS_KEPT_DAYS = 7  # as long as a deposit may be sent again and be known
_ATTEMPTS = 10  # a batch that met a deposit in a deadlock was rolled back and is repeated

# The seed's own statements, which look at everything: a reference that tests and benchmarks hold ours against.
SEED_STATEMENTS = ("pheromones/seed_decay_nodes", "pheromones/seed_decay_edges", "pheromones/seed_recompute_costs")


class Decay:
    """Applies the decay. Any number of services may: each cycle counts once.

    Args:
        cycle_seconds: Seconds of one cycle of the clock.
        interval_cycles: Cycles between two runs.
        batch_rows: Nodes or edges of one transaction.
        lease_s: Seconds after which another service may take over from a dead one.
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
        self._database = database
        self._rates = rates.as_params()
        self._cycle_seconds = float(cycle_seconds)
        self._interval = interval_cycles
        self._batch_rows = batch_rows
        self._lease_s = lease_s

    async def run(self, palace: str) -> DecayRun:
        """Bring all that is warm in a palace up to now, whether a run is due or not.

        Raises:
            NotFound: If there is no such palace.
            DecayRunning: If another service is at it.
        """
        await get_palace(self._database, palace)
        run = await self._leased(palace, interval=0)
        assert run is not None
        return run

    async def run_if_due(self, palace: str) -> DecayRun | None:
        """As `run`, if the last run is at least an interval ago; return None if another service was first.

        Raises:
            NotFound: If there is no such palace.
            DecayRunning: If another service is at it.
        """
        await get_palace(self._database, palace)
        return await self._leased(palace, interval=self._interval)

    async def due(self) -> list[str]:
        """Return the palaces of the database whose decay is due and that no service is at."""
        rows = await self._database.read(
            "pheromones/decay_due", interval_cycles=self._interval, cycle_seconds=self._cycle_seconds
        )
        return [row["name"] for row in rows]

    async def status(self, palace: str) -> DecayStatus:
        """Return the clock, the last run and the next one; nothing is changed.

        Raises:
            NotFound: If there is no such palace.
        """
        await get_palace(self._database, palace)
        rows = await self._database.read(
            "pheromones/decay_status", palace=palace, interval_cycles=self._interval, cycle_seconds=self._cycle_seconds
        )
        if not rows:
            raise _dropped(palace)
        return _status(palace, rows[0], cycle_seconds=self._cycle_seconds)

    async def _leased(self, palace: str, *, interval: int) -> DecayRun | None:
        async def work(lease: Row) -> DecayRun | None:
            clock = await self._database.write("pheromones/tick", palace=palace, cycle_seconds=self._cycle_seconds)
            if not clock:
                raise _dropped(palace)
            cycle = clock[0]["cycle"]
            return await self._apply(palace, cycle) if cycle - lease["last_cycle"] >= interval else None

        by = f"{socket.gethostname()}:{os.getpid()}/{uuid.uuid4().hex[:8]}"
        return await under_lease(self._database, palace, work, by=by, lease_s=self._lease_s)

    async def _apply(self, palace: str, cycle: int) -> DecayRun:
        started = time.perf_counter()
        edges = await self._bring("pheromones/decay_warm_edges", palace, cycle)
        nodes = await self._bring("pheromones/decay_warm_nodes", palace, cycle)
        (pruned,) = await self._database.auto_commit(
            "pheromones/decay_prune_deposits", palace=palace, keep_days=DEPOSITS_KEPT_DAYS, batch_rows=self._batch_rows
        )
        await keep_sample(self._database, palace, cycle, rates=self._rates)
        done = {
            "cycle": cycle,
            "nodes": nodes,
            "edges": edges,
            "deposits_pruned": pruned["pruned"],
            "seconds": time.perf_counter() - started,
        }
        recorded = await self._database.write("pheromones/decay_record", palace=palace, **done)
        if not recorded:
            raise _dropped(palace)
        return DecayRun(**done, finished_at=recorded[0]["finished_at"])

    async def _bring(self, name: str, palace: str, cycle: int) -> int:
        """Run one of the two statements until every batch was committed; return how many rows it changed."""
        changed, errors = 0, [""]
        for attempt in range(_ATTEMPTS):
            (row,) = await self._database.auto_commit(
                name, palace=palace, cycle=cycle, rates=self._rates, floor=NOISE_FLOOR, batch_rows=self._batch_rows
            )
            changed, errors = changed + row["rows"], row["errors"]
            if not errors:
                return changed
            await asyncio.sleep(0.05 * attempt)
        raise DatabaseFailed(f"Neo4j rolled back a batch of the decay {_ATTEMPTS} times: {errors[0]}")


def _dropped(palace: str) -> NotFound:
    return NotFound(f"palace {palace!r} was dropped meanwhile", palace=palace)


def _status(palace: str, row: Row, *, cycle_seconds: float) -> DecayStatus:
    names = ("nodes", "edges", "deposits_pruned", "seconds", "finished_at")
    last = None
    if row["last_cycle"] is not None:
        last = DecayRun(cycle=row["last_cycle"], **{name: row[name] for name in names})
    return DecayStatus(
        palace=palace,
        cycle=row["cycle"],
        cycle_seconds=cycle_seconds,
        last_run=last,
        next_cycle=row["next_cycle"],
        next_run_at=row["next_run_at"],
        running_by=row["lease_by"],
        running_until=row["lease_until"],
        warm_nodes=row["warm_nodes"],
        warm_edges=row["warm_edges"],
    )
