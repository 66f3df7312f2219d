from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.errors import InvalidInput
from graphpalace.rerank.decay_strategy import strategy_of

AGES = np.array([0.0, 900.0, 1800.0, 3600.0, 1e15])


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
    with pytest.raises(InvalidInput, match="pheromone_decay is 'cubic'; it must be one of exponential, linear, step"):
        strategy_of("cubic", seconds=1)
    for seconds in (0.0, -1.0, math.nan):
        with pytest.raises(InvalidInput, match=r"pheromone_decay_s is .*; it must be more than 0"):
            strategy_of("linear", seconds=seconds)
