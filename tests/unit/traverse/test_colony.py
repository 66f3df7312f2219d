"""How large a colony is, and that the next one then finds other places."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.traverse.palaces import closeness_of, snapshot_of

from graphpalace.domain.walking.graph_snapshot import DRAWER, GraphSnapshot
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.traverse.colony import (
    FEWEST_AGENTS,
    FEWEST_STEPS,
    MOST_AGENTS,
    MOST_STEPS,
    Colony,
    colony_size,
    walk,
)
from graphpalace.traverse.walk import WINDOW, Walk, convergence


def _random(nodes: int, edges: int, *, seed: int = 0) -> GraphSnapshot:
    rng = np.random.default_rng(seed)
    return snapshot_of(nodes, rng.integers(0, nodes, (edges, 2)).tolist(), cost=[0.3] * edges)


def _walk(snapshot: GraphSnapshot, *, seed: int = 0, **rules: object) -> Walk:
    colony = Colony(**{"agents": 50, "steps": 30, **rules})  # pyright: ignore[reportArgumentType]
    return walk(snapshot, closeness_of(snapshot, 5), [0, 1], colony=colony, rng=np.random.default_rng(seed))


def test_the_same_seed_gives_the_same_walk_and_another_seed_another_one() -> None:
    snapshot = _random(300, 900)
    first, again, other = (_walk(snapshot, seed=seed, restart=0.1) for seed in (7, 7, 8))
    assert np.array_equal(first.node, again.node)
    assert np.array_equal(first.slot, again.slot)
    assert first.ranking() == again.ranking()
    assert not np.array_equal(first.node, other.node)


def test_what_a_walk_says_of_itself_agrees_with_its_steps() -> None:
    snapshot = _random(200, 500)
    found = _walk(snapshot, restart=0.05)
    rows = [set(row) for row in found.node.tolist()]
    assert found.visits.sum() == found.node.size
    for node in range(200):
        first = next((step for step, row in enumerate(rows) if node in row), -1)
        assert found.first_step[node] == first
        assert found.visits[node] == (found.node == node).sum()
    seen = set().union(*rows)
    beside = {int(head) for tail in seen for head in _neighbours(snapshot, tail)} - seen
    assert found.frontier == len(beside)
    assert found.coverage() == len(seen) / 200
    assert found.coverage(of=snapshot.nodes.kind != DRAWER) == 0.0


def test_the_way_to_each_node_leads_from_an_entry_over_edges_of_the_palace() -> None:
    snapshot = _random(200, 500)
    found = _walk(snapshot)
    for node in np.flatnonzero(found.visits).tolist():
        path = found.path_to(node)
        assert path.nodes[0] in (0, 1)
        assert path.nodes[-1] == node
        assert path.steps <= found.first_step[node]
        for tail, head, edge in zip(path.nodes, path.nodes[1:], path.edges, strict=False):
            assert {tail, head} == {snapshot.edges.source[edge], snapshot.edges.target[edge]}
    with pytest.raises(NotFound):
        found.path_to(int(np.flatnonzero(found.visits == 0)[0]))


def test_agents_that_leave_marks_cover_more() -> None:
    snapshot = _random(400, 1600, seed=2)
    with_marks = [_walk(snapshot, seed=seed, agents=20, mark=0.3).coverage() for seed in range(20)]
    without = [_walk(snapshot, seed=seed, agents=20, mark=0.0).coverage() for seed in range(20)]
    assert np.mean(with_marks) > np.mean(without) + 0.02


def test_agents_begin_at_the_entries_in_proportion_to_their_weights() -> None:
    snapshot = snapshot_of(4, [(0, 1), (2, 3)])
    found = walk(
        snapshot,
        np.zeros(4),
        [3, 0, 2],
        weights=np.array([3.0, 1.0, 0.0]),
        colony=Colony(agents=4000, steps=0),
        rng=np.random.default_rng(0),
    )
    assert found.visits[[1, 2]].tolist() == [0, 0]
    assert found.visits[3] / 4000 == pytest.approx(0.75, abs=0.03)


def test_an_agent_that_restarts_always_never_leaves_the_entries() -> None:
    snapshot = _random(50, 100)
    assert set(np.unique(_walk(snapshot, restart=1.0).node)) == {0, 1}


def test_drawers_rank_by_visits_times_closeness_and_equal_ones_by_id() -> None:
    snapshot = snapshot_of(5, [(0, 1)])
    node = np.array([[1, 1, 2, 3], [3, 2, 4, 0]], np.int32)
    found = Walk(snapshot, np.array([-1.0, 0.5, 0.5, 0.5, 0.25]), node, np.full_like(node, -1))
    ranking = found.ranking()
    # visits 1, 2, 2, 2, 1: d001 to d003 have 2 x .5, d004 1 x .25, d000 is not close at all
    assert ranking.ids == ("d001", "d002", "d003", "d004")
    assert ranking.scores == pytest.approx([1 / 3.25] * 3 + [0.25 / 3.25])
    assert found.ranking(limit=2).ids == ("d001", "d002")


def test_convergence_is_counted_as_by_hand() -> None:
    """A ring of 30: agents walk round it, one node a step, and find no new one after the last."""
    snapshot = snapshot_of(30, [(at, (at + 1) % 30) for at in range(30)])
    node = (np.arange(61)[:, None] % 30).astype(np.int32)
    found = convergence(Walk(snapshot, np.full(30, 0.5), node, np.full_like(node, -1)))
    assert found.growth[:3].tolist() == [1, 2, 3]
    assert found.growth[[20, 29, 40, 49, 60]].tolist() == [20, 20, 9, 0, 0]
    assert found.frontier[[0, 1, 27, 28, 29, 30]].tolist() == [2, 2, 2, 1, 0, 0]
    assert np.isinf(found.variance[:WINDOW]).all()
    assert found.variance[WINDOW:].max() == pytest.approx(0.0)
    # a small frontier and no variance are two of three from the first full window on
    assert np.flatnonzero(found.converged)[0] == WINDOW


def test_a_colony_stops_when_it_finds_nothing_new_only_if_asked() -> None:
    snapshot = _random(40, 120)
    assert _walk(snapshot, steps=100, agents=200).steps == 100
    stopped = _walk(snapshot, steps=100, agents=200, until_converged=True)
    assert WINDOW <= stopped.steps < 100
    assert convergence(stopped).converged[-1]


def test_an_agent_without_a_way_stays() -> None:
    snapshot = snapshot_of(3, [(1, 2)])
    found = walk(snapshot, np.zeros(3), [0], colony=Colony(agents=3, steps=4), rng=np.random.default_rng(0))
    assert found.visits.tolist() == [15, 0, 0]
    assert found.path_to(0).steps == 0


def test_a_crowd_on_a_room_of_twenty_thousand_closets_is_no_matter() -> None:
    leaves = 20_000
    snapshot = snapshot_of(leaves + 1, [(0, leaf) for leaf in range(1, leaves + 1)], cost=[0.3] * leaves)
    found = walk(snapshot, np.zeros(leaves + 1), [0], colony=Colony(steps=2), rng=np.random.default_rng(0))
    assert (found.node[1] > 0).all()
    assert (found.node[2] == 0).all()


@pytest.mark.parametrize(
    "rules", [{"agents": 0}, {"steps": -1}, {"restart": 1.5}, {"mark": -1}, {"floor": 0.0}, {"mix": {}}]
)
def test_rules_out_of_range_are_refused(rules: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        Colony(**rules)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(("entries", "weights"), [([], None), ([9], None), ([-1], None), ([0, 1], [1.0]), ([0], [0.0])])
def test_entries_that_are_none_are_refused(entries: list[int], weights: list[float] | None) -> None:
    given = None if weights is None else np.array(weights)
    with pytest.raises(InvalidInput):
        walk(snapshot_of(2, [(0, 1)]), np.zeros(2), entries, weights=given, rng=np.random.default_rng(0))


def test_closeness_of_another_length_is_refused() -> None:
    with pytest.raises(InvalidInput):
        walk(snapshot_of(2, [(0, 1)]), np.zeros(3), [0], rng=np.random.default_rng(0))


def _neighbours(snapshot: GraphSnapshot, node: int) -> np.ndarray:
    start = snapshot.adjacency.start
    return snapshot.adjacency.neighbour[start[node] : start[node + 1]]


@pytest.mark.parametrize(
    ("nodes", "agents", "steps"),
    [
        (10, 5, 10),  # never less than a colony
        (340, 5, 14),  # .2 x 340 = 68 visits; 68 / 5 = 13.6
        (3_000, 12, 50),  # 600 visits; 600 / 50
        (40_000, 160, 50),
        (110_000, 200, 50),
    ],
)
def test_sizes_worked_by_hand(nodes: int, agents: int, steps: int) -> None:
    assert colony_size(nodes) == (agents, steps)


def test_what_is_given_stays_and_the_other_fits() -> None:
    assert colony_size(3_000, agents=100) == (100, 10)  # 600 / 100 = 6, but at least 10
    assert colony_size(3_000, agents=30) == (30, 20)
    assert colony_size(3_000, steps=20) == (30, 20)
    assert colony_size(10, agents=100, steps=50) == (100, 50)


@given(st.integers(500, 50_000))
def test_a_colony_takes_about_a_fifth_as_many_steps_as_there_are_nodes(nodes: int) -> None:
    agents, steps = colony_size(nodes)
    assert FEWEST_AGENTS <= agents <= MOST_AGENTS
    assert FEWEST_STEPS <= steps <= MOST_STEPS
    assert agents * steps == pytest.approx(0.2 * nodes, rel=0.1)


def _village(rooms: int) -> tuple[GraphSnapshot, list[int]]:
    """Return two wings of rooms, each room with ten drawers that are also joined with each other."""
    pairs, first = [(wing, 2 + room) for room in range(rooms) for wing in [room % 2]], 2 + rooms
    rng = np.random.default_rng(1)
    for room in range(rooms):
        drawers = range(first + 10 * room, first + 10 * room + 10)
        pairs += [(2 + room, drawer) for drawer in drawers]
    pairs += (first + rng.integers(0, 10 * rooms, (20 * rooms, 2))).tolist()
    return snapshot_of(first + 10 * rooms, pairs, cost=[0.3] * len(pairs)), [0, 1]


def _seen(snapshot: GraphSnapshot, entries: list[int], seed: int, colony: Colony) -> np.ndarray:
    closeness = np.zeros(len(snapshot.nodes))
    return walk(snapshot, closeness, entries, rng=np.random.default_rng(seed), colony=colony).visits > 0


def test_after_an_exploration_the_next_one_finds_mostly_other_places() -> None:
    snapshot, entries = _village(30)
    agents, steps = colony_size(len(snapshot.nodes))
    overlap = {True: list[float](), False: list[float]()}
    for colony, marked in ((Colony(agents=agents, steps=steps), marked) for marked in (True, False)):
        for turn in range(20):
            first = _seen(snapshot, entries, 2 * turn, colony)
            marks = replace(snapshot.nodes, exploration=0.3 * first * marked)
            later = snapshot.with_trails(revision=2, cycle=0, nodes=marks, edges=snapshot.edges)
            second = _seen(later, entries, 2 * turn + 1, colony)
            overlap[marked].append(float((first & second).sum() / second.sum()))
    assert np.mean(overlap[True]) < 0.7 * np.mean(overlap[False])
    assert np.mean(overlap[True]) < 0.3
