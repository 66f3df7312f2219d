"""The arcs of a graph: both ways of each edge, node after node."""

from __future__ import annotations

import hypothesis.strategies as st
import numpy as np
from hypothesis import given

from graphpalace.domain.walking.graph_snapshot import CONTAINS, Adjacency, Edges


def edges_of(*rows: tuple[int, int, int]) -> Edges:
    source, target, relation = np.array(rows, np.int32).reshape(-1, 3).T
    zeros = [np.zeros(len(rows))] * 6
    return Edges(source, target, relation.astype(np.uint8), *zeros)


def test_both_ways_of_each_edge_are_listed_node_after_node_and_a_loop_once() -> None:
    edges = edges_of((2, 0, 5), (0, 1, 5), (2, 0, 6), (1, 1, 5), (0, 2, CONTAINS))
    every, some = Adjacency.of(4, edges), Adjacency.of(4, edges, without=CONTAINS)
    assert every.start.tolist() == [0, 4, 6, 9, 9]
    assert every.neighbour.tolist() == [1, 2, 2, 2, 0, 1, 0, 0, 0]
    assert every.edge.tolist() == [1, 4, 0, 2, 1, 3, 0, 2, 4]
    assert some.start.tolist() == [0, 3, 5, 7, 7]
    assert some.edge.tolist() == [1, 0, 2, 1, 3, 0, 2]
    assert Adjacency.of(2, edges_of()).start.tolist() == [0, 0, 0]


@given(rows=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 8)), max_size=40))
def test_arcs_are_sorted_by_their_ends_and_then_as_the_edges_are(rows: list[tuple[int, int, int]]) -> None:
    found = Adjacency.of(7, edges_of(*rows))
    there = [(source, target, 0, at) for at, (source, target, _) in enumerate(rows)]
    back = [(target, source, 1, at) for at, (source, target, _) in enumerate(rows) if source != target]
    wanted = sorted(there + back)
    tails = np.repeat(np.arange(7), np.diff(found.start)).tolist()
    assert list(zip(tails, found.neighbour.tolist(), found.edge.tolist(), strict=True)) == [
        (tail, head, at) for tail, head, _, at in wanted
    ]
