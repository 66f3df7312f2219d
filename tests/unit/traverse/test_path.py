from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.traverse.palaces import closeness_of, palaces, snapshot_of

from graphpalace.domain.walking.graph_snapshot import GraphSnapshot
from graphpalace.errors import InvalidInput
from graphpalace.traverse.path import PRESETS, PathWeights, explain_step, step_costs


def test_a_step_costs_as_worked_by_hand() -> None:
    snapshot = snapshot_of(2, [(0, 1)], cost=[0.5], factor=[0.4])
    closeness = np.array([0.25, 0.8])
    cost = step_costs(snapshot, closeness, PathWeights())
    # into node 1: .4 (1 - .8) + .3 (1 - .4) + .3 x .5; back into node 0: .4 (1 - .25) and the same edge
    assert cost.per_arc(snapshot) == pytest.approx([0.08 + 0.18 + 0.15, 0.3 + 0.18 + 0.15])


def test_the_presets_are_those_of_the_seed() -> None:
    assert {name: (w.semantic, w.pheromone, w.structural) for name, w in PRESETS.items()} == {
        "default": (0.4, 0.3, 0.3),
        "hypothesis_testing": (0.3, 0.4, 0.3),
        "exploratory_research": (0.5, 0.2, 0.3),
        "evidence_gathering": (0.35, 0.35, 0.3),
        "memory_recall": (0.5, 0.3, 0.2),
    }


def test_closeness_beyond_one_counts_as_one() -> None:
    snapshot = snapshot_of(2, [(0, 1)])
    cost = step_costs(snapshot, np.array([-1.5, 1.0000001]), PathWeights(1.0, 0.0, 0.0))
    assert cost.node.tolist() == [2.0, 0.0]


@given(palaces(), st.integers(0, 99), st.sampled_from(sorted(PRESETS)))
def test_the_parts_of_a_step_sum_to_its_cost_to_the_last_bit(snapshot: GraphSnapshot, seed: int, preset: str) -> None:
    closeness, weights = closeness_of(snapshot, seed), PRESETS[preset]
    costs = step_costs(snapshot, closeness, weights).per_arc(snapshot)
    assert (costs >= 0).all()
    ends = zip(snapshot.ways.edge.tolist(), snapshot.ways.neighbour.tolist(), strict=True)
    for cost, (edge, into) in zip(costs.tolist(), ends, strict=True):
        parts = explain_step(snapshot, closeness, weights, edge=edge, into=into)
        assert min(parts) >= 0
        assert sum(parts) == cost


@pytest.mark.parametrize("weight", [-0.1, float("nan"), float("inf")])
def test_a_weight_that_is_no_weight_is_refused(weight: float) -> None:
    with pytest.raises(InvalidInput):
        PathWeights(semantic=weight)


def test_closeness_of_another_length_is_refused() -> None:
    with pytest.raises(InvalidInput):
        step_costs(snapshot_of(3, [(0, 1)]), np.zeros(2), PathWeights())
