"""Frontier, contributions and metrics, worked by hand."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest

from graphpalace.domain.search.fusion_plan import Constants
from graphpalace.fuse.codes.table import CodeTable
from graphpalace.fuse.contributions import contributions
from graphpalace.fuse.frontier import frontier, own_coverage, profile_coverage, relevance
from graphpalace.fuse.structure import structure

CONSTANTS = Constants(relevance_slope=2.0, relevance_offset=-1.0, relevance_code=0.5, coverage_share=0.25, f_beta=2.0)


def sigmoid(x: float) -> float:
    return 1 / (1 + exp(-x))


def test_relevance_follows_the_score_and_the_codes() -> None:
    likely = relevance(np.array([0.04, 0.02]), np.array([1.0, 0.0]), CONSTANTS)
    assert likely.tolist() == pytest.approx([sigmoid(2 * 1 - 1 + 0.5), sigmoid(2 * 0.5 - 1 - 0.5)])
    assert relevance(np.array([0.04, 0.02]), np.zeros(2), CONSTANTS).tolist() == pytest.approx([sigmoid(1), sigmoid(0)])


def test_the_frontier_is_precision_recall_and_f() -> None:
    scores, likely = np.array([0.5, 0.3, 0.2]), np.array([0.9, 0.5, 0.1])
    coverage = np.array([0.4, 0.4, 1.0])
    one, two, ten = frontier(scores, likely, coverage, k_grid=(1, 2, 10), constants=CONSTANTS)
    assert (one.k, one.P_star, one.R_star) == pytest.approx((1, 0.9, 0.25 * 0.4 + 0.75 * 0.5))
    assert (two.P_star, two.R_star) == pytest.approx((0.7, 0.25 * 0.4 + 0.75 * 0.8))
    assert two.F_beta_star == pytest.approx(5 * 0.7 * 0.7 / (4 * 0.7 + 0.7))
    assert (ten.k, ten.P_star, ten.R_star) == pytest.approx((10, 0.5, 1.0))


def test_without_codes_recall_is_the_share_of_the_score() -> None:
    (point,) = frontier(np.array([3.0, 1.0]), np.array([1.0, 1.0]), None, k_grid=(1,), constants=CONSTANTS)
    assert point.R_star == pytest.approx(0.75)
    assert frontier(np.zeros(0), np.zeros(0), None, k_grid=(1,), constants=CONSTANTS) == ()


def test_coverage_of_a_profile_is_the_weight_seen_so_far() -> None:
    found = np.array([[0.3, 0.0], [1.0, 0.0], [0.0, 1.0]])
    assert profile_coverage(found, np.array([0.6, 0.4])).tolist() == pytest.approx([0.18, 0.6, 1.0])


def test_coverage_without_a_profile_is_of_the_run_s_own_codes() -> None:
    coverage = own_coverage(CodeTable.of([("a",), (), ("a", "b"), ("c",)]))
    assert coverage is not None
    assert coverage.tolist() == pytest.approx([2 / 4, 2 / 4, 3 / 4, 1.0])
    assert own_coverage(CodeTable.of([(), ()])) is None


def test_contributions_sum_to_a_hundred_and_code_counts_once() -> None:
    plain = {"fulltext": np.array([0.02, 0.0]), "semantic": np.array([0.01, 0.01])}
    first, second = contributions(plain, np.array([0.04, 0.01]))
    assert first == pytest.approx({"fulltext": 50.0, "semantic": 25.0, "code": 25.0})
    assert second == pytest.approx({"semantic": 100.0})


def test_metrics_say_whether_lanes_agree_codes_are_few_and_scores_fall() -> None:
    metrics = structure([np.array([0, 1, 2]), np.array([2, 3])], np.array([3, 1, 0]), np.array([4.0, 3, 2, 1]))
    entropy = -(0.75 * log(0.75) + 0.25 * log(0.25))
    assert metrics.lane_agreement == pytest.approx(1 / 4)
    assert metrics.code_concentration == pytest.approx(1 - entropy / log(2))
    assert metrics.score_shape == pytest.approx(0.9)


def test_metrics_that_cannot_be_said_are_none() -> None:
    metrics = structure([np.array([0])], np.zeros(0, int), np.zeros(0))
    assert (metrics.lane_agreement, metrics.code_concentration, metrics.score_shape) == (None, None, None)
    assert structure([], np.array([7]), np.ones(1)).code_concentration == 1.0
