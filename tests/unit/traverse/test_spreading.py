from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.traverse.palaces import closeness_of, palaces, snapshot_of
from tests.unit.traverse.plain_walker import probabilities

from graphpalace.domain.walking.graph_snapshot import GraphSnapshot
from graphpalace.domain.walking.walks import TEMPERATURES
from graphpalace.errors import InvalidInput
from graphpalace.traverse.agents import arc_preference
from graphpalace.traverse.colony import Colony, walk
from graphpalace.traverse.spreading import spread, transitions


def _seeds(nodes: int, *seeds: int) -> np.ndarray:
    found = np.zeros(nodes)
    found[list(seeds)] = 1.0
    return found


def test_two_nodes_share_as_worked_by_hand() -> None:
    snapshot = snapshot_of(2, [(0, 1)])
    found = spread(snapshot, _seeds(2, 0), preference=np.zeros(2), restart=0.2, tolerance=1e-12)
    # s0 = .2 + .8 s1 and s1 = .8 s0
    assert found == pytest.approx([1 / 1.8, 0.8 / 1.8])


@settings(max_examples=100, deadline=None)
@given(palaces(), st.integers(0, 99), st.floats(0.1, 1))
def test_transitions_are_those_of_the_plain_walker(snapshot: GraphSnapshot, seed: int, temperature: float) -> None:
    closeness = closeness_of(snapshot, seed)
    found = transitions(snapshot, arc_preference(snapshot, closeness), temperature=temperature).toarray()
    for node in range(len(snapshot.nodes)):
        expected = np.zeros(len(snapshot.nodes))
        for arc, share in probabilities(snapshot, closeness.tolist(), {}, node, temperature=temperature).items():
            expected[snapshot.adjacency.neighbour[arc]] += share
        expected[node] += not expected.any()
        assert found[node] == pytest.approx(expected, abs=2e-6)


@settings(max_examples=100, deadline=None)
@given(palaces(), st.floats(0.05, 1), st.integers(0, 99))
def test_the_shares_solve_their_equation_and_sum_to_one(snapshot: GraphSnapshot, restart: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    seeds, preference = rng.random(len(snapshot.nodes)), rng.random(len(snapshot.adjacency.edge))
    found = spread(snapshot, seeds, preference=preference, restart=restart, tolerance=1e-10, iterations=1000)
    step = transitions(snapshot, preference, temperature=0.5)
    assert found.sum() == pytest.approx(1.0)
    assert restart * seeds / seeds.sum() + (1 - restart) * (step.T @ found) == pytest.approx(found, abs=1e-9)


def test_visits_of_a_colony_without_marks_come_to_the_spreading() -> None:
    rng = np.random.default_rng(4)
    ends = rng.integers(0, 60, (150, 2))
    snapshot = snapshot_of(60, ends.tolist(), cost=rng.uniform(0, 1, 150).tolist())
    closeness = closeness_of(snapshot, 5)
    colony = Colony(
        agents=4000, steps=150, mix={"balanced": 1}, schedule="constant", mark=0.0, restart=0.15, turn_back=True
    )
    found = walk(snapshot, closeness, [3, 9], colony=colony, rng=np.random.default_rng(1))
    visits = np.bincount(found.node[30:].ravel(), minlength=60)
    limit = spread(
        snapshot,
        _seeds(60, 3, 9),
        preference=arc_preference(snapshot, closeness),
        temperature=TEMPERATURES["balanced"],
        restart=0.15,
    )
    assert np.abs(visits / visits.sum() - limit).sum() / 2 < 0.01
    assert np.corrcoef(visits, limit)[0, 1] > 0.999


@pytest.mark.parametrize("seeds", [[0.0, 0.0], [1.0], [-1.0, 2.0], [float("nan"), 1.0]])
def test_seeds_that_are_none_are_refused(seeds: list[float]) -> None:
    with pytest.raises(InvalidInput):
        spread(snapshot_of(2, [(0, 1)]), np.array(seeds), preference=np.zeros(2))


@pytest.mark.parametrize(("temperature", "restart"), [(0.0, 0.1), (-1.0, 0.1), (0.5, 0.0), (0.5, 1.1)])
def test_values_out_of_range_are_refused(temperature: float, restart: float) -> None:
    with pytest.raises(InvalidInput):
        spread(
            snapshot_of(2, [(0, 1)]), np.ones(2), preference=np.zeros(2), temperature=temperature, restart=restart
        )  # fmt: skip
