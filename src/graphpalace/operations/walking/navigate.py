"""Find the cheapest path from one place of a palace to another, and explain the cost of each step."""

from __future__ import annotations

import asyncio

from graphpalace.domain.walking.graph_snapshot import KINDS, RELATIONS, GraphSnapshot
from graphpalace.domain.walking.route import NamedNode, Route, RouteStep
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.replica.node_vectors import NodeVectors
from graphpalace.replica.places import find_node, names_of
from graphpalace.replica.snapshots import Snapshots
from graphpalace.store.connection.database import Database
from graphpalace.traverse.cheapest_path import cheapest_path
from graphpalace.traverse.path import PRESETS, explain_step, step_costs


class Navigate:
    """Finds the cheapest paths in palaces."""

    def __init__(self, database: Database, snapshots: Snapshots, vectors: NodeVectors) -> None:
        self._database = database
        self._snapshots = snapshots
        self._vectors = vectors

    async def find(self, palace: str, start: str, goal: str, *, context: str = "default") -> Route:
        """Return the cheapest path. Nothing changes in the palace.

        Args:
            start, goal: A wing, WING/ROOM, or the id of any node.
            context: A name in `PRESETS`, which sets the weights of meaning, pheromones and structure.

        Raises:
            NotFound: If start or goal is not in the palace, or no path joins them.
            InvalidInput: If the context is unknown, or a name fits several rooms.
        """
        if context not in PRESETS:
            known = ", ".join(PRESETS)
            raise InvalidInput(f"context is {context!r}; it must be one of {known}", field="context", value=context)
        snapshot = await self._snapshots.get(palace)
        source = await find_node(self._database, snapshot, palace, start, field="from")
        target = await find_node(self._database, snapshot, palace, goal, field="to")
        closeness = await self._vectors.closeness_to(palace, snapshot, target)
        weights = PRESETS[context]
        path = await asyncio.to_thread(
            lambda: cheapest_path(snapshot, step_costs(snapshot, closeness, weights), source, target)
        )
        if path is None:
            raise NotFound(
                f"there is no path from {start!r} to {goal!r}: no edges of palace {palace!r} connect them",
                field="to",
                value=goal,
            )
        names = await names_of(self._database, snapshot, path.nodes.tolist())

        def leg(step: int) -> RouteStep:
            edge, into = int(path.edges[step]), int(path.nodes[step + 1])
            parts, edges = explain_step(snapshot, closeness, weights, edge=edge, into=into), snapshot.edges
            return RouteStep(
                type=RELATIONS[edges.relation[edge]],
                forward=int(edges.target[edge]) == into,
                to=_stop(snapshot, into, names),
                cost=float(path.costs[step]),
                semantic=parts.semantic,
                pheromone=parts.pheromone,
                structural=parts.structural,
                base_cost=float(edges.base_cost[edge]),
                current_cost=float(edges.current_cost[edge]),
                success=float(edges.success[edge]),
                traversal=float(edges.traversal[edge]),
                recency=float(edges.recency[edge]),
            )

        return Route(
            _stop(snapshot, source, names), [leg(step) for step in range(len(path.edges))], path.total, context
        )


def _stop(snapshot: GraphSnapshot, node: int, names: dict[int, str]) -> NamedNode:
    return NamedNode(KINDS[snapshot.nodes.kind[node]], snapshot.nodes.ids[node], names[node])
