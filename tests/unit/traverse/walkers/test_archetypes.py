from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.graph.colony_rules import TEMPERATURES
from graphpalace.errors import InvalidInput
from graphpalace.traverse.walkers.archetypes import temperatures


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
