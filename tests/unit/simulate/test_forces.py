from __future__ import annotations

import pytest
import torch
from torch import Tensor

from graphpalace.simulate.forces import attraction, moved, pheromone_pull


def _close(found: Tensor, wanted: list[list[float]]) -> None:
    torch.testing.assert_close(found, torch.tensor(wanted), rtol=0, atol=1e-6)


def _attraction(near: list[list[float]], cosines: list[float], relevance: list[float]) -> Tensor:
    at = torch.tensor([[1.0, 0.0]])
    return attraction(at, torch.tensor([near]), torch.tensor([cosines]), torch.tensor([relevance]))


def test_an_agent_is_drawn_by_cosine_and_relevance_in_the_direction_of_each_near_document() -> None:
    # (-.4, .8) / .894427 x .6 x 1.5 and (-.2, -.6) / .632456 x .8 x 1
    _close(_attraction([[0.6, 0.8]], [0.6], [0.5]), [[-0.4024922, 0.8049845]])
    _close(_attraction([[0.8, -0.6]], [0.8], [0.0]), [[-0.2529822, -0.7589466]])
    _close(_attraction([[0.6, 0.8], [0.8, -0.6]], [0.6, 0.8], [0.5, 0.0]), [[-0.6554744, 0.0460379]])


def test_a_document_behind_the_agent_drives_it_away() -> None:
    _close(_attraction([[-0.6, 0.8]], [-0.6], [0.0]), [[0.5366563, -0.2683282]])  # (-1.6, .8) / 1.788854 x -.6


def test_a_document_on_which_the_agent_stands_has_no_direction() -> None:
    _close(_attraction([[1.0, 0.0]], [1.0], [0.7]), [[0.0, 0.0]])


def test_a_trail_leads_from_either_end_to_the_other_with_its_strength() -> None:
    ends = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    led = pheromone_pull(ends, ends.flip(0), torch.tensor([0.5, 0.5]))
    _close(led, [[-0.3535534, 0.3535534], [0.3535534, -0.3535534]])


@pytest.mark.parametrize(("end", "strength"), [([0.0, 1.0], 0.0), ([1.0, 0.0], 0.5)])
def test_no_trail_or_one_to_where_the_agent_stands_leads_nowhere(end: list[float], strength: float) -> None:
    _close(pheromone_pull(torch.tensor([[1.0, 0.0]]), torch.tensor([end]), torch.tensor([strength])), [[0.0, 0.0]])


def test_a_step_is_four_fifths_of_the_velocity_and_a_fifth_of_the_weighted_forces() -> None:
    # F = (.3 + 0 + .1, .6 + .3 - .1); v = .8 (0, .1) + .2 (.4, .8); p = (1.08, .24) / 1.106345
    positions, velocities = moved(
        torch.tensor([[1.0, 0.0]]),
        torch.tensor([[0.0, 0.1]]),
        attracted=torch.tensor([[0.5, 1.0]]),
        led=torch.tensor([[0.0, 1.0]]),
        noise=torch.tensor([[1.0, -1.0]]),
    )
    _close(velocities, [[0.08, 0.24]])
    _close(positions, [[0.9761876, 0.2169306]])
