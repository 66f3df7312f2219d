"""What an edge costs, with numbers worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.pheromones.cost import edge_cost, pheromone_factor

STRENGTHS = st.floats(0, 100)


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
