"""Dijkstra's labels for a whole band of nodes at a time."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float64, Int, Int64

from graphpalace.domain.graph.graph_snapshot import GraphSnapshot
from graphpalace.traverse.rows import arcs_of
from graphpalace.traverse.step_cost import StepCosts

_BAND = 0.5  # of a mean step: wider bands are fewer, narrower ones label fewer nodes twice
_SAMPLE = 4096


class Labels:
    """The cheapest known cost between some roots and each node, and the nodes whose arcs are yet to be looked at.

    All nodes within a band above the cheapest such node are looked at together. A node whose label falls later is
    looked at again, so every label below `lowest` is final, however wide the band (delta-stepping, Meyer and Sanders
    2003).

    Args:
        roots: Where the search begins.
        backward: Search for ways to the roots, not from them.

    Attributes:
        cost: Cheapest known cost of each node; infinite where none is known.
        arc: The arc each node was reached by, which leads out of the node before (if `backward`, the node after); -1
            for roots; meaningless where the cost is infinite.
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
        """The cheapest label whose arcs are yet to be looked at; infinite if there is none."""
        return float(self.cost[self._waiting].min(initial=np.inf))

    def advance(self, *, below: float) -> Int64[np.ndarray, " improved"]:
        """Look at the arcs of the next band of nodes and return the nodes whose label fell.

        Args:
            below: Labels from this on are of no use; their nodes are not looked at.
        """
        band = self._next_band(below)
        arcs, count = arcs_of(self._adjacency, band)
        heads = self._adjacency.neighbour[arcs]
        # A step costs what its head costs: against the direction of the arcs that is the node looked at.
        so_far = self.cost[band] + self._step.node[band] if self._backward else self.cost[band]
        reached = np.repeat(so_far, count) + self._step.edge[self._adjacency.edge[arcs]]
        if not self._backward:
            reached += self._step.node[heads]
        better = np.flatnonzero(reached < self.cost[heads])
        heads, arcs, reached = heads[better], arcs[better], reached[better]
        np.minimum.at(self.cost, heads, reached)
        best = reached == self.cost[heads]
        heads, arcs = heads[best], arcs[best]
        self.arc[heads[::-1]] = arcs[::-1]  # of equal ones the first stays
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
    """Return about what a step costs, from some nodes and edges."""
    return sum(float(part[:: len(part) // _SAMPLE + 1].mean()) if len(part) else 0.0 for part in (step.node, step.edge))
