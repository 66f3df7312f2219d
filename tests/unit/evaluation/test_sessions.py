"""The metrics of LongMemEval, with numbers worked by hand."""

from __future__ import annotations

from math import log2

import pytest

from graphpalace.evaluation.sessions import session_scores

SESSION_OF = {"a1": "a", "a2": "a", "b1": "b", "b2": "b", "c1": "c", "d1": "d"}
TURNS = {"a": 2, "b": 2, "c": 1, "d": 1}
WHOLE = {name: name for name in "abcdef"}
ONE_EACH = dict.fromkeys("abcdef", 1)


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
