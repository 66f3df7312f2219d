"""Random walk with restart (personalised PageRank): the long-run distribution of a walking agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float, Float64

from graphpalace.domain.walking.graph_snapshot import GraphSnapshot
from graphpalace.errors import InvalidInput

if TYPE_CHECKING:
    from scipy.sparse import csr_array


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
    """Return the share of time that an agent spends on each node in the long run. The shares sum to 1.

    The agent starts at a seed. Before each step it returns to a seed with probability `restart`; otherwise it follows
    an arc, chosen by the softmax of the preferences. This is the limit of the visits of a colony with a single
    temperature that leaves no marks, does not cool down and may turn back.

    Args:
        seeds: Probability of starting at each node, >= 0, on any scale.
        preference: Preference for each arc of the snapshot's adjacency, as from `preference.arc_preference`.
        temperature: Temperature of the softmax, > 0. If it is infinite, all arcs of a node are equally likely.
        restart: Probability of returning to a seed, above 0 and at most 1.
        tolerance: Stop when the sum of absolute differences to the limit is at most this.
        iterations: Largest number of iterations. Each reduces the distance to the limit by the factor 1 - restart.

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
        # The remaining differences form a geometric series with a ratio of at most 1 - restart.
        if moved * (1.0 - restart) <= tolerance * restart:
            break
    return share / share.sum()


def transitions(snapshot: GraphSnapshot, preference: Float[np.ndarray, " arcs"], *, temperature: float) -> csr_array:
    """Return the transition probabilities from node (row) to node (column), as a sparse matrix.

    Each row is the softmax of the preferences of its arcs. An agent on a node without arcs stays there.

    Raises:
        InvalidInput: If there is not one preference for each arc, or the temperature is not above 0.
    """
    from scipy.sparse import csr_array  # loaded when it is first needed: it takes 22 MiB

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
