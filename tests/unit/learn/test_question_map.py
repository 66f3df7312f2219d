from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from graphpalace.domain.learning.feedback import Candidates, Lesson
from graphpalace.domain.vectors import Matrix
from graphpalace.learn.questions import NormalEquations, fitted, mapped, sums_of

EAST, NORTH, WEST = (np.array(v, np.float32) for v in ((1, 0), (0, 1), (-1, 0)))
WHERE = {"north": NORTH, "east": EAST, "west": WEST}


def rows(ids: Sequence[str]) -> Matrix:
    return np.array([WHERE[one] for one in ids if one in WHERE], np.float32).reshape(-1, 2)


def lesson(
    useful: dict[str, float],
    *,
    shown: tuple[str, ...] = (),
    useless: dict[str, float] | None = None,
    strength: float = 1,
) -> Lesson:
    candidates = Candidates(shown, np.zeros(len(shown), np.float32), len(shown))
    return Lesson("l", "a", "words", EAST, useful, useless or {}, candidates, strength=strength)


def sums(*lessons: Lesson) -> NormalEquations:
    return sums_of(lessons, rows, dimension=2)


def test_a_question_is_aimed_half_way_to_what_helped_and_once_more_at_it() -> None:
    found = sums(lesson({"north": 1.0}))  # q = (1, 0), d = (0, 1): t = (.5, .5) + (0, 1)
    assert found.questions.tolist() == [[1, 0], [0, 0]]
    assert found.targets.tolist() == [[0.5, 1.5], [0, 0]]


def test_it_is_aimed_away_from_what_was_shown_or_judged_and_did_not_help() -> None:
    shown = sums(lesson({"north": 1.0}, shown=("north", "east")))
    assert shown.targets[0].tolist() == [-0.5, 1.5]  # less (1, 0)
    both = sums(lesson({"north": 1.0}, shown=("east",), useless={"west": 0.1}))
    assert both.targets[0].tolist() == [0.5, 1.5]  # less the mean of (1, 0) and (-1, 0)
    mean = sums(lesson({"west": 1.0}, shown=("east", "north")))
    assert mean.targets[0].tolist() == [-1.5, -0.5]  # (0, 0) + (-1, 0) less the mean of (1, 0) and (0, 1)


def test_what_is_past_the_shown_hits_or_gone_says_nothing() -> None:
    past = Lesson("l", "a", "", EAST, {"north": 1.0}, {}, Candidates(("north", "east"), np.zeros(2, np.float32), 1))
    assert sums(past).targets[0].tolist() == [0.5, 1.5]
    assert not sums(lesson({"gone": 1.0})).targets.any()


def test_a_lesson_counts_by_reward_and_strength() -> None:
    half = sums(lesson({"north": 0.5}, strength=0.5))
    assert (half.questions[0, 0], half.targets[0].tolist()) == (0.25, [0.125, 0.375])
    assert not sums(lesson({"north": 1.0}, strength=0.0)).questions.any()


def test_the_map_by_hand() -> None:
    by = fitted(sums(lesson({"north": 1.0})), prior=1.0)  # (1 + 1) W0 = (.5, 1.5) + (1, 0)
    np.testing.assert_allclose(by, [[0.75, 0.75], [0, 1]], atol=1e-6)
    np.testing.assert_allclose(mapped(EAST[None], by), [[0.5**0.5, 0.5**0.5]], atol=1e-6)
    np.testing.assert_allclose(mapped(NORTH[None], by), [NORTH], atol=1e-6)  # of which it heard nothing


def test_a_higher_prior_leaves_the_question_nearer_to_what_it_was() -> None:
    cosines = [mapped(EAST[None], fitted(sums(lesson({"north": 1.0})), prior=p))[0, 0] for p in (0.1, 1, 10, 1000)]
    assert cosines == sorted(cosines)
    assert cosines[-1] > 0.999


def test_without_lessons_the_map_is_the_identity() -> None:
    by = fitted(sums(), prior=2.5)
    for question in np.random.default_rng(1).standard_normal((20, 2)).astype(np.float32):
        unit = question / np.linalg.norm(question)
        np.testing.assert_allclose(mapped(unit[None], by)[0], unit, atol=1e-6)


def test_the_sums_of_two_sets_add_up_and_their_order_does_not_matter() -> None:
    one, other = lesson({"north": 1.0}), lesson({"west": 0.3}, shown=("east",))
    for both in (sums(one, other), sums(other, one), sums(one) + sums(other)):
        np.testing.assert_allclose(both.targets, sums(one, other).targets)
        np.testing.assert_allclose((both - sums(other)).targets, sums(one).targets)
        np.testing.assert_allclose((both - sums(other)).questions, sums(one).questions)
    assert fitted(sums(one, other), prior=2.5) == pytest.approx(fitted(sums(other, one), prior=2.5))
