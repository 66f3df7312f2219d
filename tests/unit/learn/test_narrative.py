from __future__ import annotations

import numpy as np
import pytest

from graphpalace.domain.vectors import Vector
from graphpalace.learn.narrative import remembered, remembering

EAST, NORTH = (np.array(v, np.float32) for v in ((1, 0), (0, 1)))


def test_the_first_question_does_not_fill_the_memory() -> None:  # fault of the original: it became it outright
    vector, strength, cycle = remembering(None, 0.0, 0, EAST, reward=1.0, at=7, rate=0.01)
    assert (vector.tolist(), strength, cycle) == ([1, 0], 0.3, 7)


def test_a_weak_reward_is_a_weak_memory() -> None:
    assert remembering(None, 0.0, 0, EAST, reward=0.2, at=0, rate=0.01)[1] == pytest.approx(0.06)


def test_the_second_question_by_hand() -> None:
    vector, strength, _ = remembering(EAST, 0.3, 5, NORTH, reward=1.0, at=5, rate=0.01)
    assert strength == pytest.approx(0.51)  # .3 + .3 (1 - .3)
    assert vector.tolist() == pytest.approx([0.21 / 0.366197, 0.3 / 0.366197], abs=1e-5)  # (.7 x .3, .3) at length one


def test_a_memory_fades_before_a_question_is_added() -> None:
    _, strength, cycle = remembering(EAST, 0.5, 0, EAST, reward=1.0, at=69, rate=0.01)
    left = 0.5 * 0.99**69
    assert (strength, cycle) == (pytest.approx(left + 0.3 * (1 - left)), 69)


def test_what_has_faded_away_is_begun_anew() -> None:
    vector, strength, _ = remembering(EAST, 0.5, 0, NORTH, reward=1.0, at=1000, rate=0.01)
    assert (vector.tolist(), strength) == ([0, 1], 0.3)


def test_an_answer_of_the_past_sets_no_clock_back() -> None:
    _, strength, cycle = remembering(EAST, 0.3, 10, EAST, reward=1.0, at=4, rate=0.01)
    assert (strength, cycle) == (pytest.approx(0.51), 10)


def test_any_number_of_answers_stays_within_length_and_strength_one() -> None:
    random = np.random.default_rng(0)
    angles = random.uniform(0, 2 * np.pi, 500)
    answers: list[tuple[Vector, float, int]] = [
        (np.array([np.cos(a), np.sin(a)], np.float32), float(random.uniform(0.01, 1)), at)
        for at, a in enumerate(angles)
    ]
    found = remembered(answers, rate=0.0)
    assert found is not None
    vector, strength, cycle = found
    assert 0 < strength <= 1
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
    assert cycle == 499


def test_no_answers_are_no_memory() -> None:
    assert remembered([], rate=0.01) is None
