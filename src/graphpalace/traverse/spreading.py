"""Personalised spreading: where a colony would be after walking for ever."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Float64
from scipy.sparse import csr_array

from graphpalace.domain.graph.graph_snapshot import GraphSnapshot
from graphpalace.errors import InvalidInput


def spread(
    snapshot: GraphSnapshot,
    seeds: Float[np.ndarray, " nodes"],
    *,
    preference: Float[np.ndarray, " arcs"],
    temperature: float = 0.5,
    restart: float = 0.15,
    tolerance: float = 1e-6,
    iterations: int = 200,
) -> Float64[np.ndarray, " nodes"]:
    """Return the share of its time that an agent spends on each node in the long run; the shares sum to 1.

    The agent begins at a seed, returns to one with probability `restart` before each step, and else walks an arc by
    the softmax of the preferences. So this is the limit of the visits of a colony of one temperature that leaves no
    marks, does not cool and may turn back.

    Args:
        seeds: How likely an agent begins at each node, >= 0, on any scale.
        preference: For each arc of the snapshot's adjacency (`preference.arc_preference`).
        temperature: > 0; infinite walks every arc of a node with the same probability.
        restart: Above 0 and at most 1.
        tolerance: Stop when the shares are this near to the limit, as the sum of absolute differences.
        iterations: Stop after so many in any case; each leaves 1 - restart of the distance.

    Raises:
        InvalidInput: If lengths differ, a seed is negative or all are 0, or another value is outside its range.

    Source: random walk with restart (Page and others 1999, Tong and others 2006), by power iteration.
    """
    begin = seeds.astype(np.float64)
    if begin.shape != (len(snapshot.nodes),) or not np.isfinite(begin).all() or begin.min() < 0 or begin.sum() <= 0:
        raise InvalidInput("seeds must have one value for each node, >= 0 and not all 0", field="seeds")
    if not 0 < restart <= 1:
        raise InvalidInput(f"restart is {restart}; it must be above 0 and at most 1", field="restart", value=restart)
    begin /= begin.sum()
    into = transitions(snapshot, preference, temperature=temperature).T.tocsr()
    share = begin
    for _ in range(iterations):
        after = into @ share
        after *= 1.0 - restart
        after += restart * begin
        moved = float(np.abs(after - share).sum())
        share = after
        # What is left is a geometric series of differences, each at most 1 - restart of the one before.
        if moved * (1.0 - restart) <= tolerance * restart:
            break
    return share / share.sum()


def transitions(snapshot: GraphSnapshot, preference: Float[np.ndarray, " arcs"], *, temperature: float) -> csr_array:
    """Return the probability of each step from node (row) to node (column).

    Each row is the softmax of its arcs' preferences; an agent on a node without arcs stays.

    Raises:
        InvalidInput: If there is not one preference an arc, or the temperature is not above 0.
    """
    adjacency, nodes = snapshot.adjacency, len(snapshot.nodes)
    if preference.shape != adjacency.edge.shape or not temperature > 0:
        raise InvalidInput(
            "preference must have one value for each arc, and temperature must be above 0", field="preference"
        )
    degree = np.diff(adjacency.start)
    walked = np.flatnonzero(degree)
    begin, count = adjacency.start[walked], degree[walked]
    weight = preference.astype(np.float64)
    if len(walked):
        weight -= np.repeat(np.maximum.reduceat(weight, begin), count)
        weight = np.exp(weight / temperature)
        weight /= np.repeat(np.add.reduceat(weight, begin), count)
    moving = csr_array((weight, adjacency.neighbour, adjacency.start), shape=(nodes, nodes))
    alone = np.flatnonzero(degree == 0)
    return moving + csr_array((np.ones(len(alone)), (alone, alone)), shape=(nodes, nodes))
