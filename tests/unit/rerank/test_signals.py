from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.errors import InvalidInput
from graphpalace.rerank.signals import narrative_bonus, strategy_of

EAST = np.array([1, 0], np.float32)
AGES = np.array([0.0, 900.0, 1800.0, 3600.0, 1e15])


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
    assert bonus([[0.3, 0.4], [3, 4], [30, 40]], [0.5, 0.5, 0.5]) == pytest.approx([0.15, 0.15, 0.15])
    assert bonus([[1, 0], [1, 0]], [7.0, -50.0], floor=0.0) == pytest.approx([1, 0])


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("exponential", [1, 2**-0.5, 0.5, 0.25, 0]),
        ("linear", [1, 0.5, 0, 0, 0]),
        ("step", [1, 1, 0, 0, 0]),
        ("none", [1, 1, 1, 1, 1]),
    ],
)
def test_each_strategy_fades_in_its_own_way(name: str, left: list[float]) -> None:
    assert strategy_of(name, seconds=1800).left(AGES) == pytest.approx(left)


@given(
    st.sampled_from(["exponential", "linear", "step", "none"]),
    st.floats(1e-300, 1e12),
    st.lists(st.floats(0, 1e300), min_size=1),
)
def test_what_is_left_is_a_share_that_only_falls(name: str, seconds: float, ages: list[float]) -> None:
    with np.errstate(over="ignore"):
        left = strategy_of(name, seconds=seconds).left(np.array(sorted(ages)))
    assert ((left >= 0) & (left <= 1)).all()
    assert (np.diff(left) <= 0).all()


def test_what_is_no_strategy_is_refused() -> None:
    with pytest.raises(InvalidInput) as error:
        strategy_of("cubic", seconds=1)
    assert error.value.message == "pheromone_decay is 'cubic'; it must be one of exponential, linear, step, none"
    assert error.value.detail == {"field": "pheromone_decay", "value": "cubic"}


@pytest.mark.parametrize("seconds", [0.0, -1.0, math.nan])
def test_a_life_that_is_not_above_zero_is_refused(seconds: float) -> None:
    with pytest.raises(InvalidInput) as error:
        strategy_of("linear", seconds=seconds)
    assert error.value.message == f"pheromone_decay_s is {seconds}; it must be more than 0"
    assert error.value.detail == {"field": "pheromone_decay_s", "value": seconds}


def test_a_drawer_without_a_memory_has_no_bonus_and_no_warning() -> None:
    with np.errstate(divide="raise", invalid="raise"):
        assert bonus([[0, 0]], [1.0], floor=0.0) == [0]


def test_rounding_of_a_cosine_gives_no_bonus_above_one() -> None:
    question = np.array([2, 3], np.float32) / np.linalg.norm(np.array([2, 3], np.float32))
    assert question @ question > np.linalg.norm(question)  # by one bit
    assert narrative_bonus(question, question[None], np.array([1.0]), floor=0.0).tolist() == [1]
