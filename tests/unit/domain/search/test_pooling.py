from __future__ import annotations

import math

import numpy as np
import pytest

from graphpalace.domain.search.evidence import Pooling

LANES = ("fulltext", "semantic", "path")


def pool(*evidence: float, temperature: float = 0.5, weights: tuple[float, ...] = ()) -> float:
    pooling = Pooling(temperature, dict(zip(LANES, weights, strict=False)))
    return float(pooling.pooled(np.array(evidence), LANES[: len(evidence)]))


def test_lanes_that_agree_say_what_they_all_say() -> None:
    assert pool(0.7, 0.7) == pytest.approx(0.7)
    assert pool(0.0, 0.0) == 0


def test_the_formula_by_hand() -> None:
    assert pool(0.8, 0.0) == pytest.approx(0.5 * math.log((math.exp(1.6) + 1) / 2))
    assert pool(0.8, 0.0, weights=(3.0, 1.0)) == pytest.approx(0.5 * math.log((3 * math.exp(1.6) + 1) / 4))


def test_a_low_temperature_believes_the_surest_lane_and_a_high_one_the_mean() -> None:
    assert pool(0.8, 0.2, temperature=0.01) == pytest.approx(0.8, abs=0.01)
    assert pool(0.8, 0.2, temperature=1000.0) == pytest.approx(0.5, abs=0.01)


def test_a_lane_without_weight_says_nothing() -> None:
    assert pool(0.8, 0.3, weights=(0.0, 2.0)) == pytest.approx(0.3)


def test_more_evidence_never_lowers_a_score_and_it_stays_between_least_and_most() -> None:
    random = np.random.default_rng(0)
    evidence, weights = random.uniform(0, 1, (3, 500)), random.uniform(0.1, 3, 3)
    pooling = Pooling(0.3, dict(zip(LANES, weights.tolist(), strict=True)))
    score = pooling.pooled(evidence, LANES)
    assert ((evidence.min(axis=0) - 1e-9 <= score) & (score <= evidence.max(axis=0) + 1e-9)).all()
    for lane in range(3):
        more = evidence.copy()
        more[lane] += 0.1
        assert (pooling.pooled(more, LANES) > score).all()


def test_a_shift_makes_the_words_count_more_beside_the_meaning() -> None:
    shifted = Pooling(0.5).pooled(np.array([[0.4], [0.4], [0.4]]), LANES, shift=2 * math.log(2))
    assert shifted == pytest.approx(Pooling(0.5).pooled(np.array([[0.8], [0.2], [0.4]]), LANES))


def test_lanes_of_which_none_counts_say_nothing() -> None:
    assert pool(0.8, 0.3, weights=(0.0, 0.0)) == 0


def test_each_question_may_have_its_own_weights() -> None:
    evidence = np.array([[[0.8], [0.8]], [[0.0], [0.3]]])  # two lanes, two questions, one drawer
    weights = np.array([[3.0, 0.0], [1.0, 2.0]])
    pooling = Pooling(0.5)
    scores = pooling.scores(pooling.gains(evidence, weights), weights)
    assert scores.ravel().tolist() == pytest.approx([pool(0.8, 0.0, weights=(3.0, 1.0)), 0.3])


def test_a_factor_multiplies_the_weight_of_its_lane_alone() -> None:
    scaled = Pooling(0.5, {"path": 0.25}).scaled({"path": 4.0, "entity": 0.5})
    assert scaled.weights_of(["path", "entity", "semantic"]).tolist() == [1.0, 0.5, 1.0]
