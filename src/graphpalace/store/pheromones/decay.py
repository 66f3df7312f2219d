"""Apply the decay of pheromones in the database, and store who may do that at fixed times."""

from __future__ import annotations

import asyncio
from dataclasses import asdict

from graphpalace.domain.pheromones.pheromones import NOISE_FLOOR, DecayLease, DecayRates, DecayResult, DecayStatus
from graphpalace.errors import DatabaseFailed
from graphpalace.store.connection.database import Database, Row

_ATTEMPTS = 10  # a batch that was rolled back because of a deadlock with a deposit is repeated
# The statements of seed 003, which change all nodes and edges: a reference for tests and benchmarks.
SEED_STATEMENTS = ("pheromones/seed_decay_nodes", "pheromones/seed_decay_edges", "pheromones/seed_recompute_costs")


class DecayStore:
    """Advances the clocks of palaces, and applies the decay.

    Args:
        rates: Decay rates of the pheromones, per cycle.
        cycle_seconds: Seconds of one cycle of the clock.
        batch_rows: Number of nodes or edges in one transaction.
    """

    def __init__(self, database: Database, *, rates: DecayRates, cycle_seconds: float, batch_rows: int) -> None:
        self._database = database
        self._rates = asdict(rates)
        self._cycle_seconds = float(cycle_seconds)
        self._batch_rows = batch_rows

    async def due_palaces(self, *, interval_cycles: int) -> list[str]:
        """Return the palaces whose last decay is at least `interval_cycles` ago and is not being applied now."""
        rows = await self._database.read(
            None, "pheromones/decay_due", interval_cycles=interval_cycles, cycle_seconds=self._cycle_seconds
        )
        return [row["name"] for row in rows]

    async def status(self, palace: str, *, interval_cycles: int) -> DecayStatus | None:
        """Return the clock, the last decay and when it is due again; None if the palace does not exist."""
        rows = await self._database.read(
            palace, "pheromones/decay_status", interval_cycles=interval_cycles, cycle_seconds=self._cycle_seconds
        )
        return _status(palace, rows[0], cycle_seconds=self._cycle_seconds) if rows else None

    async def tick(self, palace: str) -> int | None:
        """Advance the clock to the current time and return its cycle; None if the palace does not exist."""
        rows = await self._database.write(palace, "pheromones/tick", cycle_seconds=self._cycle_seconds)
        return rows[0]["cycle"] if rows else None

    async def fade_edges(self, palace: str, cycle: int) -> int:
        """Apply the decay to all edges with pheromones up to a cycle, with their costs; return how many changed.

        Raises:
            DatabaseFailed: If Neo4j rolled back a batch ten times.
        """
        return await self._fade(palace, "pheromones/decay_warm_edges", cycle)

    async def fade_nodes(self, palace: str, cycle: int) -> int:
        """Apply the decay to all nodes with pheromones up to a cycle; return how many changed.

        Raises:
            DatabaseFailed: As `fade_edges`.
        """
        return await self._fade(palace, "pheromones/decay_warm_nodes", cycle)

    async def forget_deposits(self, palace: str, *, keep_days: int) -> int:
        """Delete records of deposits older than `keep_days`, unless feedback needs them; return how many."""
        (pruned,) = await self._database.auto_commit(
            palace, "pheromones/decay_prune_deposits", keep_days=keep_days, batch_rows=self._batch_rows
        )
        return pruned["pruned"]

    async def record(
        self, palace: str, *, cycle: int, nodes: int, edges: int, deposits_pruned: int, seconds: float
    ) -> DecayResult | None:
        """Record the result of the decay in the palace, and return it; None if the palace does not exist."""
        done = {"cycle": cycle, "nodes": nodes, "edges": edges, "deposits_pruned": deposits_pruned, "seconds": seconds}
        rows = await self._database.write(palace, "pheromones/decay_record", **done)
        if not rows:
            return None
        return DecayResult(cycle, nodes, edges, deposits_pruned, seconds, rows[0]["finished_at"])

    async def _fade(self, palace: str, name: str, cycle: int) -> int:
        """Run one of the two statements until every batch is committed; return the number of changed rows."""
        changed, errors = 0, [""]
        for attempt in range(_ATTEMPTS):
            (row,) = await self._database.auto_commit(
                palace, name, cycle=cycle, rates=self._rates, floor=NOISE_FLOOR, batch_rows=self._batch_rows
            )
            changed, errors = changed + row["rows"], row["errors"]
            if not errors:
                return changed
            await asyncio.sleep(0.05 * attempt)
        raise DatabaseFailed(f"Neo4j rolled back a batch of the decay {_ATTEMPTS} times: {errors[0]}")


def _status(palace: str, row: Row, *, cycle_seconds: float) -> DecayStatus:
    names = ("nodes", "edges", "deposits_pruned", "seconds", "finished_at")
    last = None
    if row["last_cycle"] is not None:
        last = DecayResult(cycle=row["last_cycle"], **{name: row[name] for name in names})
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


class LeaseStore:
    """Gives the lease on a palace's decay to one service at a time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def acquire(self, palace: str, *, by: str, lease_ms: int) -> DecayLease | None:
        """Take the lease if nobody holds it or it has expired; return who holds it now.

        Args:
            by: Name of the service that asks for it.
            lease_ms: Milliseconds until it expires.

        Returns:
            None if the palace does not exist.
        """
        rows = await self._database.write(palace, "pheromones/lease_acquire", by=by, lease_ms=lease_ms)
        return DecayLease(**rows[0]) if rows else None

    async def renew(self, palace: str, *, by: str, lease_ms: int) -> bool:
        """Extend the lease; return False if another service has taken it meanwhile."""
        return bool(await self._database.write(palace, "pheromones/lease_renew", by=by, lease_ms=lease_ms))

    async def release(self, palace: str, *, by: str) -> None:
        """Release the lease, unless another service has taken it meanwhile."""
        await self._database.write(palace, "pheromones/lease_release", by=by)


class EvaluationStore:
    """Changes the palaces of evaluations."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def advance_clock(self, palace: str, *, cycles: int) -> None:
        """Advance a palace's clock by some cycles."""
        await self._database.write(palace, "evaluation/advance_clock", cycles=cycles)
