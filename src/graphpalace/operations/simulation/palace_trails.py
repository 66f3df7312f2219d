"""Exchange trails between a palace and a simulation: start with the palace's edges, and deposit what a swarm found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphpalace.domain.walking.graph_snapshot import DRAWER, GraphSnapshot, Trail, edge_refs, node_refs
from graphpalace.operations.pheromones.deposit import Deposits
from graphpalace.operations.simulation.live_simulation import LiveSimulation
from graphpalace.replica.snapshots import Snapshots

_REWARDED = 10  # number of strongest trails that are rewarded


class PalaceTrails:
    """Reads trails from a palace for a simulation, and deposits the trails of a simulation in a palace."""

    def __init__(self, snapshots: Snapshots, deposits: Deposits) -> None:
        self._snapshots = snapshots
        self._deposits = deposits

    async def strengths(self, palace: str, ids: Sequence[str]) -> list[tuple[int, int, float]]:
        """Return the edges between the drawers of a corpus, as the rows of both ends and a strength, 0 to 1.

        The strength is 1 - `current_cost`. For a SIMILAR_TO edge, this is the cosine, raised by the edge's pheromones.
        """
        snapshot = await self._snapshots.get(palace)
        row = {drawer: at for at, drawer in enumerate(ids)}
        return [
            (row[first], row[second], strength)
            for first, second, strength in _drawer_edges(snapshot)
            if first in row and second in row and strength > 0
        ]

    async def deposit(self, palace: str, name: str, live: LiveSimulation) -> int:
        """Mark what the swarm visited as explored, and reward the palace's edges along its strongest trails.

        At most ten edges are rewarded, those of the strongest trails that the palace has an edge for. The reward is
        proportional to the trail's strength. Depositing twice has the effect of depositing once.

        Returns:
            The number of rewarded edges.
        """
        snapshot = await self._snapshots.get(palace)
        ids, course = live.course.ids, live.course
        visited, trails = await live.between_steps(
            lambda: (course.visited(), course.strongest_trails(len(course.swarm.trails)))
        )
        prefix = f"simulation-{name}-{live.seed}-{course.swarm.step}"
        nodes = [at for row in visited if (at := snapshot.index_of.get(ids[row])) is not None]
        if nodes:
            await self._deposits.exploration(palace, node_refs(snapshot, nodes), deposit_id=f"{prefix}-explored")
        edges = _edge_of_pairs(snapshot)
        found = [
            (edge, strength)
            for first, second, strength in trails
            if (edge := edges.get(_pair(ids[first], ids[second])))
        ]
        most = max((strength for _edge, strength in found), default=1.0)
        for number, (edge, strength) in enumerate(found[:_REWARDED]):
            ends = [snapshot.edges.source[edge], snapshot.edges.target[edge]]
            trail = Trail(edge_refs(snapshot, [edge]), node_refs(snapshot, ends))
            await self._deposits.path_success(
                palace, trail, deposit_id=f"{prefix}-trail-{number}", base_reward=strength / most
            )
        return min(len(found), _REWARDED)


def _between_drawers(snapshot: GraphSnapshot) -> np.ndarray:
    kind, edges = snapshot.nodes.kind, snapshot.edges
    return np.flatnonzero((kind[edges.source] == DRAWER) & (kind[edges.target] == DRAWER))


def _drawer_edges(snapshot: GraphSnapshot) -> list[tuple[str, str, float]]:
    ids, edges = snapshot.nodes.ids, snapshot.edges
    return [
        (ids[edges.source[at]], ids[edges.target[at]], float(1 - edges.current_cost[at]))
        for at in _between_drawers(snapshot).tolist()
    ]


def _pair(first: str, second: str) -> tuple[str, str]:
    return (first, second) if first < second else (second, first)


def _edge_of_pairs(snapshot: GraphSnapshot) -> dict[tuple[str, str], int]:
    ids, edges = snapshot.nodes.ids, snapshot.edges
    return {_pair(ids[edges.source[at]], ids[edges.target[at]]): at for at in _between_drawers(snapshot).tolist()}
