from __future__ import annotations

import math

import numpy as np
import pytest

from graphpalace.domain.learning.lesson import Candidates, Lesson
from graphpalace.domain.search.pooling import Pooling
from graphpalace.learn.question_memory import QuestionMemory
from graphpalace.learn.replay import Replay, ReplayResult

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
    return Replay(lessons, questions, memory, VECTORS, pooling=Pooling(0.5))


def test_a_cosine_below_zero_is_no_evidence() -> None:
    vectors = VECTORS | {"b": at_cosine(-1.0)}
    memory = QuestionMemory([lesson()], dimension=2)
    judged = Replay([lesson(ids="ab")], EAST[None], memory, vectors, pooling=Pooling(0.5))
    # b has .36 of the words alone, which makes .21; a has .5 of either
    assert judged.worth(bonus=np.array([[-0.28, 0.0]])).tolist() == pytest.approx([1.0])
    assert judged.worth(bonus=np.array([[-0.3, 0.0]])).tolist() == pytest.approx([SECOND])


def test_an_answer_is_worth_its_discounted_gain() -> None:
    assert replay(lesson()).worth().tolist() == pytest.approx([SECOND])  # b is first
    assert replay(lesson()).worth(shift=0.7).tolist() == pytest.approx([1.0])  # the words count twice as much: a is
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
    uneven = replay(lesson("one"), lesson("two", strength=1 / 3)).verdict(np.array([0.9, 0.5]), np.array([0.7, 0.5]))
    # weights 3/4 and 1/4, so a mean of .15, and (3/4 x .05)^2 + (1/4 x .15)^2
    assert (uneven.gain, uneven.error) == (pytest.approx(0.15), pytest.approx(math.sqrt(2 * 0.0375**2)))


def test_a_gain_is_trusted_less_the_more_it_varies() -> None:
    assert ReplayResult(0.1, 0.04).least(1.5) == pytest.approx(0.04)
    assert ReplayResult(0.1, 0.04).least(0.0) == 0.1


def test_lessons_without_strength_say_nothing() -> None:
    silent = replay(lesson("one", strength=0.0)).verdict(np.array([1.0]), np.array([0.0]))
    assert (silent.gain, silent.error) == (0, 0)
