"""The record of a colony's walk, what follows from it, and whether it still finds anything new (seed 003)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Float64, Int32, Int64

from graphpalace.domain.search.answer import Ranking
from graphpalace.domain.walking.graph_snapshot import DRAWER, GraphSnapshot
from graphpalace.errors import NotFound
from graphpalace.traverse.adjacency import ArcBlocks, arcs_of
from graphpalace.traverse.path import Path, trace

LANE = "path"
WINDOW = 20  # steps
LEAST_GROWTH = 5  # nodes in a window
LEAST_VARIANCE = 0.05
LEAST_FRONTIER = 10  # nodes


@dataclass(frozen=True, eq=False)
class Walk:
    """All steps of all agents. Everything else is computed from them on demand.

    Attributes:
        closeness: Cosine of each node to the goal of the walk.
        node: The node of each agent after each step; the first row is where it started.
        slot: The slot of `ArcBlocks` by which each agent got there; -1 if it was placed there.
    """

    snapshot: GraphSnapshot
    closeness: Float[np.ndarray, " nodes"]
    node: Int32[np.ndarray, "steps_and_one agents"]
    slot: Int32[np.ndarray, "steps_and_one agents"]

    @property
    def steps(self) -> int:
        """Number of steps of each agent."""
        return len(self.node) - 1

    @cached_property
    def visits(self) -> Int64[np.ndarray, " nodes"]:
        """How often agents visited each node, including where they started."""
        return np.bincount(self.node.ravel(), minlength=len(self.snapshot.nodes))

    @cached_property
    def _first(self) -> Int64[np.ndarray, " nodes"]:
        """Position of each node's first visit in the flattened array `node`; -1 if never visited."""
        first = np.full(len(self.snapshot.nodes), -1, np.int64)
        places = np.arange(self.node.size)[::-1]
        first[self.node.ravel()[::-1]] = places  # the last value written stays, which is the earliest visit
        return first

    @cached_property
    def first_step(self) -> Int64[np.ndarray, " nodes"]:
        """The step in which each node was first visited: 0 where agents started, -1 if never visited."""
        return np.where(self._first < 0, -1, self._first // self.node.shape[1])

    @cached_property
    def first_arc(self) -> Int64[np.ndarray, " nodes"]:
        """The arc by which each node was first reached; -1 if an agent was placed there, or it was never visited."""
        arc = np.full(len(self._first), -1, np.int64)
        node = np.flatnonzero(self._first >= 0)
        node = node[self.slot.ravel()[self._first[node]] >= 0]
        place = self._first[node]
        tail = self.node.ravel()[place - self.node.shape[1]]
        arc[node] = ArcBlocks.of(self.snapshot).arc_of(self.snapshot.adjacency, tail, self.slot.ravel()[place])
        return arc

    def path_to(self, node: int) -> Path:
        """Return the path by which a node was first reached, with the current cost of each edge.

        Raises:
            NotFound: If no agent visited the node.
        """
        if self._first[node] < 0:
            raise NotFound(f"no agent visited {self.snapshot.nodes.ids[node]}", field="node", value=node)
        nodes, edges = (np.array(part[::-1], np.int64) for part in trace(self.snapshot.adjacency, self.first_arc, node))
        return Path(nodes, edges, self.snapshot.edges.current_cost[edges])

    def coverage(self, *, of: Bool[np.ndarray, " nodes"] | None = None) -> float:
        """Return the share of the nodes that was visited, 0 to 1.

        Args:
            of: Mask of the nodes that count, such as `nodes.kind == DRAWER`; None for all nodes.
        """
        seen = self.visits > 0
        counted = seen if of is None else seen[of]
        return float(counted.mean()) if len(counted) else 0.0

    @cached_property
    def frontier(self) -> int:
        """Number of unvisited nodes with a visited neighbour."""
        arcs, _ = arcs_of(self.snapshot.adjacency, np.flatnonzero(self.visits))
        beside = np.zeros(len(self.visits), bool)
        beside[self.snapshot.adjacency.neighbour[arcs]] = True
        return int((beside & (self.visits == 0)).sum())

    def scores(self) -> Float64[np.ndarray, " nodes"]:
        """Return the score of each node: visits x max(0, closeness), normalised to a sum of 1 over all drawers.

        Nodes other than drawers score 0. Visits alone would favour hubs, and closeness alone would ignore the walk.
        """
        score = self.visits * np.clip(self.closeness, 0.0, 1.0) * (self.snapshot.nodes.kind == DRAWER)
        return score / (score.sum() or 1.0)

    def ranking(self, *, limit: int | None = None) -> Ranking:
        """Return the drawers with a score above 0, best first, ties by id.

        Args:
            limit: Largest number of drawers to return; None for all.
        """
        score = self.scores()
        order = np.lexsort((np.arange(len(score)), -score))[: int((score > 0).sum())][:limit]
        return Ranking(LANE, tuple(self.snapshot.nodes.ids[at] for at in order), tuple(score[order].tolist()))


@dataclass(frozen=True, eq=False)
class WalkConvergence:
    """The three signs of convergence after each step; the first value of each is that before the first step.

    Attributes:
        growth: Number of nodes that were first visited in the last 20 steps.
        variance: Variance over the last 20 steps of the agents' mean closeness to the goal; infinite before step 20.
        frontier: Number of unvisited nodes with a visited neighbour.
        converged: Whether at least two of these hold: growth below 5, variance below 0.05, frontier below 10. It is
            always False before step 20.
    """

    growth: Int64[np.ndarray, " steps_and_one"]
    variance: Float64[np.ndarray, " steps_and_one"]
    frontier: Int64[np.ndarray, " steps_and_one"]
    converged: Bool[np.ndarray, " steps_and_one"]


def convergence(walk: Walk) -> WalkConvergence:
    """Compute the signs of convergence of a walk after each of its steps.

    Source: seed 003, "Swarm convergence".
    """
    rows = walk.steps + 1
    visited = np.flatnonzero(walk.first_step >= 0)
    known = np.cumsum(np.bincount(walk.first_step[visited], minlength=rows))
    growth = known.copy()
    growth[WINDOW:] -= known[:-WINDOW]
    variance = np.full(rows, np.inf)
    if rows > WINDOW:
        closeness = walk.closeness[walk.node].mean(axis=1, dtype=np.float64)
        variance[WINDOW:] = np.lib.stride_tricks.sliding_window_view(closeness[1:], WINDOW).var(axis=1)
    frontier = _frontier(walk, visited, rows)
    few = (growth < LEAST_GROWTH).astype(int) + (variance < LEAST_VARIANCE) + (frontier < LEAST_FRONTIER)
    return WalkConvergence(growth, variance, frontier, (few >= 2) & (np.arange(rows) >= WINDOW))


def _frontier(walk: Walk, visited: Int64[np.ndarray, " visited"], rows: int) -> Int64[np.ndarray, " steps_and_one"]:
    """Return the number of unvisited nodes with a visited neighbour after each step."""
    latest_first = visited[np.argsort(-walk.first_step[visited], kind="stable")]
    arcs, count = arcs_of(walk.snapshot.adjacency, latest_first)
    beside = np.full(len(walk.first_step), rows, np.int64)
    beside[walk.snapshot.adjacency.neighbour[arcs]] = np.repeat(walk.first_step[latest_first], count)
    left = np.where(walk.first_step < 0, rows, walk.first_step)
    joins = beside < left
    change = np.bincount(beside[joins], minlength=rows + 1) - np.bincount(left[joins], minlength=rows + 1)
    return np.cumsum(change)[:rows]
