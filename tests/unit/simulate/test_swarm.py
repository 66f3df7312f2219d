from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch
from tests.unit.simulate.swarms import corpus_of, random_vectors

from graphpalace.simulate.swarm import resized, spawned


def test_agents_start_around_the_question_with_the_noise_of_the_seed() -> None:
    corpus = corpus_of(random_vectors(5, 64))
    query = 3 * corpus.query  # of any length
    agents = spawned(4000, corpus.documents, query, torch.Generator().manual_seed(1))
    unit = corpus.query / corpus.query.norm()
    along = agents.positions @ unit
    # |q + n|^2 is 1.64 on the mean of 64 dimensions of variance .01
    assert float(along.mean()) == pytest.approx(1 / math.sqrt(1.64), abs=0.005)
    assert float(agents.velocities.std()) == pytest.approx(0.05, abs=0.0005)
    assert float(agents.velocities.mean()) == pytest.approx(0, abs=0.0005)
    torch.testing.assert_close(torch.linalg.vector_norm(agents.positions, dim=1), torch.ones(4000))
    assert float(agents.boldness.mean()) == pytest.approx(0.5, abs=0.02)
    assert float(agents.boldness.std()) == pytest.approx(1 / math.sqrt(12), abs=0.01)
    assert 0 <= float(agents.boldness.min()) < 0.01
    assert 0.99 < float(agents.boldness.max()) <= 1
    assert agents.energy.unique().tolist() == agents.trail_strength.unique().tolist() == [1.0]
    assert agents.recent.unique().tolist() == [-1]


def test_exploration_lies_between_a_twentieth_and_the_bonus() -> None:
    corpus = corpus_of(random_vectors(5, 8))
    agents = replace(corpus.swarm(3).agents, boldness=torch.tensor([0.0, 0.5, 1.0]))
    assert agents.exploration(0.25).tolist() == pytest.approx([0.05, 0.15, 0.25])
    assert agents.exploration(0.05).tolist() == pytest.approx([0.05] * 3)
    assert agents.exploration(0.03).tolist() == pytest.approx([0.03] * 3)


def test_a_new_swarm_knows_nothing_but_the_similarities() -> None:
    corpus = corpus_of(random_vectors(7, 8))
    swarm = corpus.swarm(4)
    assert (swarm.step, len(swarm.agents), len(swarm.trails), swarm.visits.tolist()) == (0, 4, 0, [0] * 7)
    assert swarm.last_visited.tolist() == [-math.inf] * 7
    assert torch.equal(swarm.relevance, corpus.asked.similarity)


def test_agents_that_are_added_start_at_the_question_and_the_others_stay() -> None:
    corpus = corpus_of(random_vectors(30, 8))
    swarm = corpus.after(corpus.swarm(5), 4)
    more = resized(swarm, 8, corpus.documents, corpus.query)
    assert len(more.agents) == 8
    for name, column in vars(swarm.agents).items():
        assert torch.equal(getattr(more.agents, name)[:5], column), name
    assert more.agents.recent[5:].unique().tolist() == [-1]
    assert not torch.equal(more.random, swarm.random)
    assert (more.step, more.visits.tolist()) == (4, swarm.visits.tolist())
    assert corpus.after(more, 2).visits.sum() == 4 * 5 + 2 * 8


def test_agents_that_are_taken_away_are_the_newest_and_their_trails_stay() -> None:
    corpus = corpus_of(random_vectors(30, 8))
    swarm = corpus.after(corpus.swarm(5), 4)
    fewer = resized(swarm, 2, corpus.documents, corpus.query)
    assert torch.equal(fewer.agents.positions, swarm.agents.positions[:2])
    assert torch.equal(fewer.trails.strength, swarm.trails.strength)
    assert torch.equal(fewer.random, swarm.random)
    assert corpus.after(fewer, 1).visits.sum() == 4 * 5 + 2
    assert torch.equal(resized(swarm, 5, corpus.documents, corpus.query).agents.positions, swarm.agents.positions)
