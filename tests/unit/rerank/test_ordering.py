from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.search.gate_rule import GateRule
from graphpalace.domain.search.rerank_answer import RerankSignals, RerankWeights
from graphpalace.domain.vectors import unit_rows
from graphpalace.rerank.linear_fusion import Components, linear_fusion
from graphpalace.rerank.ordering import OrderRule, ordered

PLAIN = OrderRule(top_k=4, mmr_lambda=1, epsilon=0, gate=GateRule(mode="off"))


def columns(dense: list[float], narrative: list[float], pheromone: list[float]) -> Components:
    return Components(np.array(dense), np.array(narrative), np.array(pheromone))


def test_the_score_is_the_weighted_sum_of_the_three_signals() -> None:
    found = linear_fusion(columns([0.8, -0.5], [0.5, 0], [0.2, 1]), RerankWeights())
    assert found == pytest.approx([0.8 + 0.3 + 0.06, -0.5 + 0.3])
    assert linear_fusion(columns([1], [1], [1]), RerankWeights(dense=2, narrative=3, pheromone=4)) == pytest.approx([9])


def test_what_was_learned_can_overtake_what_is_a_little_closer() -> None:
    signals = columns([0.50, 0.45, 0.1], [0, 0.2, 0], [0, 0, 0.9])
    found = ordered(np.eye(3, dtype=np.float32), signals, PLAIN, random=None)
    assert [place.row for place in found.places] == [1, 0, 2]
    first = found.places[0]
    assert first.score == pytest.approx(0.45 + 0.6 * 0.2)
    assert first.components == RerankSignals(*map(pytest.approx, (0.45, 0.2, 0)))


def test_equal_scores_go_by_row() -> None:
    found = ordered(np.eye(3, dtype=np.float32), columns([0.5] * 3, [0] * 3, [0] * 3), PLAIN, random=None)
    assert [place.row for place in found.places] == [0, 1, 2]


def test_the_gate_lets_the_closest_pass() -> None:
    rule = OrderRule(top_k=9, mmr_lambda=1, gate=GateRule(min_candidates=2, max_candidates=2))
    signals = columns([0.1, 0.9, 0.2, 0.8], [1, 0, 0, 0], [0, 0, 0, 0])
    found = ordered(np.eye(4, dtype=np.float32), signals, rule, random=None)
    assert [place.row for place in found.places] == [1, 3]
    assert (found.gate.total_candidates, found.gate.effective_candidate_count) == (4, 2)


def test_a_promotion_names_the_row_as_it_was_given_and_leaves_the_score() -> None:
    rule = OrderRule(top_k=2, mmr_lambda=1, epsilon=1, gate=GateRule(min_candidates=3, max_candidates=3))
    signals = columns([0.1, 0.9, 0.7, 0.8], [0] * 4, [0] * 4)
    for seed in range(20):
        found = ordered(np.eye(4, dtype=np.float32), signals, rule, random=np.random.default_rng(seed))
        (moved,) = found.promoted
        assert (moved.row, moved.from_rank, moved.to_rank) in {(3, 2, 1), (2, 3, 2)}
        assert {place.row: place.score for place in found.places}.items() <= {1: 0.9, 3: 0.8, 2: 0.7}.items()


def test_nothing_in_gives_nothing_out() -> None:
    found = ordered(np.empty((0, 3), np.float32), columns([], [], []), PLAIN, random=None)
    assert (found.places, found.gate.total_candidates) == ([], 0)


@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.floats(-5, 5))
def test_there_is_an_answer_of_numbers_for_all_that_is_given(seed: int, count: int, share: float) -> None:
    random = np.random.default_rng(seed)
    signals = Components(random.uniform(-1, 1, count), random.random(count), random.random(count))
    vectors = unit_rows(random.standard_normal((count, 4)).astype(np.float32))
    rule = OrderRule(top_k=10, mmr_lambda=share, epsilon=0.5, gate=GateRule(min_candidates=3, max_candidates=12))
    found = ordered(vectors, signals, rule, random=random)
    assert len(found.places) == min(10, found.gate.effective_candidate_count)
    assert np.isfinite([place.score for place in found.places]).all()
