from __future__ import annotations

import numpy as np
import pytest

from graphpalace.domain.learning.feedback import AnsweredQuestion, NarrativeMemory
from graphpalace.learn.narrative import remembered, remembering

EAST, NORTH = (np.array(v, np.float32) for v in ((1, 0), (0, 1)))


def test_the_first_question_does_not_fill_the_memory() -> None:  # fault of the original: it became it outright
    memory = remembering(None, EAST, reward=1.0, cycle=7, rate=0.01)
    assert (memory.vector.tolist(), memory.strength, memory.cycle) == ([1, 0], 0.3, 7)


def test_a_weak_reward_is_a_weak_memory() -> None:
    assert remembering(None, EAST, reward=0.2, cycle=0, rate=0.01).strength == pytest.approx(0.06)


def test_the_second_question_by_hand() -> None:
    memory = remembering(NarrativeMemory(EAST, 0.3, 5), NORTH, reward=1.0, cycle=5, rate=0.01)
    assert memory.strength == pytest.approx(0.51)  # .3 + .3 (1 - .3)
    assert memory.vector.tolist() == pytest.approx(
        [0.21 / 0.366197, 0.3 / 0.366197], abs=1e-5
    )  # (.7 x .3, .3) at length one


def test_a_memory_fades_before_a_question_is_added() -> None:
    memory = remembering(NarrativeMemory(EAST, 0.5, 0), EAST, reward=1.0, cycle=69, rate=0.01)
    left = 0.5 * 0.99**69
    assert (memory.strength, memory.cycle) == (pytest.approx(left + 0.3 * (1 - left)), 69)


def test_what_has_faded_away_is_begun_anew() -> None:
    memory = remembering(NarrativeMemory(EAST, 0.5, 0), NORTH, reward=1.0, cycle=1000, rate=0.01)
    assert (memory.vector.tolist(), memory.strength) == ([0, 1], 0.3)


def test_an_answer_of_the_past_sets_no_clock_back() -> None:
    memory = remembering(NarrativeMemory(EAST, 0.3, 10), EAST, reward=1.0, cycle=4, rate=0.01)
    assert (memory.strength, memory.cycle) == (pytest.approx(0.51), 10)


def test_any_number_of_answers_stays_within_length_and_strength_one() -> None:
    random = np.random.default_rng(0)
    angles = random.uniform(0, 2 * np.pi, 500)
    answers = [
        AnsweredQuestion(np.array([np.cos(a), np.sin(a)], np.float32), float(random.uniform(0.01, 1)), at)
        for at, a in enumerate(angles)
    ]
    found = remembered(answers, rate=0.0)
    assert found is not None
    assert 0 < found.strength <= 1
    assert np.linalg.norm(found.vector) == pytest.approx(1, abs=1e-5)
    assert found.cycle == 499


def test_no_answers_are_no_memory() -> None:
    assert remembered([], rate=0.01) is None
