"""Rows of nodes are found by Neo4j's ids and by their own, in whatever way these are spread."""

from __future__ import annotations

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from graphpalace.store import walking
from graphpalace.store.walking import EdgeColumns, NodeColumns, StoredGraph, rows_of

_KEYS = st.lists(st.integers(0, 2**40) | st.integers(0, 50), unique=True, max_size=30)


def columns(*nodes: tuple[int, str]) -> NodeColumns:
    count = len(nodes)
    ids = np.empty(count, object)
    ids[:] = [node for _, node in nodes]
    keys = np.array([key for key, _ in nodes], np.int64)
    return NodeColumns(
        keys, ids, np.full(count, 3, np.uint8), np.zeros(count), np.zeros(count), np.full(count, -1, np.int64)
    )


def edges(*ends: tuple[int, int]) -> EdgeColumns:
    source, target = np.array(ends, np.int64).reshape(-1, 2).T
    zeros = np.zeros(len(ends))
    return EdgeColumns(
        source, target, np.zeros(len(ends), np.uint8), zeros, zeros, zeros, zeros, np.full(len(ends), -1, np.int64)
    )


@pytest.mark.parametrize("few", [1_000_000, 0])  # with a table, and without one
def test_rows_of_nodes_are_found_by_neo4js_ids(monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    monkeypatch.setattr(walking, "_FEW", few)
    keys = np.array([40, 7, 90_000], np.int64)
    assert rows_of(keys, np.array([7, 40, 90_000, 8, 0, 90_001])).tolist() == [1, 0, 2, -1, -1, -1]
    assert rows_of(keys, np.empty(0, np.int64)).tolist() == []
    assert rows_of(np.empty(0, np.int64), np.array([7])).tolist() == [-1]


@given(keys=_KEYS, wanted=st.lists(st.integers(0, 2**40) | st.integers(0, 60), max_size=30))
def test_each_key_has_its_row_and_no_other(keys: list[int], wanted: list[int]) -> None:
    found = rows_of(np.array(keys, np.int64), np.array(wanted, np.int64)).tolist()
    assert found == [keys.index(one) if one in keys else -1 for one in wanted]


def test_a_graph_is_sorted_by_id_and_has_no_edge_to_a_node_that_is_gone() -> None:
    graph = StoredGraph.of([columns((5, "c"), (9, "a")), columns((2, "b"))], [edges((5, 9), (5, 77)), edges((2, 5))])
    assert graph.nodes.id.tolist() == ["a", "b", "c"]
    assert [rows.tolist() for rows in graph.ends] == [[2, 1], [0, 2]]
    assert graph.edges.target.tolist() == [9, 5]
    assert graph.nodes.places_of({"c", "a", "x"}).tolist() == [0, 2]
    assert columns().places_of({"a"}).tolist() == []


def test_what_changed_is_taken_out_with_its_edges() -> None:
    graph = StoredGraph.of([columns((5, "c"), (9, "a"), (2, "b"))], [edges((5, 9), (2, 5), (9, 2))])
    graph.edges.relation[:] = walking.RELATIONS.index("SIMILAR_TO")
    kept, left = graph.without({"c", "new"})
    assert kept.id.tolist() == ["a", "b"]
    assert list(zip(left.source.tolist(), left.target.tolist(), strict=True)) == [(9, 2)]


def test_a_node_that_was_deleted_while_it_was_read_is_left_out_with_its_edges() -> None:
    row = {"kind": "Drawer", "keys": [5, 9, 2], "ids": ["c", None, "b"], "exploitation": [0.0, 1.0, 2.0]}
    read = NodeColumns.of([row | {"exploration": [0.0, 0.0, 0.0], "cycles": [1, 2, 3]}])
    graph = StoredGraph.of([read], [edges((5, 9), (2, 5))])
    assert (graph.nodes.id.tolist(), graph.nodes.exploitation.tolist()) == (["b", "c"], [2.0, 0.0])
    assert [rows.tolist() for rows in graph.ends] == [[0], [1]]
    graph.set_trails({"nodes": [[9, 7.0, 7.0, 7], [2, 0.5, 0.25, 4]], "edges": []})
    assert (graph.nodes.exploitation.tolist(), graph.nodes.cycle.tolist()) == ([0.5, 0.0], [4, 1])
