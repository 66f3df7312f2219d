"""Cheapest paths: between two nodes, and from several sources to many nodes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64, Int, Int64

from graphpalace.domain.graph.graph_snapshot import GraphSnapshot
from graphpalace.errors import InvalidInput
from graphpalace.traverse.labels import Labels
from graphpalace.traverse.path import Path, trace
from graphpalace.traverse.step_cost import StepCosts


def cheapest_path(snapshot: GraphSnapshot, cost: StepCosts, source: int, target: int) -> Path | None:
    """Return the path of least total cost from source to target, or None if there is no path.

    The search runs from both ends, a band of nodes at a time, until no cheaper path can exist. The result is
    deterministic, even if several paths cost the same.

    Args:
        cost: Cost of each step, >= 0.
        source, target: Indices of nodes. If they are equal, the path has no steps.

    Raises:
        InvalidInput: If an index is not a node of the snapshot.

    Source: bidirectional Dijkstra (Nicholson 1966) with delta-stepping (Meyer and Sanders 2003).
    """
    _check(snapshot, [source, target])
    here, there = (
        Labels(snapshot, cost, np.array([root]), backward=root_is_end)
        for root, root_is_end in ((source, False), (target, True))
    )
    best, meeting = (0.0, source) if source == target else (math.inf, -1)
    while (lowest_here := here.lowest) + (lowest_there := there.lowest) < best:
        # A node beyond `below` on a cheaper path has its final label on the other side, so the searches met there.
        if len(here) <= len(there):
            improved = here.advance(below=best - lowest_there)
        else:
            improved = there.advance(below=best - lowest_here)
        whole = here.cost[improved] + there.cost[improved]
        if len(improved) and whole.min() < best:
            best, meeting = float(whole.min()), int(improved[whole.argmin()])
    if meeting < 0:
        return None
    before, edges_before = trace(snapshot.ways, here.arc, meeting)
    after, edges_after = trace(snapshot.ways, there.arc, meeting)
    return Path.along(before[::-1] + after[1:], edges_before[::-1] + edges_after, cost)


@dataclass(frozen=True, eq=False)
class CheapestTree:
    """The cheapest path to each node from the nearest of several sources.

    Attributes:
        step: Cost of each step.
        cost: Cost of the path to each node; infinite if there is none within the limit.
        arc: The last arc of the path to each node; -1 for sources, -2 if there is no path.
    """

    snapshot: GraphSnapshot
    step: StepCosts
    cost: Float64[np.ndarray, " nodes"]
    arc: Int64[np.ndarray, " nodes"]

    def path_to(self, node: int) -> Path | None:
        """Return the path to a node, or None if there is none within the limit."""
        if self.arc[node] < -1:
            return None
        nodes, edges = trace(self.snapshot.ways, self.arc, node)
        return Path.along(nodes[::-1], edges[::-1], self.step)


def cheapest_tree(
    snapshot: GraphSnapshot,
    cost: StepCosts,
    sources: Sequence[int] | Int[np.ndarray, " sources"],
    *,
    targets: Sequence[int] | Int[np.ndarray, " targets"] | None = None,
    limit: float = math.inf,
) -> CheapestTree:
    """Compute the cheapest paths from several sources to all nodes (Dijkstra's algorithm with delta-stepping).

    Args:
        cost: Cost of each step, >= 0.
        sources: Indices of the nodes where a path may start; at least one.
        targets: Stop as soon as the paths to all of these nodes are known. The tree then contains them and the nodes
            that are no farther. None computes the paths to all nodes.
        limit: Leave out paths that cost more than this.

    Raises:
        InvalidInput: If there is no source, or an index is not a node of the snapshot.
    """
    roots = np.asarray(sources, np.int64)
    wanted = None if targets is None else np.asarray(targets, np.int64)
    _check(snapshot, roots)
    if not len(roots):
        raise InvalidInput("sources is empty; it must have at least one node", field="sources")
    if wanted is not None:
        _check(snapshot, wanted)
    labels = Labels(snapshot, cost, roots)
    farthest = math.nextafter(limit, math.inf)
    while (lowest := labels.lowest) < farthest:
        if wanted is not None and labels.cost[wanted].max(initial=0.0) <= lowest:
            break
        labels.advance(below=farthest)
    # Labels above the lowest one still waiting may not be final.
    final = labels.cost <= min(labels.lowest, limit)
    return CheapestTree(
        snapshot, cost, np.where(final, labels.cost, np.inf), np.where(final & np.isfinite(labels.cost), labels.arc, -2)
    )


def _check(snapshot: GraphSnapshot, nodes: Sequence[int] | Int[np.ndarray, " nodes"]) -> None:
    count = len(snapshot.nodes)
    if strange := [int(node) for node in nodes if not 0 <= node < count]:
        raise InvalidInput(f"node {strange[0]} is not one of 0 to {count - 1}", field="node", value=strange[0])
