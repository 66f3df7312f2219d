"""The decay of pheromones in the database, where the values are."""

from __future__ import annotations

import asyncio
from dataclasses import asdict

from graphpalace.domain.graph.decay import DecayResult, DecayStatus
from graphpalace.domain.graph.pheromones import NOISE_FLOOR, DecayRates
from graphpalace.errors import DatabaseFailed
from graphpalace.store.connection.database import Database, Row

_ATTEMPTS = 10  # a batch that met a deposit in a deadlock was rolled back and is repeated

# The seed's own statements, which look at everything: a reference that tests and benchmarks hold ours against.
SEED_STATEMENTS = ("pheromones/seed_decay_nodes", "pheromones/seed_decay_edges", "pheromones/seed_recompute_costs")


class DecayStore:
    """Moves the clocks of palaces on and lets what is warm fade.

    Args:
        cycle_seconds: Seconds of one cycle of the clock.
        batch_rows: Nodes or edges of one transaction.
    """

    def __init__(self, database: Database, *, rates: DecayRates, cycle_seconds: float, batch_rows: int) -> None:
        self._database = database
        self._rates = asdict(rates)
        self._cycle_seconds = float(cycle_seconds)
        self._batch_rows = batch_rows

    async def due_palaces(self, *, interval_cycles: int) -> list[str]:
        """Return the palaces whose decay was last applied at least an interval ago and that no service is at."""
        rows = await self._database.read(
            None, "pheromones/decay_due", interval_cycles=interval_cycles, cycle_seconds=self._cycle_seconds
        )
        return [row["name"] for row in rows]

    async def status(self, palace: str, *, interval_cycles: int) -> DecayStatus | None:
        """Return the clock, what the decay last did and when it is due again; None if there is no such palace."""
        rows = await self._database.read(
            palace, "pheromones/decay_status", interval_cycles=interval_cycles, cycle_seconds=self._cycle_seconds
        )
        return _status(palace, rows[0], cycle_seconds=self._cycle_seconds) if rows else None

    async def tick(self, palace: str) -> int | None:
        """Move the clock on to now and return its cycle; None if there is no such palace."""
        rows = await self._database.write(palace, "pheromones/tick", cycle_seconds=self._cycle_seconds)
        return rows[0]["cycle"] if rows else None

    async def fade_edges(self, palace: str, cycle: int) -> int:
        """Bring every warm edge up to a cycle, with its cost; return how many were not up to it.

        Raises:
            DatabaseFailed: If the database rolled a batch back again and again.
        """
        return await self._fade(palace, "pheromones/decay_warm_edges", cycle)

    async def fade_nodes(self, palace: str, cycle: int) -> int:
        """As `fade_edges`, with the nodes."""
        return await self._fade(palace, "pheromones/decay_warm_nodes", cycle)

    async def forget_deposits(self, palace: str, *, keep_days: int) -> int:
        """Remove the records of deposits that are older, unless feedback needs them; return how many it was."""
        (pruned,) = await self._database.auto_commit(
            palace, "pheromones/decay_prune_deposits", keep_days=keep_days, batch_rows=self._batch_rows
        )
        return pruned["pruned"]

    async def record(
        self, palace: str, *, cycle: int, nodes: int, edges: int, deposits_pruned: int, seconds: float
    ) -> DecayResult | None:
        """Note in the palace what the decay did, and return it; None if there is no such palace."""
        done = {"cycle": cycle, "nodes": nodes, "edges": edges, "deposits_pruned": deposits_pruned, "seconds": seconds}
        rows = await self._database.write(palace, "pheromones/decay_record", **done)
        if not rows:
            return None
        return DecayResult(cycle, nodes, edges, deposits_pruned, seconds, rows[0]["finished_at"])

    async def _fade(self, palace: str, name: str, cycle: int) -> int:
        """Apply one of the two statements until every batch was committed; return how many rows it changed."""
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
