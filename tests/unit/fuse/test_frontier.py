"""Frontier, contributions and metrics, worked by hand."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest

from graphpalace.domain.search.fusion_plan import Constants
from graphpalace.fuse.blend import contributions, structure
from graphpalace.fuse.codes import CodeTable
from graphpalace.fuse.frontier import frontier, own_coverage, profile_coverage, relevance

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


@pytest.mark.parametrize("beta", [0.5, 3.0])
def test_f_weighs_recall_by_the_square_of_beta(beta: float) -> None:
    constants = Constants(coverage_share=0.0, f_beta=beta)
    (point,) = frontier(np.array([3.0, 1.0]), np.array([0.5, 0.5]), np.ones(2), k_grid=(1,), constants=constants)
    assert (point.P_star, point.R_star) == (0.5, 0.75)
    assert point.F_beta_star == pytest.approx((1 + beta**2) * 0.5 * 0.75 / (beta**2 * 0.5 + 0.75))


def test_without_precision_and_recall_f_is_zero() -> None:
    (point,) = frontier(np.ones(1), np.zeros(1), np.zeros(1), k_grid=(1,), constants=Constants(coverage_share=1.0))
    assert (point.P_star, point.R_star, point.F_beta_star) == (0, 0, 0)


def test_rounding_gives_no_recall_above_one() -> None:
    scores = np.array([0.9, 0.9, 0.7, 0.3, 0.2, 0.2, 0.2, 0.1])
    assert np.cumsum(scores)[-1] / scores.sum() > 1  # by one bit
    (point,) = frontier(scores, np.ones(8), None, k_grid=(8,), constants=CONSTANTS)
    assert (point.P_star, point.R_star, point.F_beta_star) == (1, 1, 1)


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


def test_a_small_contribution_is_told() -> None:
    (only,) = contributions({"fulltext": np.array([0.995]), "semantic": np.array([0.005])}, np.array([1.0]))
    assert only == pytest.approx({"fulltext": 99.5, "semantic": 0.5})


def test_the_agreement_of_lanes_is_the_mean_over_their_pairs_and_of_the_best_fifty() -> None:
    lanes = [np.array([0, 1]), np.array([1, 2]), np.array([], int)]
    # {0, 1} and {1, 2}: 1 of 3; a lane that found nothing agrees with none, and two such lanes are no pair
    assert structure(lanes, np.zeros(0, int), np.ones(1)).lane_agreement == pytest.approx(1 / 9)
    assert structure([lanes[2]] * 2, np.zeros(0, int), np.ones(1)).lane_agreement is None
    first = np.arange(50)
    longer = [np.append(first, 50), np.append(first, 51)]
    assert structure(longer, np.zeros(0, int), np.ones(1)).lane_agreement == 1
    other = [np.append(first[:49], 50), np.append(first[:49], 51)]
    assert structure(other, np.zeros(0, int), np.ones(1)).lane_agreement == pytest.approx(49 / 51)


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
