from __future__ import annotations

import numpy as np
import pytest

from graphpalace.rerank.narrative import narrative_bonus

EAST = np.array([1, 0], np.float32)


def bonus(memories: list[list[float]], strengths: list[float], *, floor: float = 0.3) -> list[float]:
    return narrative_bonus(EAST, np.array(memories, np.float32), np.array(strengths), floor=floor).tolist()


def test_a_memory_is_worth_its_strength_times_what_the_cosine_is_above_the_floor() -> None:
    assert bonus([[0.6, 0.8]], [0.5]) == pytest.approx([0.15])  # .5 (.6 - .3)


def test_what_answered_other_questions_gains_nothing() -> None:
    assert bonus([[0, 1], [-1, 0], [0.2, 0.9798]], [1.0, 1.0, 1.0]) == pytest.approx([0, 0, 0], abs=1e-6)


def test_each_drawer_has_a_memory_of_its_own() -> None:
    alone = bonus([[0, 0], [1, 0]], [0.0, 1.0])
    assert alone == pytest.approx([0, 0.7])
    assert bonus([[0, 1], [1, 0]], [1.0, 1.0]) == pytest.approx(alone)  # what the first remembers is its own affair


def test_a_memory_counts_by_its_direction_and_its_strength_is_bounded() -> None:
    assert bonus([[3, 4], [30, 40]], [0.5, 0.5]) == pytest.approx([0.15, 0.15])
    assert bonus([[1, 0], [1, 0]], [7.0, -50.0], floor=0.0) == pytest.approx([1, 0])
    assert bonus([[0, 0]], [1.0], floor=0.0) == [0]
