"""Exponential decay, with numbers worked by hand from the seed's table.

What an edge costs, with numbers worked by hand.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.pheromones.pheromones import NOISE_FLOOR, DecayRates
from graphpalace.errors import InvalidInput
from graphpalace.pheromones.strength import decayed, edge_cost, half_life, pheromone_factor

RATES = st.floats(0, 1)
VALUES = st.floats(0, 100)
CYCLES = st.integers(0, 2000)
STRENGTHS = st.floats(0, 100)


def left(value: float, *, rate: float, cycles: int) -> float:
    return float(decayed(np.array([value]), rate=rate, cycles=cycles)[0])


@pytest.mark.parametrize(
    ("name", "cycles", "remains"),
    [
        ("exploitation", 35, 0.4931),  # .98^35 = exp(35 ln .98) = exp(-.70709)
        ("exploration", 14, 0.4877),  # .95^14 = exp(-.71811)
        ("success", 69, 0.4998),  # .99^69 = exp(-.69347)
        ("traversal", 23, 0.4963),  # .97^23 = exp(-.70056)
        ("recency", 7, 0.4783),  # .9^7
    ],
)
def test_about_half_is_left_after_the_half_life_of_the_table(name: str, cycles: int, remains: float) -> None:
    rate = getattr(DecayRates(), name)
    assert left(1.0, rate=rate, cycles=cycles) == pytest.approx(remains, abs=5e-5)
    assert half_life(rate) == pytest.approx(cycles, abs=1)


def test_one_cycle_takes_the_rate_s_share() -> None:
    assert left(2.0, rate=0.1, cycles=1) == pytest.approx(1.8)
    assert left(2.0, rate=0.1, cycles=3) == pytest.approx(1.458)


def test_each_element_has_its_own_age() -> None:
    aged = decayed(np.array([1.0, 1.0, 1.0]), rate=0.5, cycles=np.array([0, 1, 3]))
    assert aged.tolist() == [1.0, 0.5, 0.125]


def test_less_than_the_floor_is_nothing_and_the_floor_itself_is_something() -> None:
    assert left(NOISE_FLOOR, rate=0.5, cycles=0) == NOISE_FLOOR
    assert left(0.00099, rate=0.5, cycles=0) == 0.0
    assert left(1.0, rate=0.5, cycles=9) == pytest.approx(0.001953125)
    assert left(1.0, rate=0.5, cycles=10) == 0.0  # .00098 is below


def test_a_value_of_the_future_is_left_as_it_is() -> None:
    assert left(0.7, rate=0.1, cycles=-5) == 0.7


def test_without_a_rate_nothing_fades_and_with_all_of_it_nothing_stays() -> None:
    assert half_life(0.0) == math.inf
    assert half_life(1.0) == 0.0
    assert left(0.7, rate=0.0, cycles=10**6) == 0.7
    assert left(0.7, rate=1.0, cycles=1) == 0.0


@pytest.mark.parametrize("rate", [-0.01, 1.01, math.nan])
def test_a_rate_outside_its_range_is_refused(rate: float) -> None:
    for refused in (lambda: left(1.0, rate=rate, cycles=1), lambda: half_life(rate)):
        with pytest.raises(InvalidInput) as error:
            refused()
        assert error.value.message == f"rate is {rate}; it must be 0 to 1"
        assert error.value.detail == {"field": "rate", "value": rate}


@given(VALUES, RATES, CYCLES, CYCLES)
def test_two_runs_leave_what_one_over_both_spans_leaves(value: float, rate: float, one: int, other: int) -> None:
    twice = left(left(value, rate=rate, cycles=one), rate=rate, cycles=other)
    once = left(value, rate=rate, cycles=one + other)
    near_the_floor = math.isclose(max(once, twice), NOISE_FLOOR, rel_tol=1e-9)
    assert near_the_floor or twice == pytest.approx(once, rel=1e-9)


@given(VALUES, RATES, CYCLES)
def test_a_pheromone_never_grows_and_is_never_negative(value: float, rate: float, cycles: int) -> None:
    assert 0.0 <= left(value, rate=rate, cycles=cycles) <= value


@given(st.floats(0.001, 0.999))
def test_after_a_half_life_half_is_left(rate: float) -> None:
    assert (1 - rate) ** half_life(rate) == pytest.approx(0.5)


def factor(success: float, traversal: float, recency: float) -> float:
    return float(pheromone_factor(np.array([success]), np.array([traversal]), np.array([recency]))[0])


def cost(base: float, of: float) -> float:
    return float(edge_cost(np.array([base]), np.array([of]))[0])


@pytest.mark.parametrize(
    ("success", "traversal", "recency", "expected"),
    [
        (0.0, 0.0, 0.0, 0.0),
        (1.0, 0.0, 0.0, 0.5),
        (0.0, 1.0, 0.0, 0.2),
        (0.0, 0.0, 1.0, 0.3),
        (1.0, 1.0, 1.0, 1.0),
        (9.0, 9.0, 9.0, 1.0),  # above 1 counts as 1
        (0.4, 0.1, 0.5, 0.37),  # .5 x .4 + .2 x .1 + .3 x .5
    ],
)
def test_the_three_pheromones_count_50_20_and_30(
    success: float, traversal: float, recency: float, expected: float
) -> None:
    assert factor(success, traversal, recency) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("base", "of", "expected"),
    [
        (0.3, 0.0, 0.3),  # nothing: the base cost
        (0.3, 1.0, 0.15),  # all: half of it
        (0.5, 0.37, 0.4075),  # .5 x (1 - .185)
        (50.0, 0.0, 10.0),
        (50.0, 1.0, 10.0),  # 25 is still above the highest
        (-1.0, 0.0, 0.0),
    ],
)
def test_a_trail_takes_up_to_half_of_the_cost(base: float, of: float, expected: float) -> None:
    assert cost(base, of) == pytest.approx(expected)


@given(st.floats(0, 10), STRENGTHS, STRENGTHS, STRENGTHS)
def test_a_cost_stays_between_half_of_the_base_and_the_base(base: float, s: float, t: float, r: float) -> None:
    assert base * 0.5 - 1e-12 <= cost(base, factor(s, t, r)) <= base


@given(STRENGTHS, STRENGTHS, STRENGTHS, st.floats(0, 5), st.integers(0, 2))
def test_more_of_a_pheromone_never_costs_more(s: float, t: float, r: float, more: float, which: int) -> None:
    stronger = [s, t, r]
    stronger[which] += more
    assert cost(1.0, factor(*stronger)) <= cost(1.0, factor(s, t, r)) + 1e-12
