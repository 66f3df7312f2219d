"""Deposit pheromones on places and paths that a caller names."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from uuid import uuid4

import numpy as np

from graphpalace.domain.graph.deposit_request import DepositRequest
from graphpalace.domain.graph.deposits import DepositReceipt
from graphpalace.domain.graph.graph_snapshot import PALACE, GraphSnapshot
from graphpalace.domain.graph.trail import Trail, edge_refs, node_refs
from graphpalace.errors import InvalidInput
from graphpalace.operations.stigmergy.deposit import Deposits
from graphpalace.replica.places import find_node
from graphpalace.replica.snapshots import Snapshots
from graphpalace.store.connection.database import Database


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
