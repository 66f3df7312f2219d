"""How learning is measured: halves, shortened questions, and means over several divisions, worked by hand."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest

from graphpalace.domain.search.answer import SearchPlan
from graphpalace.errors import InvalidInput
from graphpalace.evaluation.asking import AskedQuestion
from graphpalace.evaluation.collection import Collection, CollectionDocument, CollectionQuestion
from graphpalace.evaluation.figures import measured
from graphpalace.evaluation.learning_curve import Ranked, Round
from graphpalace.evaluation.learning_figures import learning_figures
from graphpalace.evaluation.learning_plan import LearningPlan, halves, shortened
from graphpalace.evaluation.measure import METRICS, interval
from graphpalace.learn.learned import ReplayTrial
from graphpalace.learn.replay import ReplayResult


def asked(name: str, text: str = "some words") -> CollectionQuestion:
    return CollectionQuestion(name, text, {"right": 1})


def ranked(**documents: str) -> Ranked:
    """Answers of the documents of each question, with blanks between."""
    return {
        name: AskedQuestion(found.split(), 10.0, SearchPlan(("semantic",), {}, "evidence"))
        for name, found in documents.items()
    }


@pytest.mark.parametrize(("count", "kept"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (10, 6)])
def test_two_fifths_of_the_words_are_left_out_and_the_others_keep_their_order(count: int, kept: int) -> None:
    words = [f"w{at}" for at in range(count)]
    question = CollectionQuestion("q", " ".join(words), {"right": 1}, vector=np.ones(3, np.float32))
    left = shortened(question, np.random.default_rng(1))
    assert left.vector is None
    assert len(left.text.split()) == kept
    assert left.text.split() == [word for word in words if word in left.text.split()]


def test_each_question_is_in_one_half_and_other_seeds_divide_otherwise() -> None:
    questions = [asked(f"q{at}") for at in range(21)]
    found = [halves(questions, np.random.default_rng(seed)) for seed in (0, 0, 1)]
    for taught, rest in found:
        assert (len(taught), len(rest)) == (10, 11)
        assert {each.id for each in (*taught, *rest)} == {each.id for each in questions}
    assert found[0] == found[1] != found[2]
    with pytest.raises(InvalidInput, match="needs at least two"):
        halves(questions[:1], np.random.default_rng(0))


def test_a_question_that_was_asked_three_times_counts_three_times_but_is_drawn_as_one() -> None:
    values = {name: {metric: np.array([1.0, 0.0]) for metric in METRICS} for name in ("search", "search_learned")}
    values["search"]["ndcg@10"] = np.array([0.5, 0.5])
    found = measured(values, "search_learned", baseline="search", times=np.array([3.0, 1.0]))
    assert found.metrics["ndcg@10"] == 0.75
    assert found.difference is not None
    assert found.difference.mean == (3 * 0.5 - 1 * 0.5) / 4
    # Two draws of two questions: both the first, both the second, or one of each.
    assert interval(np.array([1.0, 0.0]), np.array([3.0, 1.0])) == (0.0, 1.0)


def test_the_figures_are_means_over_all_measured_questions_of_all_seeds() -> None:
    one, two = asked("one"), asked("two")
    collection = Collection("c", (CollectionDocument("right", "", "x"),), (one, two), 0, None)
    trial = ReplayTrial("something", ReplayResult(0.1, 0.02), True)
    rounds = [
        Round([one], 4, {"search": ranked(one="x right"), "search_learned": ranked(one="right")}, [trial]),
        Round(
            [two, one],
            5,
            {"search": ranked(one="x right", two="x"), "search_learned": ranked(one="x right", two="right")},
            [],
        ),
    ]
    found = learning_figures(collection, rounds, LearningPlan(seeds=2), left_out=[], seconds=1.0)
    second = 1 / log2(3)
    assert found.systems["search"].metrics["ndcg@10"] == pytest.approx((second + second + 0) / 3)
    assert found.systems["search_learned"].metrics["ndcg@10"] == pytest.approx((1 + second + 1) / 3)
    assert found.learning is not None
    assert [(each.seed, each.measured, each.feedbacks) for each in found.learning.seeds] == [(0, 1, 4), (1, 2, 5)]
    assert found.learning.seeds[0].trials == [{"change": "something", "gain": 0.1, "error": 0.02, "kept": True}]
    assert found.learning.curve == []


def test_the_curve_has_the_points_that_all_seeds_reached_and_their_ends() -> None:
    one = asked("one")
    collection = Collection("c", (CollectionDocument("right", "", "x"),), (one,), 0, None)
    first, second, none = ranked(one="right"), ranked(one="x right"), ranked(one="x")
    answers = {"search": none, "search_learned": first}
    rounds = [
        Round([one], 12, answers, [], {0: none, 5: second, 10: first, 12: first}),
        Round([one], 9, answers, [], {0: none, 5: none, 9: second}),
    ]
    found = learning_figures(collection, rounds, LearningPlan(seeds=2, curve=True), left_out=[], seconds=1.0)
    assert found.learning is not None
    half = 1 / log2(3)
    assert [point.feedbacks for point in found.learning.curve] == [0, 5, 10.5]
    assert [point.mean for point in found.learning.curve] == pytest.approx([0, half / 2, (1 + half) / 2])
    # Of two values the standard deviation is their difference over the root of 2.
    assert found.learning.curve[1].gain_deviation == pytest.approx(half / 2**0.5)
