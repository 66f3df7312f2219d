from __future__ import annotations

import pytest

from graphpalace.domain.graph.colony_rules import Schedule
from graphpalace.errors import InvalidInput
from graphpalace.traverse.walkers.annealing import annealed


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        ("constant", [1, 1, 1, 1, 1]),
        ("linear", [1, 0.775, 0.55, 0.325, 0.1]),
        ("exponential", [1, 0.5623413, 0.3162278, 0.1778279, 0.1]),
        ("cosine", [1, 0.8681981, 0.55, 0.2318019, 0.1]),
    ],
)
def test_five_steps_cool_down_as_worked_by_hand(schedule: Schedule, expected: list[float]) -> None:
    found = [annealed(step, steps=5, schedule=schedule, floor=0.1) for step in range(5)]
    assert found == pytest.approx(expected, abs=1e-7)


def test_a_single_step_is_not_cooled() -> None:
    assert annealed(0, steps=1, schedule="exponential", floor=0.1) == 1.0


@pytest.mark.parametrize("floor", [0.0, -1.0, 1.1])
def test_a_floor_out_of_range_is_refused(floor: float) -> None:
    with pytest.raises(InvalidInput):
        annealed(0, steps=2, schedule="linear", floor=floor)


def test_a_schedule_that_is_not_known_is_refused() -> None:
    with pytest.raises(InvalidInput):
        annealed(0, steps=2, schedule="quenched", floor=0.1)  # pyright: ignore[reportArgumentType]
