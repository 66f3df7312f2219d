"""The labels of Dijkstra's algorithm, updated for a whole band of nodes at a time (delta-stepping)."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float64, Int, Int64

from graphpalace.domain.graph.graph_snapshot import GraphSnapshot
from graphpalace.traverse.rows import arcs_of
from graphpalace.traverse.step_cost import StepCosts

_BAND = 0.5  # width as a share of the mean step cost: wide bands are fewer, narrow ones relabel fewer nodes
_SAMPLE = 4096


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
