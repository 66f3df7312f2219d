"""What a deposit gives each edge of a path, and what feedback lays on ways, with numbers worked by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.pheromones.deposits import EdgeGain
from graphpalace.domain.pheromones.pheromones import Rewards
from graphpalace.domain.walking.graph_snapshot import EdgeRef, NodeRef, Trail
from graphpalace.errors import InvalidInput
from graphpalace.pheromones.deposit import RewardedTrail, document_gain, feedback_gains, path_rewards

REWARDS = Rewards()
ROOM = EdgeRef("HAS_ROOM", "wing", "room")
CLOSET = EdgeRef("HAS_CLOSET", "room", "closet")


def test_the_first_edge_gets_all_and_the_later_ones_less() -> None:
    assert path_rewards(4, base_reward=1.0) == [1.0, 0.75, 0.5, 0.25]
    assert path_rewards(3, base_reward=0.6) == pytest.approx([0.6, 0.4, 0.2])
    assert path_rewards(1, base_reward=2.0) == [2.0]


def test_no_reward_is_nothing_for_all() -> None:
    assert path_rewards(2, base_reward=0.0) == [0.0, 0.0]


def test_a_path_without_edges_and_a_negative_reward_are_refused() -> None:
    with pytest.raises(InvalidInput) as error:
        path_rewards(0, base_reward=1.0)
    assert error.value.message == "the path has 0 edges; it must have at least one"
    assert error.value.detail == {"field": "path", "value": 0}
    with pytest.raises(InvalidInput) as error:
        path_rewards(3, base_reward=-0.1)
    assert error.value.message == "base_reward is -0.1; it must not be negative"
    assert error.value.detail == {"field": "base_reward", "value": -0.1}


@given(st.integers(1, 200), st.floats(0, 100))
def test_the_rewards_fall_evenly_and_add_up_to_half_of_the_edges_and_one(edges: int, base: float) -> None:
    rewards = path_rewards(edges, base_reward=base)
    assert len(rewards) == edges
    assert rewards == sorted(rewards, reverse=True)
    assert sum(rewards) == pytest.approx(base * (edges + 1) / 2)
    assert rewards[-1] == pytest.approx(base / edges)


def _last(drawer: str) -> EdgeRef:
    return EdgeRef("HAS_DRAWER", "closet", drawer)


def _down_to(drawer: str) -> Trail:
    places = (("Wing", "wing"), ("Room", "room"), ("Closet", "closet"), ("Drawer", drawer))
    return Trail([ROOM, CLOSET, _last(drawer)], [NodeRef(*place) for place in places])


def test_two_useless_drawers_take_nothing_from_the_way_that_they_share_with_a_useful_one() -> None:
    gains = feedback_gains(
        [RewardedTrail(_down_to("good"), 1.0)],
        [RewardedTrail(_down_to("bad"), 1.0), RewardedTrail(_down_to("worse"), 0.5)],
        rewards=REWARDS,
    )
    assert gains.edges == {
        ROOM: EdgeGain(1.0, 0.1, 1.0),
        CLOSET: EdgeGain(pytest.approx(2 / 3), 0.1, 1.0),
        _last("good"): EdgeGain(pytest.approx(1 / 3), 0.1, 1.0),
        _last("bad"): EdgeGain(pytest.approx(-1 / 6)),  # half of what a reward would have given the third of three
        _last("worse"): EdgeGain(pytest.approx(-1 / 12)),
    }
    assert gains.nodes == {
        NodeRef("Wing", "wing"): 0.2,
        NodeRef("Room", "room"): 0.2,
        NodeRef("Closet", "closet"): 0.2,
        NodeRef("Drawer", "good"): 0.2,
        NodeRef("Drawer", "bad"): pytest.approx(-0.1),
        NodeRef("Drawer", "worse"): pytest.approx(-0.05),
    }


def test_two_useful_drawers_add_up_but_their_room_was_walked_to_once() -> None:
    gains = feedback_gains(
        [RewardedTrail(_down_to("one"), 1.0), RewardedTrail(_down_to("two"), 0.5)], [], rewards=REWARDS
    )
    assert gains.edges[ROOM] == EdgeGain(1.5, 0.1, 1.0)
    assert gains.nodes[NodeRef("Room", "room")] == 0.2


def test_a_useless_drawer_that_the_way_to_a_useful_one_goes_over_is_not_blamed() -> None:
    on = Trail(
        [*_down_to("step").edges, EdgeRef("SIMILAR_TO", "step", "goal")],
        [*_down_to("step").nodes, NodeRef("Drawer", "goal")],
    )
    gains = feedback_gains([RewardedTrail(on, 1.0)], [RewardedTrail(_down_to("step"), 1.0)], rewards=REWARDS)
    assert gains.edges[_last("step")] == EdgeGain(0.5, 0.1, 1.0)
    assert gains.nodes[NodeRef("Drawer", "step")] == 0.2


_drawers = st.lists(st.sampled_from("abcdef"), unique=True, min_size=1)


@given(_drawers, st.floats(0.01, 1), st.data())
def test_what_is_useful_gets_the_same_whatever_was_useless_beside_it(
    drawers: list[str], reward: float, data: st.DataObject
) -> None:
    useful = [RewardedTrail(_down_to(drawer), reward) for drawer in drawers]
    others = [drawer for drawer in "abcdef" if drawer not in drawers]
    useless = [RewardedTrail(_down_to(drawer), data.draw(st.floats(0.01, 1))) for drawer in others]
    alone, mixed = (feedback_gains(useful, bad, rewards=REWARDS) for bad in ([], useless))
    assert {edge: gain for edge, gain in mixed.edges.items() if edge in alone.edges} == alone.edges
    assert {node: gain for node, gain in mixed.nodes.items() if node in alone.nodes} == alone.nodes
    assert all(gain.success > 0 for gain in alone.edges.values())
    assert {edge for edge, gain in mixed.edges.items() if gain.success < 0} == {_last(other) for other in others}


def test_a_document_of_the_caller_gains_by_its_reward_and_loses_half_of_that() -> None:
    assert document_gain(1.0, useful=True, rewards=REWARDS) == pytest.approx(0.2)
    assert document_gain(0.25, useful=True, rewards=REWARDS) == pytest.approx(0.05)
    assert document_gain(0.25, useful=False, rewards=REWARDS) == pytest.approx(-0.025)


def test_the_success_of_a_reward_is_a_share_of_the_base_reward() -> None:
    gains = feedback_gains([RewardedTrail(_down_to("one"), 0.5)], [], rewards=Rewards(success_base_reward=4.0))
    assert gains.edges[ROOM].success == 2
