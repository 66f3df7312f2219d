"""Store and undo deposits of pheromones, within the caller's transaction."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from graphpalace.domain.pheromones.deposits import (
    Carrier,
    Deposit,
    DepositReceipt,
    DepositRecord,
    UndoableDeposit,
    UndoneDeposit,
)
from graphpalace.domain.pheromones.pheromones import EDGE_PHEROMONES, NOISE_FLOOR, DecayRates
from graphpalace.domain.walking.graph_snapshot import EdgeRef
from graphpalace.store.connection.database import Row, Transaction

_RECORDED = (*EDGE_PHEROMONES, "exploitation")


class DepositStore:
    """Stores and undoes deposits.

    Args:
        rates: Decay rates of the pheromones, per cycle.
        ceiling: Largest value of a pheromone.
        cycle_seconds: Seconds of one cycle of the clock.
    """

    def __init__(self, *, rates: DecayRates, ceiling: float, cycle_seconds: float) -> None:
        self._rates = asdict(rates)
        self._ceiling = ceiling
        self._cycle_seconds = cycle_seconds

    async def lay(self, palace: str, tx: Transaction, deposit: Deposit) -> DepositReceipt | None:
        """Make a deposit; return None if the palace does not exist.

        Edges and nodes that do not exist are skipped. A caller that needs all of them compares the numbers in the
        receipt and rolls back.
        """
        # All writers lock edges and nodes in the same order, which prevents deadlocks.
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

    async def undoable(self, palace: str, tx: Transaction, deposit_id: str) -> UndoableDeposit | None:
        """Lock the edges and nodes of a deposit, and return it with all later deposits on them.

        Returns:
            None if the deposit has no record.
        """
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
        return UndoableDeposit(
            row["cycle"],
            _record(row["deposit"]),
            [_record(later) for later in row["later"]],
            [_carrier(edge) for edge in row["edges"]],
            [_carrier(node) for node in row["nodes"]],
        )

    async def undo(self, palace: str, tx: Transaction, deposit_id: str, undone: UndoneDeposit | None) -> None:
        """Write the values that edges and nodes would have without a deposit, and delete its record.

        Args:
            undone: The values to write; None if the deposit has no record, so that no values change.
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
