"""Deposits of pheromones, laid and undone within a transaction of the caller's."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from graphpalace.domain.graph.deposits import (
    Carrier,
    Deposit,
    DepositReceipt,
    DepositRecord,
    StandingDeposit,
    UndoneDeposit,
)
from graphpalace.domain.graph.pheromones import EDGE_PHEROMONES, NOISE_FLOOR, DecayRates
from graphpalace.domain.graph.trail import EdgeRef
from graphpalace.store.connection.database import Row, Transaction

_RECORDED = (*EDGE_PHEROMONES, "exploitation")


class DepositStore:
    """Lays deposits and undoes them.

    Args:
        rates: How pheromones fade.
        ceiling: No pheromone grows beyond it.
        cycle_seconds: Seconds of one cycle of the clock.
    """

    def __init__(self, *, rates: DecayRates, ceiling: float, cycle_seconds: float) -> None:
        self._rates = asdict(rates)
        self._ceiling = ceiling
        self._cycle_seconds = cycle_seconds

    async def lay(self, palace: str, tx: Transaction, deposit: Deposit) -> DepositReceipt | None:
        """Lay a deposit; None if there is no such palace.

        Who wants all of its edges and nodes to be there looks at the receipt, and rolls back.
        """
        # All writers go by edges and nodes in one order, so that they wait for each other in no circle.
        rows = await tx.run(
            "pheromones/deposit",
            palace=palace,
            id=deposit.id,
            kind=deposit.kind,
            cycle_seconds=self._cycle_seconds,
            rates=self._rates,
            floor=NOISE_FLOOR,
            most=self._ceiling,
            recorded=deposit.recorded,
            edges=[_named(edge) | gain._asdict() for edge, gain in sorted(deposit.edges.items())],
            nodes=[node._asdict() | gain._asdict() for node, gain in sorted(deposit.nodes.items())],
        )
        return DepositReceipt(rows[0]["fresh"], rows[0]["edges"], rows[0]["nodes"]) if rows else None

    async def standing(self, palace: str, tx: Transaction, deposit_id: str) -> StandingDeposit | None:
        """Lock what a deposit was laid on, and return it with what has been laid there since; None without a record."""
        rows = await tx.run(
            "pheromones/read_laid",
            palace=palace,
            id=deposit_id,
            cycle_seconds=self._cycle_seconds,
            rates=self._rates,
            floor=NOISE_FLOOR,
        )
        if not rows:
            return None
        row = rows[0]
        return StandingDeposit(
            row["cycle"],
            _record(row["deposit"]),
            [_record(later) for later in row["later"]],
            [_carrier(edge) for edge in row["edges"]],
            [_carrier(node) for node in row["nodes"]],
        )

    async def undo(self, palace: str, tx: Transaction, deposit_id: str, undone: UndoneDeposit | None) -> None:
        """Write what would be there without a deposit, and forget it.

        Args:
            undone: None for one without a record: nothing else is changed.
        """
        undone = undone or UndoneDeposit(0, [], [], {})
        await tx.run(
            "pheromones/undo_deposit",
            palace=palace,
            id=deposit_id,
            cycle=undone.cycle,
            edges=[_written(edge) for edge in undone.edges],
            nodes=[_written(node) for node in undone.nodes],
            later=[
                {"id": later, "found": {f"{name}_before": list(values) for name, values in found.items()}}
                for later, found in undone.later.items()
            ],
        )


def _named(edge: EdgeRef) -> dict[str, str]:
    return {"type": edge.type, "from": edge.source, "to": edge.target}


def _record(row: Row) -> DepositRecord:
    return DepositRecord(
        row["id"],
        row["cycle"],
        row["edges"],
        row["nodes"],
        {name: row[f"{name}_before"] for name in _RECORDED},
        {name: row[f"{name}_laid"] for name in _RECORDED},
    )


def _carrier(row: Row) -> Carrier:
    return Carrier(row["key"], row["element"], {name: row[name] for name in row.keys() - {"key", "element"}})


def _written(one: Carrier) -> dict[str, Any]:
    return {"key": one.key, "element": one.element, **one.pheromones}
