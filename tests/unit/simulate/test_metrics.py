from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from tests.unit.simulate.swarms import corpus_of, random_vectors, trails_of

from graphpalace.simulate.metrics import metrics_of


def test_the_figures_are_means_and_sums_of_the_state() -> None:
    corpus = corpus_of(random_vectors(4, 2))
    swarm = corpus.swarm(2)
    agents = replace(swarm.agents, velocities=torch.tensor([[3.0, 4.0], [0.0, 0.0]]))
    trails = trails_of(4, {(0, 1): 0.2, (1, 3): 0.3})
    found = metrics_of(
        replace(swarm, step=6, agents=agents, trails=trails, relevance=torch.tensor([0.2, 0.6, -0.2, 0.2]))
    )
    assert (found.step, found.trails) == (6, 2)
    assert (found.avg_rel, found.max_rel) == (pytest.approx(0.2), pytest.approx(0.6))
    assert (found.avg_speed, found.trail_mass) == (pytest.approx(2.5), pytest.approx(0.5))


def test_a_swarm_without_trails_has_no_mass() -> None:
    found = metrics_of(corpus_of(random_vectors(1, 2)).swarm(1))
    assert (found.trails, found.trail_mass) == (0, 0.0)
    assert found.avg_rel == found.max_rel
