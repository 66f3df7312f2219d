"""Lay pheromones: what helped is made easier to find again, what was searched is left alone for a while."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence

from graphpalace.domain.graph.deposits import Deposit, DepositReceipt, EdgeGain, NodeGain
from graphpalace.domain.graph.pheromones import DecayRates, Rewards
from graphpalace.domain.graph.trail import EdgeRef, NodeRef, Trail
from graphpalace.domain.identity import stable_id
from graphpalace.errors import NotFound
from graphpalace.pheromones.credit import Gains, RewardedTrail, document_gain, feedback_gains
from graphpalace.pheromones.deposit import path_rewards
from graphpalace.pheromones.undo_deposit import without_deposit
from graphpalace.store.connection.database import Database, Transaction
from graphpalace.store.palaces.palaces import get_palace
from graphpalace.store.pheromones.deposits import DepositStore


class Deposits:
    """Lays pheromones. Each deposit is one transaction, and laying it twice is laying it once."""

    def __init__(self, database: Database, *, rates: DecayRates, rewards: Rewards, cycle_seconds: float) -> None:
        self._database = database
        self._rates = rates
        self._rewards = rewards
        self._store = DepositStore(rates=rates, ceiling=rewards.max_pheromone, cycle_seconds=cycle_seconds)

    async def path_success(
        self, palace: str, trail: Trail, *, deposit_id: str, base_reward: float | None = None
    ) -> DepositReceipt:
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
        deposit = Deposit(
            deposit_name(palace, deposit_id),
            "path_success",
            {edge: EdgeGain(success, walked, rewards.recency_reset) for edge, (success, walked) in added.items()},
            {node: NodeGain(exploitation=rewards.exploitation_bonus) for node in trail.nodes},
        )
        return await self._lay_alone(palace, deposit)

    def gains(self, useful: Sequence[RewardedTrail], useless: Sequence[RewardedTrail]) -> Gains:
        """Return what a feedback lays, by the configured rewards."""
        return feedback_gains(useful, useless, rewards=self._rewards)

    def document_gain(self, reward: float, *, useful: bool) -> float:
        """Return what a feedback lays on a document of the caller's own, by the configured rewards."""
        return document_gain(reward, useful=useful, rewards=self._rewards)

    async def lay_feedback(self, palace: str, tx: Transaction, gains: Gains, *, deposit_id: str) -> DepositReceipt:
        """Lay what a feedback says, within its transaction; `undo` takes it back.

        Raises:
            NotFound: If the palace is not there any more. What else is gone is passed over.
        """
        nodes = {node: NodeGain(exploitation=amount) for node, amount in gains.nodes.items()}
        return await self._lay(palace, tx, Deposit(deposit_name(palace, deposit_id), "feedback", gains.edges, nodes))

    async def undo(self, palace: str, tx: Transaction, *, deposit_id: str) -> None:
        """Undo a deposit, within a transaction: all is as if it had never been laid, and it can be laid again.

        What others laid stays, and is what it would have been without it. What is gone is passed over.
        """
        name = deposit_name(palace, deposit_id)
        standing = await self._store.standing(palace, tx, name)
        undone = None
        if standing is not None:
            ceiling = self._rewards.max_pheromone
            undone = await asyncio.to_thread(without_deposit, standing, rates=self._rates, ceiling=ceiling)
        await self._store.undo(palace, tx, name, undone)

    async def exploration(self, palace: str, nodes: Sequence[NodeRef], *, deposit_id: str) -> DepositReceipt:
        """Mark nodes as searched, so that others look elsewhere for a while.

        Raises:
            NotFound: If a node is not in the palace any more; nothing is laid then.

        Source: seed 003, "After Exploration (Mark as Searched)".
        """
        mark = NodeGain(exploration=self._rewards.exploration_mark)
        name = deposit_name(palace, deposit_id)
        # No feedback lays exploration, so that none is ever undone.
        deposit = Deposit(name, "exploration", {}, dict.fromkeys(nodes, mark), recorded=False)
        return await self._lay_alone(palace, deposit)

    async def _lay_alone(self, palace: str, deposit: Deposit) -> DepositReceipt:
        """Lay a deposit in a transaction of its own, on all that it names or on nothing."""

        async def work(tx: Transaction) -> DepositReceipt:
            receipt = await self._lay(palace, tx, deposit)
            edges, nodes = len(deposit.edges), len(deposit.nodes)
            if receipt.fresh and (receipt.edges, receipt.nodes) != (edges, nodes):
                raise NotFound(
                    f"{edges - receipt.edges} of {edges} edges and {nodes - receipt.nodes} of {nodes} nodes of the"
                    f" deposit are not in palace {palace!r} any more; nothing was laid: walk again",
                    palace=palace,
                )
            return receipt

        try:
            return await self._database.transaction(palace, work)
        except NotFound:
            await get_palace(self._database, palace)
            raise

    async def _lay(self, palace: str, tx: Transaction, deposit: Deposit) -> DepositReceipt:
        receipt = await self._store.lay(palace, tx, deposit)
        if receipt is None:
            raise NotFound(f"there is no palace {palace!r}", palace=palace)
        return receipt


def deposit_name(palace: str, deposit_id: str) -> str:
    """Return the id of the node that keeps a deposit from being laid twice."""
    return stable_id("deposit", palace, deposit_id)
