"""Convergence of a walk: whether the colony still finds anything new (seed 003, "Swarm convergence")."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float64, Int64

from graphpalace.traverse.rows import arcs_of
from graphpalace.traverse.walkers.walk import Walk

WINDOW = 20  # steps
LEAST_GROWTH = 5  # nodes in a window
LEAST_VARIANCE = 0.05
LEAST_FRONTIER = 10  # nodes


@dataclass(frozen=True, eq=False)
class Convergence:
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


def convergence(walk: Walk) -> Convergence:
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
    return Convergence(growth, variance, frontier, (few >= 2) & (np.arange(rows) >= WINDOW))


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
