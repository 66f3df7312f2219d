from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare
from tests.unit.traverse.palaces import closeness_of, palaces, snapshot_of, star
from tests.unit.traverse.plain_walker import probabilities

from graphpalace.domain.walking.graph_snapshot import GraphSnapshot
from graphpalace.traverse.adjacency import WIDTH, ArcBlocks
from graphpalace.traverse.agents import Chances, NodeAppeal, WalkingAgents


def _moved(
    snapshot: GraphSnapshot, node: list[int], *, temperature: float, avoid: list[int] | None = None, seed: int = 0
) -> WalkingAgents:
    appeal = NodeAppeal(snapshot.nodes, closeness_of(snapshot, 5))
    agents = WalkingAgents.placed(np.array(node), np.full(len(node), temperature), turn_back=avoid is None)
    if avoid is not None:
        agents = WalkingAgents(agents.node, agents.slot, np.array(avoid), agents.kind, agents.temperature)
    return agents.moved(ArcBlocks.of(snapshot), appeal.values, heat=1.0, rng=np.random.default_rng(seed))


def _slots_of(chances: Chances, row: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the slots of one row and their probabilities, which are 0 for unused and avoided slots."""
    blocks = [row]
    if row in chances.long:
        number = int(chances.long.searchsorted(row))
        blocks += range(chances.rows + int(chances.begin[number]), chances.rows + int(chances.end[number]))
    weight = np.diff(chances.within[:, blocks].astype(np.float64), axis=0, prepend=0.0).T.ravel()
    slots = (chances.block[blocks, None] * WIDTH + np.arange(WIDTH)).ravel()
    return slots, weight / weight.sum()


@settings(max_examples=300, deadline=None)
@given(palaces(), st.integers(0, 99), st.sampled_from([0.1, 0.3, 0.5, 1.0]), st.data())
def test_transition_probabilities_are_those_of_the_plain_walker(
    snapshot: GraphSnapshot, seed: int, temperature: float, data: st.DataObject
) -> None:
    node = st.integers(0, len(snapshot.nodes) - 1)
    rows = data.draw(st.lists(node, min_size=1, max_size=6))
    came_from = data.draw(st.lists(st.just(-1) | node, min_size=len(rows), max_size=len(rows)))
    visited = data.draw(st.lists(node, max_size=12))
    blocks, closeness = ArcBlocks.of(snapshot), closeness_of(snapshot, seed)
    appeal = NodeAppeal(snapshot.nodes, closeness)
    for one in visited:
        appeal.visit(np.array([one]))
    avoid = np.where(blocks.dead_end[rows], -1, came_from)
    cold = np.full(len(rows), 1 / temperature, np.float32)
    chances = Chances.of(blocks, appeal.values, np.array(rows), more=blocks.more[rows], coldness=cold, avoid=avoid)
    visits = {one: visited.count(one) for one in visited}
    for row, (place, before) in enumerate(zip(rows, came_from, strict=True)):
        expected = probabilities(
            snapshot, closeness.tolist(), visits, place, temperature=temperature, came_from=before
        )  # fmt: skip
        slots, found = _slots_of(chances, row)
        if not expected:
            assert found[0] == 1.0
            continue
        arcs = blocks.arc_of(snapshot.adjacency, np.full(len(slots), place), slots)
        known = {arc: share for arc, share in zip(arcs.tolist(), found.tolist(), strict=True) if share > 0}
        assert known.keys() <= expected.keys()
        assert [known.get(arc, 0.0) for arc in expected] == pytest.approx(list(expected.values()), abs=1e-6)


@settings(max_examples=100, deadline=None)
@given(palaces(), st.integers(0, 99), st.floats(0.01, 1), st.data())
def test_agents_walk_along_arcs_and_turn_back_in_dead_ends_only(
    snapshot: GraphSnapshot, seed: int, temperature: float, data: st.DataObject
) -> None:
    rng, blocks, adjacency = np.random.default_rng(seed), ArcBlocks.of(snapshot), snapshot.adjacency
    node = data.draw(st.lists(st.integers(0, len(snapshot.nodes) - 1), min_size=1, max_size=20))
    agents = WalkingAgents.placed(np.array(node), np.full(len(node), temperature))
    before = np.full(len(node), -1)
    for _ in range(6):
        after = agents.moved(blocks, np.zeros(len(snapshot.nodes), np.float32), heat=1.0, rng=rng)
        arcs = blocks.arc_of(adjacency, agents.node, after.slot)
        for here, there, arc, back in zip(agents.node, after.node, arcs, before, strict=True):
            ways = adjacency.neighbour[adjacency.start[here] : adjacency.start[here + 1]]
            if not len(ways):
                assert there == here
                continue
            assert adjacency.start[here] <= arc < adjacency.start[here + 1]
            assert adjacency.neighbour[arc] == there
            assert there != back or set(ways.tolist()) == {back}
        agents, before = after, agents.node


@pytest.mark.parametrize("leaves", [7, 40])
@pytest.mark.parametrize("temperature", [1.0, 0.3])
def test_agents_spread_over_a_star_as_the_softmax_says(leaves: int, temperature: float) -> None:
    cost = np.random.default_rng(3).uniform(0, 0.5, leaves)
    snapshot = star(leaves, cost=cost.tolist())
    exact = probabilities(snapshot, closeness_of(snapshot, 5).tolist(), {}, 0, temperature=temperature)
    moved = _moved(snapshot, [0] * 20_000, temperature=temperature)
    counts = np.bincount(moved.node, minlength=leaves + 1)[1:]
    assert chisquare(counts, np.array(list(exact.values())) * 20_000).pvalue > 1e-3


def test_a_crowd_on_a_hub_keeps_to_the_softmax_without_the_way_back() -> None:
    leaves, crowd = 200, 60_000
    cost = np.random.default_rng(3).uniform(0, 0.5, leaves)
    cost[4] = 0.0  # node 5, where a third of them came from, draws nearly all of the cold ones
    snapshot = star(leaves, cost=cost.tolist(), exploitation=[0.0] * 5 + [1.0] + [0.0] * (leaves - 5))
    came_from = np.repeat([5, 9, -1], crowd // 3)
    for temperature in (1.0, 0.1):
        found = _moved(snapshot, [0] * crowd, temperature=temperature, avoid=came_from.tolist()).node
        for before in (5, 9, -1):
            share = probabilities(
                snapshot, closeness_of(snapshot, 5).tolist(), {}, 0, temperature=temperature, came_from=before
            )
            expected = np.array(list(share.values())) * crowd / 3
            counts = np.bincount(found[came_from == before], minlength=leaves + 1)[1:]
            assert not counts[expected == 0].any()
            often = expected > 5
            rest = expected[~often].sum() or 1e-9
            seen = np.append(counts[often], counts[~often].sum())
            if rest < 5:
                seen, wanted = seen[:-1], expected[often] * seen[:-1].sum() / expected[often].sum()
            else:
                wanted = np.append(expected[often], rest)
            assert chisquare(seen, wanted).pvalue > 1e-3


def test_an_agent_takes_an_edge_with_a_trail_as_often_as_the_softmax_says() -> None:
    # Edge 0 carries a full trail, which halves its cost of .6: exp(-.3 / T) against exp(-.6 / T).
    snapshot = snapshot_of(3, [(0, 1), (0, 2)], cost=[0.3, 0.6])
    appeal = np.zeros(3, np.float32)
    agents = WalkingAgents.placed(np.zeros(50_000, np.int64), np.full(50_000, 0.5))
    moved = agents.moved(ArcBlocks.of(snapshot), appeal, heat=1.0, rng=np.random.default_rng(1))
    share = 1 / (1 + np.exp(-0.3 / 0.5))
    assert (moved.node == 1).mean() == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / 50_000))


def test_the_coldest_agents_take_the_best_arc_and_nothing_breaks() -> None:
    snapshot = star(40, cost=[10.0] * 39 + [9.9])
    agents = WalkingAgents.placed(np.zeros(500, np.int64), np.full(500, 1e-4))
    blank = np.zeros(41, np.float32)
    assert set(agents.moved(ArcBlocks.of(snapshot), blank, heat=0.1, rng=np.random.default_rng(0)).node) == {40}


def test_nobody_is_left_between_blocks() -> None:
    """Every count of neighbours around the width of a block is drawn from in full."""
    for leaves in (1, 15, 16, 17, 31, 32, 33, 65):
        snapshot = star(leaves)
        agents = WalkingAgents.placed(np.zeros(200 * leaves, np.int64), np.ones(200 * leaves))
        blank = np.zeros(leaves + 1, np.float32)
        moved = agents.moved(ArcBlocks.of(snapshot), blank, heat=1.0, rng=np.random.default_rng(leaves))
        counts = np.bincount(moved.node, minlength=leaves + 1)
        assert counts[0] == 0
        assert counts[1:].min() > 100
