from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from graphpalace.domain.learning.feedback import Candidates, Lesson
from graphpalace.domain.search.evidence import COSINE_IS_EVIDENCE, EvidenceScale, Pooling
from graphpalace.domain.search.pseudo_feedback import Rocchio
from graphpalace.domain.vectors import Vector, unit_rows
from graphpalace.learn.questions import QuestionMemory
from graphpalace.learn.replay import Balance, Replay, ReplayResult

STILL = Rocchio(drawers=0, weight=0.0)  # questions stay where they are
EAST = np.array([1, 0], np.float32)
SECOND = 1 / math.log2(3)  # what a hit at the second place is worth


def at_cosine(cosine: float) -> np.ndarray:
    return np.array([cosine, math.sqrt(1 - cosine**2)], np.float32)


VECTORS = {"a": at_cosine(0.5), "b": at_cosine(0.62)}


def lesson(name: str = "one", *, asking: str | None = None, strength: float = 1.0, ids: str = "ba") -> Lesson:
    """The words found `a`, which helped, better; the meaning found `b` better."""
    text = {"a": 0.5, "b": 0.36, "x": 0.9}
    evidence = np.array([text[one] for one in ids], np.float32)
    candidates = Candidates(tuple(ids), evidence, len(ids))
    return Lesson(name, asking or name, "red roses", EAST, {"a": 1.0}, {}, candidates, strength=strength)


def replay(*lessons: Lesson) -> Replay:
    memory = QuestionMemory(lessons, dimension=2)
    questions = np.array([each.question for each in lessons])
    return Replay(lessons, questions, memory, VECTORS, pooling=Pooling(0.5), rocchio=STILL)


def test_a_cosine_below_zero_is_no_evidence() -> None:
    vectors = VECTORS | {"b": at_cosine(-1.0)}
    memory = QuestionMemory([lesson()], dimension=2)
    judged = Replay([lesson(ids="ab")], EAST[None], memory, vectors, pooling=Pooling(0.5), rocchio=STILL)
    # b has .36 of the words alone, which makes .21; a has .5 of either
    assert judged.worth(bonus=np.array([[-0.28, 0.0]])).tolist() == pytest.approx([1.0])
    assert judged.worth(bonus=np.array([[-0.3, 0.0]])).tolist() == pytest.approx([SECOND])


def test_an_answer_is_worth_its_discounted_gain() -> None:
    assert replay(lesson()).worth().tolist() == pytest.approx([SECOND])  # b is first
    assert replay(lesson()).balanced(Balance(0.7)).worth().tolist() == pytest.approx(
        [1.0]
    )  # the words count twice as much: a is
    assert replay(lesson()).worth(bonus=np.array([[0.0, 0.1]])).tolist() == pytest.approx([1.0])


def test_drawers_that_are_gone_are_left_out() -> None:
    assert replay(lesson(ids="xba")).worth().tolist() == pytest.approx([SECOND])
    assert replay(lesson(ids="xb")).worth().tolist() == pytest.approx([0.0])  # what helped was not found at all


def test_lists_of_different_lengths_stand_side_by_side() -> None:
    assert replay(lesson("one"), lesson("two", ids="a")).worth().tolist() == pytest.approx([SECOND, 1.0])


def test_a_lesson_is_never_asked_with_what_its_own_asking_taught() -> None:
    alone = replay(lesson("one"))
    assert (alone.same[0].tolist(), alone.like[0].tolist()) == ([0], [-1])
    twice = replay(lesson("one", asking="monday"), lesson("two", asking="monday"))
    assert [each.tolist() for each in twice.same] == [[0, 0], [0, 0]]
    others = replay(lesson("one"), lesson("two"))  # the same question on another day
    assert [each.tolist() for each in others.same] == [[0, pytest.approx(1)], [pytest.approx(1), 0]]


def test_bonuses_reach_the_candidates_they_are_for() -> None:
    lessons = lesson("one"), lesson("two", ids="a")
    memory = QuestionMemory(lessons, dimension=2)
    there = replay(*lessons)
    assert there.bonuses(memory, [np.array([0.0, 0.5]), np.array([0.25, 0.0])]).tolist() == [[0, 0.5], [0.25, 0]]


def test_the_standard_error_by_hand() -> None:
    even = replay(lesson("one"), lesson("two")).verdict(np.array([0.9, 0.5]), np.array([0.7, 0.5]))
    assert (even.gain, even.error) == (pytest.approx(0.1), pytest.approx(math.sqrt(2 * 0.25 * 0.01)))
    faded = replay(lesson("one", strength=0.25), lesson("two", strength=0.25))
    assert faded.verdict(np.array([0.9, 0.5]), np.array([0.7, 0.5])) == even
    uneven = replay(lesson("one"), lesson("two", strength=1 / 3)).verdict(np.array([0.9, 0.5]), np.array([0.7, 0.5]))
    # weights 3/4 and 1/4, so a mean of .15, and (3/4 x .05)^2 + (1/4 x .15)^2
    assert (uneven.gain, uneven.error) == (pytest.approx(0.15), pytest.approx(math.sqrt(2 * 0.0375**2)))


def test_a_gain_is_trusted_less_the_more_it_varies() -> None:
    assert ReplayResult(0.1, 0.04).least(1.5) == pytest.approx(0.04)
    assert ReplayResult(0.1, 0.04).least(0.0) == 0.1


def test_lessons_without_strength_say_nothing() -> None:
    silent = replay(lesson("one", strength=0.0)).verdict(np.array([1.0]), np.array([0.0]))
    assert (silent.gain, silent.error) == (0, 0)


def with_lane(lesson: Lesson, name: str, *evidence: float) -> Lesson:
    others = {**lesson.candidates.others, name: np.array(evidence, np.float32)}
    return replace(lesson, candidates=replace(lesson.candidates, others=others))


def replayed(lessons: Sequence[Lesson], weights: Mapping[str, float], rocchio: Rocchio = STILL) -> Replay:
    questions, memory = np.array([each.question for each in lessons]), QuestionMemory(lessons, dimension=2)
    return Replay(lessons, questions, memory, VECTORS, pooling=Pooling(0.5, weights), rocchio=rocchio)


def test_every_lane_that_answered_counts_in_its_own_lesson_by_its_weight() -> None:
    """With names, `a` has .5, .5 and 1 of three lanes, and comes before `b` with .62, .36 and 0."""
    both = replayed([with_lane(lesson("one"), "entity", 0.0, 1.0), lesson("two")], {"entity": 0.25})
    assert both.other_lanes == ["entity"]
    assert both.worth().tolist() == pytest.approx([1.0, SECOND])
    silent = both.balanced(Balance(factors={"entity": 0.0}))
    assert silent.worth().tolist() == pytest.approx([SECOND, SECOND])
    assert both.worth().tolist() == pytest.approx([1.0, SECOND])  # as it was


@pytest.mark.parametrize(
    ("scale", "drawers"), [(COSINE_IS_EVIDENCE, 2), (COSINE_IS_EVIDENCE, 1), (EvidenceScale(0.2, 0.7), 2)]
)
def test_a_replayed_answer_is_scored_as_a_search_scores_it(scale: EvidenceScale, drawers: int) -> None:
    """The reference pools and moves each question with the parts that a search uses, one lesson after the other."""
    random = np.random.default_rng(3)
    names = [f"d{at}" for at in range(8)]
    vectors = dict(zip(names, unit_rows(random.normal(size=(8, 4)).astype(np.float32)), strict=True))
    lessons = []
    for at in range(30):
        ids = tuple(random.permutation(names)[: random.integers(1, 9)].tolist())
        text, entity = random.uniform(0, 1, (2, len(ids))).astype(np.float32)
        others = {"entity": entity} if at % 3 else {}
        question = unit_rows(random.normal(size=(1, 4)).astype(np.float32))[0]
        found = Candidates(ids, text, len(ids), others=others)
        lessons.append(Lesson(f"l{at}", f"a{at}", f"q{at}", question, {ids[0]: 1.0}, {}, found))
    pooling, rocchio = Pooling(0.5, {"entity": 0.25}, scale), Rocchio(drawers, 0.3)
    balance = Balance(0.35, {"entity": 2.0})
    questions, memory = np.array([each.question for each in lessons]), QuestionMemory(lessons, dimension=4)
    replay = Replay(lessons, questions, memory, vectors, pooling=pooling, rocchio=rocchio).balanced(balance)

    def scores(each: Lesson, bonus: np.ndarray) -> np.ndarray:
        ids, rows = each.candidates.ids, np.array([vectors[one] for one in each.candidates.ids])
        lanes = ["semantic", "fulltext", *each.candidates.others]

        def asked(question: Vector) -> np.ndarray:
            evidence = [scale.evidence(rows @ question), each.candidates.evidence, *each.candidates.others.values()]
            pooled = pooling.scaled(balance.factors).pooled(np.array(evidence), lanes, shift=balance.shift)
            return pooled + bonus[: len(ids)]

        best = np.argsort(-asked(each.question), kind="stable")[: rocchio.drawers]
        return asked(rocchio.moved(each.question, rows[best]))

    nothing = np.zeros((len(lessons), 8))
    # What lifts what helped to the best of the others, and a little less and more, which shows the scores themselves.
    gaps = nothing.copy()
    for row, each in enumerate(lessons):
        own, *others = scores(each, nothing[row])
        gaps[row, 0] = max(others, default=own) - own
    little = np.where(np.arange(8) == 0, 1e-4, 0.0)
    for bonus in (nothing, gaps - little, gaps + little):
        for row, (each, worth) in enumerate(zip(lessons, replay.worth(bonus), strict=True)):
            order = np.argsort(-scores(each, bonus[row]), kind="stable").tolist()
            assert worth == pytest.approx(1 / math.log2(order.index(0) + 2)), each.id


def test_a_moved_question_brings_up_what_lies_beside_the_best() -> None:
    """The words choose `c`; the question moves towards it, and `d` beside it passes `e`, which is as near before."""
    vectors = {"c": axis3(0.5, 0.8), "d": axis3(0.45, 0.7), "e": axis3(0.46, -0.7)}
    ids = ("c", "e", "d")
    found = Candidates(ids, np.array([0.9, 0.0, 0.0], np.float32), 3)
    asked = np.array([1, 0, 0], np.float32)
    told = Lesson("one", "one", "words", asked, {"d": 1.0}, {}, found)
    memory = QuestionMemory([told], dimension=3)

    def worth(rocchio: Rocchio) -> float:
        return Replay([told], asked[None], memory, vectors, pooling=Pooling(0.5), rocchio=rocchio).worth()[0]

    assert worth(STILL) == pytest.approx(1 / math.log2(4))
    assert worth(Rocchio(1, 0.3)) == pytest.approx(SECOND)


def axis3(east: float, north: float) -> np.ndarray:
    return np.array([east, north, math.sqrt(1 - east**2 - north**2)], np.float32)


def many(useful: str, *, count: int = 12) -> Replay:
    """A lesson of many candidates, each a little further away than the one before it."""
    ids = tuple(f"c{at:02}" for at in range(1, count + 1))
    vectors = {one: at_cosine(0.9 - 0.01 * at) for at, one in enumerate(ids)}
    told = Lesson("one", "one", "words", EAST, {useful: 1.0}, {}, Candidates(ids, np.zeros(count, np.float32), count))
    memory = QuestionMemory([told], dimension=2)
    return Replay([told], EAST[None], memory, vectors, pooling=Pooling(0.5), rocchio=STILL)


@pytest.mark.parametrize(("useful", "worth"), [("c01", 1.0), ("c10", 1 / math.log2(11)), ("c11", 0.0)])
def test_ten_hits_of_an_answer_count(useful: str, worth: float) -> None:
    assert many(useful).worth().tolist() == pytest.approx([worth])


def test_rewards_are_gains_and_the_best_order_of_them_is_worth_one() -> None:
    both = replace(lesson(), useful={"a": 1.0, "b": 0.5})  # b is first
    assert replay(both).worth().tolist() == pytest.approx([(0.5 + SECOND) / (1 + 0.5 * SECOND)])
    assert replay(both).worth(bonus=np.array([[0.0, 0.1]])).tolist() == pytest.approx([1.0])
    small = replace(lesson(ids="a"), useful={"a": 0.25})
    assert replay(small).worth().tolist() == pytest.approx([1.0])


def test_where_a_list_has_ended_nothing_stands_before_a_drawer_that_lost() -> None:
    lost = np.array([[0.0, 0.0], [-1.0, 0.0]])
    assert replay(lesson("one"), lesson("two", ids="a")).worth(bonus=lost).tolist() == pytest.approx([SECOND, 1.0])


def test_lanes_that_learning_cannot_weigh_count_alike_and_one_that_it_can_is_enough() -> None:
    weightless = {"semantic": 0.0, "fulltext": 0.0}
    assert replayed([lesson(ids="ab")], weightless).worth().tolist() == pytest.approx([SECOND])
    assert replayed([lesson()], {"semantic": 0.0}).worth().tolist() == pytest.approx([1.0])  # by the words alone


def test_what_is_gained_counts_before_and_after_the_question_has_moved() -> None:
    moving = replayed([lesson()], {}, Rocchio(1, 0.3))
    assert moving.worth(bonus=np.array([[0.0, 0.5]])).tolist() == pytest.approx([1.0])
    assert moving.worth(bonus=np.array([[0.5, 0.0]])).tolist() == pytest.approx([SECOND])


def test_a_lane_that_did_not_answer_has_no_weight() -> None:
    # With two lanes, b is ahead by .00671; a third of weight .25 that says nothing would make .0064 of it.
    alone = replayed([with_lane(lesson("one"), "entity", 0.0, 1.0), lesson("two")], {"entity": 0.25})
    assert alone.worth(bonus=np.array([[0.0, 0.0], [0.0, 0.0066]])).tolist() == pytest.approx([1.0, SECOND])
    assert alone.worth(bonus=np.array([[0.0, 0.0], [0.0, 0.0068]])).tolist() == pytest.approx([1.0, 1.0])
