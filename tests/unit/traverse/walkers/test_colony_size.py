"""How large a colony is, and that the next one then finds other places."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.traverse.palaces import snapshot_of

from graphpalace.domain.graph.graph_snapshot import GraphSnapshot
from graphpalace.traverse.walkers.colony import Colony, walk
from graphpalace.traverse.walkers.colony_size import FEWEST_AGENTS, FEWEST_STEPS, MOST_AGENTS, MOST_STEPS, colony_size


@pytest.mark.parametrize(
    ("nodes", "agents", "steps"),
    [
        (10, 5, 10),  # never less than a colony
        (340, 5, 14),  # .2 x 340 = 68 visits; 68 / 5 = 13.6
        (3_000, 12, 50),  # 600 visits; 600 / 50
        (40_000, 160, 50),
        (110_000, 200, 50),
    ],
)
def test_sizes_worked_by_hand(nodes: int, agents: int, steps: int) -> None:
    assert colony_size(nodes) == (agents, steps)


def test_what_is_given_stays_and_the_other_fits() -> None:
    assert colony_size(3_000, agents=100) == (100, 10)  # 600 / 100 = 6, but at least 10
    assert colony_size(3_000, agents=30) == (30, 20)
    assert colony_size(3_000, steps=20) == (30, 20)
    assert colony_size(10, agents=100, steps=50) == (100, 50)


@given(st.integers(500, 50_000))
def test_a_colony_takes_about_a_fifth_as_many_steps_as_there_are_nodes(nodes: int) -> None:
    agents, steps = colony_size(nodes)
    assert FEWEST_AGENTS <= agents <= MOST_AGENTS
    assert FEWEST_STEPS <= steps <= MOST_STEPS
    assert agents * steps == pytest.approx(0.2 * nodes, rel=0.1)


def _village(rooms: int) -> tuple[GraphSnapshot, list[int]]:
    """Return two wings of rooms, each room with ten drawers that are also joined with each other."""
    pairs, first = [(wing, 2 + room) for room in range(rooms) for wing in [room % 2]], 2 + rooms
    rng = np.random.default_rng(1)
    for room in range(rooms):
        drawers = range(first + 10 * room, first + 10 * room + 10)
        pairs += [(2 + room, drawer) for drawer in drawers]
    pairs += (first + rng.integers(0, 10 * rooms, (20 * rooms, 2))).tolist()
    return snapshot_of(first + 10 * rooms, pairs, cost=[0.3] * len(pairs)), [0, 1]


def _seen(snapshot: GraphSnapshot, entries: list[int], seed: int, colony: Colony) -> np.ndarray:
    closeness = np.zeros(len(snapshot.nodes))
    return walk(snapshot, closeness, entries, rng=np.random.default_rng(seed), colony=colony).visits > 0


def test_after_an_exploration_the_next_one_finds_mostly_other_places() -> None:
    snapshot, entries = _village(30)
    agents, steps = colony_size(len(snapshot.nodes))
    overlap = {True: list[float](), False: list[float]()}
    for colony, marked in ((Colony(agents=agents, steps=steps), marked) for marked in (True, False)):
        for turn in range(20):
            first = _seen(snapshot, entries, 2 * turn, colony)
            marks = replace(snapshot.nodes, exploration=0.3 * first * marked)
            later = snapshot.with_trails(revision=2, cycle=0, nodes=marks, edges=snapshot.edges)
            second = _seen(later, entries, 2 * turn + 1, colony)
            overlap[marked].append(float((first & second).sum() / second.sum()))
    assert np.mean(overlap[True]) < 0.7 * np.mean(overlap[False])
    assert np.mean(overlap[True]) < 0.3
