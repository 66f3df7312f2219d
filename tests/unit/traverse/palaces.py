"""Small palaces for the tests of walking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from graphpalace.domain.walking.graph_snapshot import DRAWER, RELATIONS, Edges, GraphSnapshot, Nodes


def snapshot_of(
    nodes: int,
    pairs: Sequence[tuple[int, int]],
    *,
    cost: Sequence[float] | None = None,
    factor: Sequence[float] | None = None,
    exploitation: Sequence[float] | None = None,
    exploration: Sequence[float] | None = None,
) -> GraphSnapshot:
    """Return a palace of drawers d000, d001, ... with some edges; what is not given is 0."""
    ends = np.array(pairs, np.int32).reshape(-1, 2)
    none = np.zeros(len(ends))
    price = none if cost is None else np.array(cost, np.float64)
    strength = none if factor is None else np.array(factor, np.float64)
    edges = Edges(ends[:, 0], ends[:, 1], none.astype(np.uint8), none, none, none, strength, price, price)
    marks = [np.zeros(nodes) if mark is None else np.array(mark, np.float64) for mark in (exploitation, exploration)]
    names = [f"d{index:03}" for index in range(nodes)]
    return GraphSnapshot(revision=1, cycle=0, nodes=Nodes(names, np.full(nodes, DRAWER, np.uint8), *marks), edges=edges)


def star(leaves: int, **more: Sequence[float]) -> GraphSnapshot:
    """Return a palace of a centre, node 0, and leaves that have no other neighbour."""
    return snapshot_of(leaves + 1, [(0, leaf) for leaf in range(1, leaves + 1)], **more)


_PRICES = st.sampled_from([0.0, 0.0, 0.1, 0.25, 0.3, 0.5, 1.0, 10.0]) | st.floats(0, 10)


@st.composite
def palaces(draw: st.DrawFn, *, most_nodes: int = 30, most_edges: int = 90) -> GraphSnapshot:
    """Any palace: with free edges, parallel ones, edges from a node to itself, and parts without a way between them."""
    nodes = draw(st.integers(1, most_nodes))
    ends = st.integers(0, nodes - 1)
    hub = draw(ends)  # many edges of one node make it longer than a block of arcs
    pairs = draw(st.lists(st.tuples(ends, ends) | st.tuples(st.just(hub), ends), max_size=most_edges))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    made = snapshot_of(
        nodes,
        pairs,
        cost=draw(st.lists(_PRICES, min_size=len(pairs), max_size=len(pairs))),
        factor=rng.random(len(pairs)).tolist(),
        exploitation=rng.uniform(0, 1.5, nodes).tolist(),
        exploration=rng.uniform(0, 1.5, nodes).tolist(),
    )
    over = draw(st.sets(st.integers(0, len(pairs) - 1), max_size=10)) if pairs else set()
    return with_relations(made, dict.fromkeys(over, "CONTAINS"))


def with_relations(snapshot: GraphSnapshot, relations: Mapping[int, str]) -> GraphSnapshot:
    """Return the palace with some of its edges, by number, of other types than HAS_ROOM."""
    relation = snapshot.edges.relation.copy()
    for edge, name in relations.items():
        relation[edge] = RELATIONS.index(name)
    return replace(snapshot, edges=replace(snapshot.edges, relation=relation))


def closeness_of(snapshot: GraphSnapshot, seed: int) -> np.ndarray:
    """Return some cosines, -1 to 1."""
    return np.random.default_rng(seed).uniform(-1, 1, len(snapshot.nodes))
