from __future__ import annotations

import math

import numpy as np
import pytest
import rustworkx
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.traverse.palaces import closeness_of, palaces, snapshot_of, with_relations

from graphpalace.domain.walking.graph_snapshot import GraphSnapshot
from graphpalace.errors import InvalidInput
from graphpalace.traverse.cheapest_path import cheapest_path, cheapest_tree
from graphpalace.traverse.path import Path, PathWeights, StepCosts, step_costs

_STRUCTURE = PathWeights(0.0, 0.0, 1.0)


def _costs(snapshot: GraphSnapshot, weights: PathWeights = _STRUCTURE) -> StepCosts:
    return step_costs(snapshot, closeness_of(snapshot, 5), weights)


def test_two_cheap_steps_beat_one_dear_one() -> None:
    snapshot = snapshot_of(4, [(0, 1), (1, 2), (0, 2), (2, 3)], cost=[0.3, 0.3, 0.7, 0.5])
    path = cheapest_path(snapshot, _costs(snapshot), 0, 3)
    assert path
    assert path.nodes.tolist() == [0, 1, 2, 3]
    assert path.edges.tolist() == [0, 1, 3]
    assert path.costs.tolist() == [0.3, 0.3, 0.5]
    assert path.total == pytest.approx(1.1)


def test_there_and_back_may_cost_differently_as_the_node_that_is_entered_counts() -> None:
    snapshot = snapshot_of(4, [(0, 1), (1, 3), (0, 2), (2, 3)])
    cost = StepCosts(np.array([0.0, 0.1, 0.5, 0.9]), np.array([0.0, 0.5, 0.0, 0.0]))
    there, back = cheapest_path(snapshot, cost, 0, 3), cheapest_path(snapshot, cost, 3, 0)
    assert there and back
    assert (there.nodes.tolist(), there.total) == ([0, 2, 3], pytest.approx(1.4))
    assert (back.nodes.tolist(), back.total) == ([3, 2, 0], pytest.approx(0.5))


def test_of_parallel_edges_the_cheaper_one_is_walked() -> None:
    snapshot = snapshot_of(2, [(0, 1), (1, 0), (0, 1)], cost=[0.5, 0.2, 0.4])
    path = cheapest_path(snapshot, _costs(snapshot), 0, 1)
    assert path and path.edges.tolist() == [1]


def test_a_path_to_where_one_is_has_no_steps() -> None:
    snapshot = snapshot_of(2, [(0, 0), (0, 1)])
    path = cheapest_path(snapshot, _costs(snapshot), 0, 0)
    assert path
    assert (path.nodes.tolist(), path.steps, path.total) == ([0], 0, 0.0)


def test_there_is_no_path_between_two_parts() -> None:
    snapshot = snapshot_of(5, [(0, 1), (2, 3)])
    assert cheapest_path(snapshot, _costs(snapshot), 0, 3) is None
    assert cheapest_path(snapshot, _costs(snapshot), 0, 4) is None


def test_a_path_leads_through_a_hub_of_twenty_thousand_closets() -> None:
    leaves = 20_000
    snapshot = snapshot_of(leaves + 1, [(0, leaf) for leaf in range(1, leaves + 1)], cost=[0.3] * leaves)
    path = cheapest_path(snapshot, _costs(snapshot), 17, 19_999)
    assert path and path.nodes.tolist() == [17, 0, 19_999]


@pytest.mark.parametrize("node", [-1, 2])
def test_a_node_that_is_not_there_is_refused(node: int) -> None:
    snapshot = snapshot_of(2, [(0, 1)])
    with pytest.raises(InvalidInput):
        cheapest_path(snapshot, _costs(snapshot), 0, node)
    with pytest.raises(InvalidInput):
        cheapest_tree(snapshot, _costs(snapshot), [node])


_WEIGHTS = st.sampled_from([_STRUCTURE, PathWeights(), PathWeights(1.0, 0.0, 0.0), PathWeights(0.0, 0.0, 0.0)])


@settings(max_examples=400, deadline=None)
@given(palaces(), _WEIGHTS, st.data())
def test_the_total_is_that_of_dijkstra_in_rustworkx(
    snapshot: GraphSnapshot, weights: PathWeights, data: st.DataObject
) -> None:
    cost = _costs(snapshot, weights)
    graph = _graph(snapshot, cost)
    node = st.integers(0, len(snapshot.nodes) - 1)
    source, target = data.draw(node), data.draw(node)
    least = rustworkx.dijkstra_shortest_path_lengths(graph, source, float)
    path = cheapest_path(snapshot, cost, source, target)
    if source != target and target not in least:
        assert path is None
        return
    assert path
    assert path.total == pytest.approx(least[target] if source != target else 0.0, abs=1e-9, rel=0)
    _is_a_path(snapshot, cost, path, source, target)
    again = cheapest_path(snapshot, cost, source, target)
    assert again and again.edges.tolist() == path.edges.tolist()


@settings(deadline=None)
@given(palaces(), _WEIGHTS, st.data())
def test_a_tree_has_the_cheapest_way_from_the_nearest_source(
    snapshot: GraphSnapshot, weights: PathWeights, data: st.DataObject
) -> None:
    cost = _costs(snapshot, weights)
    node = st.integers(0, len(snapshot.nodes) - 1)
    sources = data.draw(st.lists(node, min_size=1, max_size=3))
    targets = data.draw(st.none() | st.lists(node, max_size=3))
    limit = data.draw(st.just(math.inf) | st.floats(0, 3))
    tree = cheapest_tree(snapshot, cost, sources, targets=targets, limit=limit)
    ways = [dict(rustworkx.dijkstra_shortest_path_lengths(_graph(snapshot, cost), one, float)) for one in sources]
    for target in range(len(snapshot.nodes)) if targets is None else targets:
        least = 0.0 if target in sources else min(way.get(target, math.inf) for way in ways)
        if abs(least - limit) < 1e-9:
            continue
        path = tree.path_to(target)
        if least > limit or math.isinf(least):
            assert path is None and math.isinf(tree.cost[target])
            continue
        assert path
        assert path.total == pytest.approx(least, abs=1e-9, rel=0)
        assert tree.cost[target] == pytest.approx(least, abs=1e-9, rel=0)
        _is_a_path(snapshot, cost, path, int(path.nodes[0]), target)
        assert path.nodes[0] in sources


def test_a_tree_needs_a_source() -> None:
    with pytest.raises(InvalidInput):
        cheapest_tree(snapshot_of(1, []), _costs(snapshot_of(1, [])), [])


def test_the_way_over_the_palace_is_taken_where_there_is_no_better() -> None:
    """Wings 1 and 2 below palace 0, rooms 3 and 4; with a tunnel of .7 the way is .3 + .7 + .3, else 1 + 1."""
    pairs, cost = [(0, 1), (0, 2), (1, 3), (2, 4)], [1.0, 1.0, 0.3, 0.3]
    apart = with_relations(snapshot_of(5, pairs, cost=cost), {0: "CONTAINS", 1: "CONTAINS"})
    path = cheapest_path(apart, _costs(apart), 3, 4)
    assert path and (path.nodes.tolist(), path.total) == ([3, 1, 0, 2, 4], pytest.approx(2.6))
    joined = snapshot_of(5, [*pairs, (3, 4)], cost=[*cost, 0.7])
    joined = with_relations(joined, {0: "CONTAINS", 1: "CONTAINS", 4: "TUNNEL"})
    path = cheapest_path(joined, _costs(joined), 1, 2)
    assert path and (path.nodes.tolist(), path.total) == ([1, 3, 4, 2], pytest.approx(1.3))


def _graph(snapshot: GraphSnapshot, cost: StepCosts) -> rustworkx.PyDiGraph:
    graph = rustworkx.PyDiGraph()
    graph.add_nodes_from(range(len(snapshot.nodes)))
    tails = np.repeat(np.arange(len(snapshot.nodes)), np.diff(snapshot.ways.start)).tolist()
    heads, prices = snapshot.ways.neighbour.tolist(), cost.per_arc(snapshot).tolist()
    graph.add_edges_from(list(zip(tails, heads, prices, strict=True)))
    return graph


def _is_a_path(snapshot: GraphSnapshot, cost: StepCosts, path: Path, source: int, target: int) -> None:
    nodes = path.nodes.tolist()
    assert (nodes[0], nodes[-1]) == (source, target)
    assert len(set(nodes)) == len(nodes)
    assert path.total == sum(path.costs.tolist())
    for tail, head, edge, price in zip(nodes, nodes[1:], path.edges.tolist(), path.costs.tolist(), strict=False):
        assert {tail, head} == {snapshot.edges.source[edge], snapshot.edges.target[edge]}
        assert price == cost.node[head] + cost.edge[edge]
