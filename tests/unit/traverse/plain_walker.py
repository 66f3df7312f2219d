"""The rules of the colony, written plainly for one agent: what the arrays are checked against."""

from __future__ import annotations

import math

from graphpalace.domain.walking.graph_snapshot import GraphSnapshot


def preferences(
    snapshot: GraphSnapshot, closeness: list[float], visits: dict[int, int], node: int, *, mark: float = 0.3
) -> list[float]:
    """Return how much an agent on a node prefers each of its arcs."""
    found = []
    for arc in range(snapshot.adjacency.start[node], snapshot.adjacency.start[node + 1]):
        head, edge = int(snapshot.adjacency.neighbour[arc]), int(snapshot.adjacency.edge[arc])
        pressure = min(1.0, float(snapshot.nodes.exploration[head]) + mark * visits.get(head, 0))
        found.append(
            max(0.0, closeness[head])
            + 0.5 * min(1.0, float(snapshot.nodes.exploitation[head]))
            - 0.3 * pressure
            - float(snapshot.edges.current_cost[edge])
        )
    return found


def probabilities(
    snapshot: GraphSnapshot,
    closeness: list[float],
    visits: dict[int, int],
    node: int,
    *,
    temperature: float,
    came_from: int | None = None,
) -> dict[int, float]:
    """Return the probability of each arc of a node, by its position in the adjacency; none if it has no arc."""
    first = int(snapshot.adjacency.start[node])
    scored = dict(enumerate(preferences(snapshot, closeness, visits, node), start=first))
    allowed = {arc: score for arc, score in scored.items() if snapshot.adjacency.neighbour[arc] != came_from}
    allowed = allowed or scored
    best = max(allowed.values(), default=0.0)
    weights = {arc: math.exp((score - best) / temperature) for arc, score in allowed.items()}
    return {arc: weights.get(arc, 0.0) / sum(weights.values()) for arc in scored}
