"""Deposit pheromones: on what helped, so that it is found more easily, and on what was searched, to look elsewhere.

A caller may name the places by their ids or names."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from uuid import uuid4

import numpy as np

from graphpalace.domain.identity import stable_id
from graphpalace.domain.pheromones.deposits import Deposit, DepositReceipt, DepositRequest, EdgeGain, NodeGain
from graphpalace.domain.pheromones.pheromones import DecayRates, Rewards
from graphpalace.domain.walking.graph_snapshot import (
    PALACE,
    EdgeRef,
    GraphSnapshot,
    NodeRef,
    Trail,
    edge_refs,
    node_refs,
)
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.pheromones.deposit import (
    Gains,
    RewardedTrail,
    document_gain,
    feedback_gains,
    path_rewards,
    without_deposit,
)
from graphpalace.replica.places import find_node
from graphpalace.replica.snapshots import Snapshots
from graphpalace.store.connection.database import Database, Transaction
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.store.palaces.write_keys import once
from graphpalace.store.pheromones.deposits import DepositStore


class Deposits:
    """Deposits pheromones. A deposit with the same id has an effect only once."""

    def __init__(self, database: Database, *, rates: DecayRates, rewards: Rewards, cycle_seconds: float) -> None:
        self._database = database
        self._palaces = PalaceStore(database)
        self._rates = rates
        self._rewards = rewards
        self._store = DepositStore(rates=rates, ceiling=rewards.max_pheromone, cycle_seconds=cycle_seconds)

    async def path_success(
        self, palace: str, trail: Trail, *, deposit_id: str, base_reward: float | None = None
    ) -> DepositReceipt:
        """Reward a path that led to something useful: its edges by their position, its nodes equally.

        Args:
            trail: The edges in the order in which they were walked, and the nodes.
            deposit_id: Key chosen by the caller. A second deposit with the same key has no effect.
            base_reward: Success of the first edge, >= 0; None: the configured one.

        Raises:
            NotFound: If an edge or a node is no longer in the palace; nothing is deposited then.
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
        """Return what a feedback deposits on paths, by the configured rewards."""
        return feedback_gains(useful, useless, rewards=self._rewards)

    def document_gain(self, reward: float, *, useful: bool) -> float:
        """Return what a feedback deposits on a document of the caller's own, by the configured rewards."""
        return document_gain(reward, useful=useful, rewards=self._rewards)

    async def lay_feedback(self, palace: str, tx: Transaction, gains: Gains, *, deposit_id: str) -> DepositReceipt:
        """Deposit the gains of a feedback, within its transaction. `undo` takes them back.

        Edges and nodes that no longer exist are skipped.

        Raises:
            NotFound: If the palace no longer exists.
        """
        nodes = {node: NodeGain(exploitation=amount) for node, amount in gains.nodes.items()}
        return await self._lay(palace, tx, Deposit(deposit_name(palace, deposit_id), "feedback", gains.edges, nodes))

    async def undo(self, palace: str, tx: Transaction, *, deposit_id: str) -> None:
        """Undo a deposit, within a transaction. Afterwards the same deposit can be made again.

        All pheromones become what they would be if the deposit had never been made; other deposits keep their effect.
        Edges and nodes that no longer exist are skipped.
        """
        name = deposit_name(palace, deposit_id)
        undoable = await self._store.undoable(palace, tx, name)
        undone = None
        if undoable is not None:
            ceiling = self._rewards.max_pheromone
            undone = await asyncio.to_thread(without_deposit, undoable, rates=self._rates, ceiling=ceiling)
        await self._store.undo(palace, tx, name, undone)

    async def exploration(self, palace: str, nodes: Sequence[NodeRef], *, deposit_id: str) -> DepositReceipt:
        """Mark nodes as searched, so that other agents look elsewhere for a while.

        Raises:
            NotFound: If a node is no longer in the palace; nothing is deposited then.

        Source: seed 003, "After Exploration (Mark as Searched)".
        """
        mark = NodeGain(exploration=self._rewards.exploration_mark)
        name = deposit_name(palace, deposit_id)
        # Only deposits of feedback are undone, so this one need not be recorded.
        deposit = Deposit(name, "exploration", {}, dict.fromkeys(nodes, mark), recorded=False)
        return await self._lay_alone(palace, deposit)

    async def _lay_alone(self, palace: str, deposit: Deposit) -> DepositReceipt:
        """Make a deposit in a transaction of its own, either on all of its edges and nodes or not at all."""

        async def work(tx: Transaction) -> DepositReceipt:
            receipt = await self._lay(palace, tx, deposit)
            edges, nodes = len(deposit.edges), len(deposit.nodes)
            if receipt.fresh and (receipt.edges, receipt.nodes) != (edges, nodes):
                raise NotFound(
                    f"{edges - receipt.edges} of {edges} edges and {nodes - receipt.nodes} of {nodes} nodes of the"
                    f" deposit are no longer in palace {palace!r}; nothing was deposited: walk again",
                    palace=palace,
                )
            return receipt

        try:
            return await self._database.transaction(palace, once(palace, "deposit", DepositReceipt, work))
        except NotFound:
            await self._palaces.get(palace)
            raise

    async def _lay(self, palace: str, tx: Transaction, deposit: Deposit) -> DepositReceipt:
        receipt = await self._store.lay(palace, tx, deposit)
        if receipt is None:
            raise NotFound(f"there is no palace {palace!r}", palace=palace)
        return receipt


def deposit_name(palace: str, deposit_id: str) -> str:
    """Return the id of the node that records a deposit, so that it has an effect only once."""
    return stable_id("deposit", palace, deposit_id)


class NamedDeposits:
    """Deposits pheromones on nodes and paths given by ids and names."""

    def __init__(self, database: Database, snapshots: Snapshots, deposits: Deposits) -> None:
        self._database = database
        self._snapshots = snapshots
        self._deposits = deposits

    async def deposit(self, palace: str, request: DepositRequest) -> DepositReceipt:
        """Reward a path, or mark places as searched; all of it or nothing.

        Raises:
            InvalidInput: If a value is out of range, two nodes of a path are not joined, or a name is not unique.
            NotFound: If the palace or a node does not exist.
        """
        request.check()
        snapshot = await self._snapshots.get(palace)
        nodes = [
            await find_node(self._database, snapshot, palace, name, field=f"nodes.{at}")
            for at, name in enumerate(request.nodes)
        ]
        for at, node in enumerate(nodes):
            if snapshot.nodes.kind[node] == PALACE:
                raise InvalidInput(f"nodes.{at} is a palace, which carries no pheromones", field=f"nodes.{at}")
        key = f"{request.kind} {request.id or uuid4().hex}"
        refs = node_refs(snapshot, dict.fromkeys(nodes))
        if request.kind == "exploration":
            return await self._deposits.exploration(palace, refs, deposit_id=key)
        trail = Trail(edge_refs(snapshot, _edges(snapshot, nodes, request.nodes)), refs)
        return await self._deposits.path_success(palace, trail, deposit_id=key, base_reward=request.amount)


def _edges(snapshot: GraphSnapshot, nodes: Sequence[int], names: Sequence[str]) -> list[int]:
    """Return the cheapest edge between each node and the next."""
    edges = snapshot.edges
    found = []
    for at, (one, other) in enumerate(pairwise(nodes)):
        forth = (edges.source == one) & (edges.target == other)
        back = (edges.source == other) & (edges.target == one)
        between = np.flatnonzero(forth | back)
        if not len(between):
            raise InvalidInput(
                f"nodes.{at} and nodes.{at + 1}, {names[at]!r} and {names[at + 1]!r}, are not joined by an edge",
                field=f"nodes.{at + 1}",
            )
        found.append(int(between[edges.current_cost[between].argmin()]))
    return found
