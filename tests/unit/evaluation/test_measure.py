"""Metrics by hand, and what may be concluded from them. The metrics of LongMemEval, with numbers worked by hand."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest

from graphpalace.evaluation.figures import measured
from graphpalace.evaluation.measure import interval, paired_p, per_question, session_scores

RELEVANT = {"graded": {"a": 3, "b": 1}, "late": {"c": 1}, "missed": {"d": 1, "e": 1}}
RANKED = {"graded": ["x", "b", "a"], "late": [f"x{n}" for n in range(6)] + ["c"], "missed": []}
SESSION_OF = {"a1": "a", "a2": "a", "b1": "b", "b2": "b", "c1": "c", "d1": "d"}
TURNS = {"a": 2, "b": 2, "c": 1, "d": 1}
WHOLE = {name: name for name in "abcdef"}
ONE_EACH = dict.fromkeys("abcdef", 1)


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


@pytest.mark.parametrize(
    ("ranked", "found_any", "found_all"),
    [("abcdef", 1, 1), ("acdefb", 1, 0), ("cdefab", 0, 0), ("bcdaef", 1, 1)],
)
def test_any_asks_for_one_session_of_the_answer_and_all_for_each(ranked: str, found_any: int, found_all: int) -> None:
    scores = session_scores(list(ranked), {"a", "b"}, WHOLE, ONE_EACH, k=4)
    assert (scores.any, scores.all) == (found_any, found_all)


def test_the_first_two_ranks_count_whole_and_later_ones_by_the_logarithm_of_their_rank() -> None:
    assert session_scores(["a", "b", "c"], {"a", "b"}, WHOLE, ONE_EACH, k=3).ndcg == 1
    late = session_scores(["c", "a", "b"], {"a", "b"}, WHOLE, ONE_EACH, k=3)
    assert late.ndcg == pytest.approx((1 + 1 / log2(3)) / 2)
    assert session_scores(["c", "d", "e", "a"], {"a"}, WHOLE, ONE_EACH, k=4).ndcg == pytest.approx(1 / 2)
    assert session_scores(["c", "d", "e", "a"], {"a"}, WHOLE, ONE_EACH, k=3).ndcg == 0


def test_a_ranking_of_turns_is_read_until_it_has_named_enough_sessions() -> None:
    scores = session_scores(["a1", "a2", "b1", "c1", "d1"], {"b"}, SESSION_OF, TURNS, k=2)
    assert (scores.any, scores.all) == (1, 1)  # b is the second session, though the third turn
    assert scores.ndcg == pytest.approx((1 / log2(3)) / 2)  # b has two turns, which would be ranks 1 and 2
    assert session_scores(["a1", "a2", "c1", "b1"], {"b"}, SESSION_OF, TURNS, k=2).any == 0


def test_nothing_found_scores_nothing_and_few_results_are_no_advantage() -> None:
    nothing = session_scores([], {"a"}, WHOLE, ONE_EACH, k=5)
    assert (nothing.any, nothing.all, nothing.ndcg) == (0, 0, 0)
    assert session_scores(["a"], {"a", "b"}, WHOLE, ONE_EACH, k=5).ndcg == pytest.approx(1 / 2)
