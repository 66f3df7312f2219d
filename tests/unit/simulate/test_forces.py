from __future__ import annotations

import numpy as np
import pytest
from tests.unit.simulate.swarms import KINDS, array

from graphpalace.arrays import Array, to_numpy
from graphpalace.simulate.step import attraction, moved, pheromone_pull

pytestmark = pytest.mark.parametrize("kind", KINDS)


def _close(found: Array, wanted: list[list[float]]) -> None:
    np.testing.assert_allclose(to_numpy(found), wanted, rtol=0, atol=1e-6)


def _attraction(kind: str, near: list[list[float]], cosines: list[float], relevance: list[float]) -> Array:
    return attraction(*(array(values, kind) for values in ([[1.0, 0.0]], [near], [cosines], [relevance])))


def test_an_agent_is_drawn_by_cosine_and_relevance_in_the_direction_of_each_near_document(kind: str) -> None:
    # (-.4, .8) / .894427 x .6 x 1.5 and (-.2, -.6) / .632456 x .8 x 1
    _close(_attraction(kind, [[0.6, 0.8]], [0.6], [0.5]), [[-0.4024922, 0.8049845]])
    _close(_attraction(kind, [[0.8, -0.6]], [0.8], [0.0]), [[-0.2529822, -0.7589466]])
    _close(_attraction(kind, [[0.6, 0.8], [0.8, -0.6]], [0.6, 0.8], [0.5, 0.0]), [[-0.6554744, 0.0460379]])


def test_a_document_behind_the_agent_drives_it_away(kind: str) -> None:
    _close(_attraction(kind, [[-0.6, 0.8]], [-0.6], [0.0]), [[0.5366563, -0.2683282]])  # (-1.6, .8) / 1.788854 x -.6


def test_a_document_on_which_the_agent_stands_has_no_direction(kind: str) -> None:
    _close(_attraction(kind, [[1.0, 0.0]], [1.0], [0.7]), [[0.0, 0.0]])


def test_a_trail_leads_from_either_end_to_the_other_with_its_strength(kind: str) -> None:
    ends = [[1.0, 0.0], [0.0, 1.0]]
    led = pheromone_pull(array(ends, kind), array(ends[::-1], kind), array([0.5, 0.5], kind))
    _close(led, [[-0.3535534, 0.3535534], [0.3535534, -0.3535534]])


@pytest.mark.parametrize(("end", "strength"), [([0.0, 1.0], 0.0), ([1.0, 0.0], 0.5)])
def test_no_trail_or_one_to_where_the_agent_stands_leads_nowhere(end: list[float], strength: float, kind: str) -> None:
    led = pheromone_pull(array([[1.0, 0.0]], kind), array([end], kind), array([strength], kind))
    _close(led, [[0.0, 0.0]])


def test_a_step_is_four_fifths_of_the_velocity_and_a_fifth_of_the_weighted_forces(kind: str) -> None:
    # F = (.3 + 0 + .1, .6 + .3 - .1); v = .8 (0, .1) + .2 (.4, .8); p = (1.08, .24) / 1.106345
    positions, velocities = moved(
        array([[1.0, 0.0]], kind),
        array([[0.0, 0.1]], kind),
        attracted=array([[0.5, 1.0]], kind),
        led=array([[0.0, 1.0]], kind),
        noise=array([[1.0, -1.0]], kind),
    )
    _close(velocities, [[0.08, 0.24]])
    _close(positions, [[0.9761876, 0.2169306]])
