"""Metrics by hand, and what may be concluded from them."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest

from graphpalace.evaluation.figures import measured
from graphpalace.evaluation.measure import interval, paired_p, per_question

RELEVANT = {"graded": {"a": 3, "b": 1}, "late": {"c": 1}, "missed": {"d": 1, "e": 1}}
RANKED = {"graded": ["x", "b", "a"], "late": [f"x{n}" for n in range(6)] + ["c"], "missed": []}


def test_ndcg_counts_graded_gains_at_their_rank() -> None:
    ideal = 3 / log2(2) + 1 / log2(3)
    found = 1 / log2(3) + 3 / log2(4)
    assert per_question(RELEVANT, RANKED)["ndcg@10"] == pytest.approx([found / ideal, 1 / log2(8), 0], abs=1e-6)


def test_recall_is_the_share_of_relevant_documents_among_the_first() -> None:
    values = per_question(RELEVANT, RANKED)
    assert values["recall@5"] == pytest.approx([1, 0, 0])
    assert values["recall@10"] == pytest.approx([1, 1, 0])


def test_mrr_is_one_over_the_rank_of_the_first_document_that_answers() -> None:
    assert per_question(RELEVANT, RANKED)["mrr@10"] == pytest.approx([1 / 3, 1 / 7, 0])


def test_a_first_hit_is_right_if_it_has_the_highest_gain() -> None:
    values = per_question(RELEVANT, {"graded": ["a", "b"], "late": ["c"], "missed": ["x", "d"]})
    assert values["hit@1"].tolist() == [1, 1, 0]
    assert per_question({"q": {"a": 2, "b": 1}}, {"q": ["b", "a"]})["hit@1"].tolist() == [0]


def test_nothing_below_the_tenth_counts() -> None:
    values = per_question({"q": {"a": 1}}, {"q": [*(f"x{n}" for n in range(10)), "a"]})
    assert not any(each.any() for each in values.values())


def test_a_question_that_found_nothing_counts_as_nothing_in_every_mean() -> None:
    for ranked in ({"q": ["a"], "p": []}, {"q": ["a"]}):
        values = per_question({"q": {"a": 1}, "p": {"a": 1}}, ranked)
        assert all(each.tolist() == [1.0, 0.0] for each in values.values())


def test_the_order_of_a_ranking_counts_whatever_its_documents_are_called() -> None:
    for first, second in (("a", "b"), ("b", "a")):
        values = per_question({"q": {first: 1}}, {"q": [first, second]})
        assert values["mrr@10"].tolist() == [1.0]


def test_the_bootstrap_interval_holds_the_mean_and_is_the_same_each_time() -> None:
    values = np.random.default_rng(3).random(100)
    low, high = interval(values) or (1, 0)
    assert low < values.mean() < high
    # The mean of 100 has a standard error of about .029: 95 % lie within 1.96 of them.
    assert high - low == pytest.approx(2 * 1.96 * values.std() / 10, rel=0.1)
    assert interval(values) == (low, high)


def test_one_question_proves_nothing_and_equal_ones_have_no_width() -> None:
    assert interval(np.array([0.5])) is None
    assert paired_p(np.array([0.5]), np.array([0.1])) is None
    assert interval(np.full(5, 0.5)) == (0.5, 0.5)


def test_the_paired_test_finds_a_small_but_steady_difference() -> None:
    baseline = np.random.default_rng(4).random(200)
    assert paired_p(baseline + np.random.default_rng(5).normal(0.02, 0.05, 200), baseline) < 0.001


def test_the_paired_test_finds_no_difference_where_there_is_none() -> None:
    baseline = np.random.default_rng(4).random(200)
    assert paired_p(baseline + np.random.default_rng(12).normal(0, 0.05, 200), baseline) > 0.05
    assert paired_p(baseline, baseline) == 1


def test_the_paired_test_counts_every_flip_of_a_few_questions() -> None:
    # Of the 8 ways to give three equal gains a sign, two have a mean as far from zero: all plus and all minus.
    assert paired_p(np.array([0.6, 0.7, 0.8]), np.array([0.5, 0.6, 0.7])) == pytest.approx(2 / 8)


def test_a_system_is_compared_with_the_baseline_on_the_same_questions() -> None:
    values = {
        "rrf": per_question({"p": {"a": 1}, "q": {"b": 1}}, {"p": ["a"], "q": ["x", "b"]}),
        "search": per_question({"p": {"a": 1}, "q": {"b": 1}}, {"p": ["a"], "q": ["b"]}),
    }
    found = measured(values, "search", baseline="rrf")
    assert found.metrics["ndcg@10"] == pytest.approx(1)
    assert found.difference is not None
    assert found.difference.to == "rrf"
    assert found.difference.mean == pytest.approx((1 - 1 / log2(3)) / 2, abs=1e-6)
    assert measured(values, "rrf", baseline="rrf").difference is None
