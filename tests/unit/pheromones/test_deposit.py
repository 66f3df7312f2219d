"""What each edge of a path is given, with numbers worked by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.errors import InvalidInput
from graphpalace.pheromones.deposit import path_rewards


def test_the_first_edge_gets_all_and_the_later_ones_less() -> None:
    assert path_rewards(4, base_reward=1.0) == [1.0, 0.75, 0.5, 0.25]
    assert path_rewards(3, base_reward=0.6) == pytest.approx([0.6, 0.4, 0.2])
    assert path_rewards(1, base_reward=2.0) == [2.0]


def test_no_reward_is_nothing_for_all() -> None:
    assert path_rewards(2, base_reward=0.0) == [0.0, 0.0]


def test_a_path_without_edges_and_a_negative_reward_are_refused() -> None:
    with pytest.raises(InvalidInput, match="0 edges"):
        path_rewards(0, base_reward=1.0)
    with pytest.raises(InvalidInput, match=r"base_reward is -0\.1"):
        path_rewards(3, base_reward=-0.1)


@given(st.integers(1, 200), st.floats(0, 100))
def test_the_rewards_fall_evenly_and_add_up_to_half_of_the_edges_and_one(edges: int, base: float) -> None:
    rewards = path_rewards(edges, base_reward=base)
    assert len(rewards) == edges
    assert rewards == sorted(rewards, reverse=True)
    assert sum(rewards) == pytest.approx(base * (edges + 1) / 2)
    assert rewards[-1] == pytest.approx(base / edges)
