from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.walking.walks import TEMPERATURES, Schedule
from graphpalace.errors import InvalidInput
from graphpalace.traverse.colony import annealed, temperatures


def test_the_archetypes_have_the_temperatures_of_the_seed() -> None:
    assert dict(TEMPERATURES) == {
        "explorer": 1.0, "exploiter": 0.1, "balanced": 0.5, "specialist": 0.3, "generalist": 0.7,
    }  # fmt: skip


def test_by_default_the_archetypes_have_equal_shares() -> None:
    found = temperatures(1000).tolist()
    assert [found.count(temperature) for temperature in TEMPERATURES.values()] == [200] * 5


@given(st.integers(1, 300), st.dictionaries(st.sampled_from(sorted(TEMPERATURES)), st.floats(0.1, 10), min_size=1))
def test_every_archetype_gets_its_share_to_within_one_agent(agents: int, mix: dict[str, float]) -> None:
    found = temperatures(agents, mix=mix).tolist()
    assert len(found) == agents
    for name, share in mix.items():
        assert abs(found.count(TEMPERATURES[name]) - agents * share / sum(mix.values())) < 1


@pytest.mark.parametrize("mix", [{}, {"explorer": 0}, {"explorer": -1, "balanced": 2}, {"wanderer": 1}])
def test_a_mix_that_is_none_is_refused(mix: dict[str, float]) -> None:
    with pytest.raises(InvalidInput):
        temperatures(10, mix=mix)


def test_a_colony_of_nobody_is_refused() -> None:
    with pytest.raises(InvalidInput):
        temperatures(0)


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
