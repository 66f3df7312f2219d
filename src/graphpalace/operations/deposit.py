"""Lay pheromones: what helped is made easier to find again, what was searched is left alone for a while."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graphpalace.domain.identity import stable_id
from graphpalace.domain.pheromones import NOISE_FLOOR, DecayRates, Rewards
from graphpalace.domain.trail import EdgeRef, NodeRef, Trail
from graphpalace.errors import NotFound
from graphpalace.operations.undo_deposit import undo_deposit
from graphpalace.pheromones.credit import Gains, JudgedWay, document_gain, feedback_gains
from graphpalace.pheromones.deposit import path_rewards
from graphpalace.store.database import Database, Transaction
from graphpalace.store.palaces import get_palace


@dataclass(frozen=True, slots=True)
class Deposited:
    """What a deposit did.

    Attributes:
        fresh: Whether it was laid now; False if one of the same id was laid before, so that nothing was done.
    """

    fresh: bool
    edges: int
    nodes: int


class Deposits:
    """Lays pheromones. Each deposit is one transaction, and laying it twice is laying it once."""

    def __init__(self, database: Database, *, rates: DecayRates, rewards: Rewards, cycle_seconds: float) -> None:
        self._database = database
        self._rates = rates
        self._rewards = rewards
        self._cycle_seconds = cycle_seconds

    async def path_success(
        self, palace: str, trail: Trail, *, deposit_id: str, base_reward: float | None = None
    ) -> Deposited:
        """Reward a path that led to something useful: its edges by position, its nodes alike.

        Args:
            trail: The edges in the order they were walked.
            deposit_id: Of the caller's choice; a deposit that was laid under it before is not laid again.
            base_reward: Success of the first edge, >= 0; None: the configured one.

        Raises:
            NotFound: If an edge or a node is not in the palace any more; nothing is laid then.
            InvalidInput: If the path has no edge or the reward is below 0.

        Source: seed 003, "After Successful Search (Position-Weighted)".
        """
        rewards = self._rewards
        reward = rewards.success_base_reward if base_reward is None else base_reward
        shares = path_rewards(len(trail.edges), base_reward=reward)
        added: dict[EdgeRef, list[float]] = defaultdict(lambda: [0.0, 0.0])
        for edge, share in zip(trail.edges, shares, strict=True):
            added[edge][0] += share
            added[edge][1] += rewards.traversal_increment
        return await self._alone(
            palace,
            "path_success",
            deposit_id,
            [
                {"success": success, "traversal": traversal, "recency": rewards.recency_reset} | _named(edge)
                for edge, (success, traversal) in sorted(added.items())
            ],
            [
                {"kind": node.kind, "id": node.id, "exploitation": rewards.exploitation_bonus, "exploration": 0.0}
                for node in sorted(set(trail.nodes))
            ],
        )

    def gains(self, useful: Sequence[JudgedWay], useless: Sequence[JudgedWay]) -> Gains:
        """Return what a feedback lays, by the configured rewards."""
        return feedback_gains(useful, useless, rewards=self._rewards)

    def document_gain(self, reward: float, *, useful: bool) -> float:
        """Return what a feedback lays on a document of the caller's own, by the configured rewards."""
        return document_gain(reward, useful=useful, rewards=self._rewards)

    async def lay_feedback(self, tx: Transaction, palace: str, gains: Gains, *, deposit_id: str) -> Deposited:
        """Lay what a feedback says, within its transaction; `undo` takes it back.

        Raises:
            NotFound: If the palace is not there any more. What else is gone is passed over.
        """
        edges = [gain._asdict() | _named(edge) for edge, gain in sorted(gains.edges.items())]
        nodes = [
            {"kind": node.kind, "id": node.id, "exploitation": amount, "exploration": 0.0}
            for node, amount in sorted(gains.nodes.items())
        ]
        return await self._lay(tx, palace, "feedback", deposit_id, edges, nodes, all_there=False)

    async def undo(self, tx: Transaction, palace: str, *, deposit_id: str) -> None:
        """Undo a deposit, within a transaction: all is as if it had never been laid, and it can be laid again.

        What others laid stays, and is what it would have been without it. What is gone is passed over.
        """
        await undo_deposit(
            tx,
            palace,
            deposit_name(palace, deposit_id),
            rates=self._rates,
            ceiling=self._rewards.max_pheromone,
            cycle_seconds=self._cycle_seconds,
        )

    async def exploration(self, palace: str, nodes: Sequence[NodeRef], *, deposit_id: str) -> Deposited:
        """Mark nodes as searched, so that others look elsewhere for a while.

        Raises:
            NotFound: If a node is not in the palace any more; nothing is laid then.

        Source: seed 003, "After Exploration (Mark as Searched)".
        """
        marks = [
            {"kind": node.kind, "id": node.id, "exploitation": 0.0, "exploration": self._rewards.exploration_mark}
            for node in sorted(set(nodes))
        ]
        return await self._alone(palace, "exploration", deposit_id, [], marks)

    async def _alone(
        self, palace: str, kind: str, deposit_id: str, edges: list[dict[str, Any]], nodes: list[dict[str, Any]]
    ) -> Deposited:
        """Lay a deposit in a transaction of its own."""

        async def work(tx: Transaction) -> Deposited:
            return await self._lay(tx, palace, kind, deposit_id, edges, nodes, all_there=True)

        try:
            return await self._database.transaction(work, palace=palace)
        except NotFound:
            await get_palace(self._database, palace)
            raise

    async def _lay(
        self,
        tx: Transaction,
        palace: str,
        kind: str,
        deposit_id: str,
        edges: list[dict[str, Any]],
        nodes: list[dict[str, Any]],
        *,
        all_there: bool,
    ) -> Deposited:
        params = {
            "id": deposit_name(palace, deposit_id),
            "kind": kind,
            "cycle_seconds": self._cycle_seconds,
            "rates": self._rates.as_params(),
            "floor": NOISE_FLOOR,
            "most": self._rewards.max_pheromone,
            "recorded": kind != "exploration",  # no feedback lays exploration, so that none is undone
            "edges": edges,  # in the same order for all writers, so that they wait for each other in no circle
            "nodes": nodes,
        }

        rows = await tx.run("pheromones/deposit", **params)
        if not rows:
            raise NotFound(f"there is no palace {palace!r}", palace=palace)
        row = rows[0]
        if all_there and row["fresh"] and (row["edges"], row["nodes"]) != (len(edges), len(nodes)):
            gone = len(edges) - row["edges"], len(nodes) - row["nodes"]
            raise NotFound(
                f"{gone[0]} of {len(edges)} edges and {gone[1]} of {len(nodes)} nodes of the deposit are not in"
                f" palace {palace!r} any more; nothing was laid: walk again",
                palace=palace,
            )
        return Deposited(row["fresh"], row["edges"], row["nodes"])


def deposit_name(palace: str, deposit_id: str) -> str:
    """Return the id of the node that keeps a deposit from being laid twice."""
    return stable_id("deposit", palace, deposit_id)


def _named(edge: EdgeRef) -> dict[str, str]:
    return {"type": edge.type, "from": edge.source, "to": edge.target}
