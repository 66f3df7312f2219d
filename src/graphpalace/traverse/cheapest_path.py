"""Cheapest paths: between two nodes, and from several sources to many nodes, by Dijkstra's algorithm in bands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64, Int, Int64

from graphpalace.domain.walking.graph_snapshot import GraphSnapshot
from graphpalace.errors import InvalidInput
from graphpalace.traverse.adjacency import arcs_of
from graphpalace.traverse.path import Path, StepCosts, trace

_BAND = 0.5  # width as a share of the mean step cost: wide bands are fewer, narrow ones relabel fewer nodes
_SAMPLE = 4096


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


class Labels:
    """The cheapest known cost between some roots and each node, and the queue of nodes still to be expanded.

    One call of `advance` expands all waiting nodes within a band above the cheapest one. A node whose label falls later
    is expanded again, so every label below `lowest` is final, however wide the band.

    Args:
        step: Cost of each step, >= 0.
        roots: Indices of the nodes where the search starts.
        backward: Search for paths to the roots instead of from them.

    Attributes:
        cost: Cheapest known cost of each node; infinite if no path is known yet.
        arc: The arc by which each node was reached. It leads out of the previous node of the path, or, if `backward`,
            of the next one. -1 for roots; undefined where the cost is infinite.

    Source: delta-stepping (Meyer and Sanders 2003).
    """

    def __init__(
        self, snapshot: GraphSnapshot, step: StepCosts, roots: Int[np.ndarray, " roots"], *, backward: bool = False
    ) -> None:
        nodes = len(snapshot.nodes)
        self.cost: Float64[np.ndarray, " nodes"] = np.full(nodes, np.inf)
        self.arc: Int64[np.ndarray, " nodes"] = np.empty(nodes, np.int64)
        self.cost[roots], self.arc[roots] = 0.0, -1
        self._adjacency, self._step, self._backward = snapshot.ways, step, backward
        self._waits = np.zeros(nodes, bool)
        self._waiting: Int64[np.ndarray, " waiting"] = np.unique(roots).astype(np.int64)
        self._waits[self._waiting] = True
        self._band = _BAND * _mean_step(step)

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def lowest(self) -> float:
        """The lowest label of the nodes still to be expanded; infinite if there are none."""
        return float(self.cost[self._waiting].min(initial=np.inf))

    def advance(self, *, below: float) -> Int64[np.ndarray, " improved"]:
        """Expand the next band of nodes and return the nodes whose labels fell.

        Args:
            below: Nodes with a label of this or more are dropped from the queue without being expanded.
        """
        band = self._next_band(below)
        arcs, count = arcs_of(self._adjacency, band)
        heads = self._adjacency.neighbour[arcs]
        # The cost of a step includes that of the node walked into; searching backward, this is the expanded node.
        so_far = self.cost[band] + self._step.node[band] if self._backward else self.cost[band]
        reached = np.repeat(so_far, count) + self._step.edge[self._adjacency.edge[arcs]]
        if not self._backward:
            reached += self._step.node[heads]
        better = np.flatnonzero(reached < self.cost[heads])
        heads, arcs, reached = heads[better], arcs[better], reached[better]
        np.minimum.at(self.cost, heads, reached)
        best = reached == self.cost[heads]
        heads, arcs = heads[best], arcs[best]
        self.arc[heads[::-1]] = arcs[::-1]  # of equally cheap arcs the first one stays
        improved = heads[self.arc[heads] == arcs].astype(np.int64)
        fresh = improved[~self._waits[improved]]
        self._waits[fresh] = True
        self._waiting = np.concatenate([self._waiting, fresh])
        return improved

    def _next_band(self, below: float) -> Int64[np.ndarray, " band"]:
        cost = self.cost[self._waiting]
        of_use = cost < below
        chosen = of_use & (cost <= cost.min(initial=np.inf) + self._band)
        self._waits[self._waiting[chosen | ~of_use]] = False
        band, self._waiting = self._waiting[chosen], self._waiting[of_use & ~chosen]
        return band


def _mean_step(step: StepCosts) -> float:
    """Estimate the mean cost of a step from a sample of nodes and edges."""
    return sum(float(part[:: len(part) // _SAMPLE + 1].mean()) if len(part) else 0.0 for part in (step.node, step.edge))
