from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.simulate.swarms import array, corpus_of, random_vectors

from graphpalace.simulate.swarm import RandomStream, resized, spawned


def test_agents_start_around_the_question_with_the_noise_of_the_seed() -> None:
    corpus = corpus_of(random_vectors(5, 64))
    query = 3 * corpus.query  # of any length
    agents, random = spawned(4000, corpus.documents, query, RandomStream(1))
    assert random == RandomStream(1, 3)
    unit = corpus.query / np.linalg.norm(corpus.query)
    along = agents.positions @ unit
    # |q + n|^2 is 1.64 on the mean of 64 dimensions of variance .01
    assert float(along.mean()) == pytest.approx(1 / math.sqrt(1.64), abs=0.005)
    assert float(agents.velocities.std()) == pytest.approx(0.05, abs=0.0005)
    assert float(agents.velocities.mean()) == pytest.approx(0, abs=0.0005)
    np.testing.assert_allclose(np.linalg.norm(agents.positions, axis=1), 1, rtol=0, atol=1e-5)
    assert float(agents.boldness.mean()) == pytest.approx(0.5, abs=0.02)
    assert float(agents.boldness.std()) == pytest.approx(1 / math.sqrt(12), abs=0.01)
    assert 0 <= float(agents.boldness.min()) < 0.01
    assert 0.99 < float(agents.boldness.max()) <= 1
    assert set(agents.energy.tolist()) == set(agents.trail_strength.tolist()) == {1.0}
    assert (agents.recent == -1).all()


def test_exploration_lies_between_a_twentieth_and_the_bonus() -> None:
    corpus = corpus_of(random_vectors(5, 8))
    agents = replace(corpus.swarm(3).agents, boldness=array([0.0, 0.5, 1.0]))
    assert agents.exploration(0.25).tolist() == pytest.approx([0.05, 0.15, 0.25])
    assert agents.exploration(0.05).tolist() == pytest.approx([0.05] * 3)
    assert agents.exploration(0.03).tolist() == pytest.approx([0.03] * 3)


def test_a_new_swarm_knows_nothing_but_the_similarities() -> None:
    corpus = corpus_of(random_vectors(7, 8))
    swarm = corpus.swarm(4)
    assert (swarm.step, len(swarm.agents), len(swarm.trails), swarm.visits.tolist()) == (0, 4, 0, [0] * 7)
    assert swarm.last_visited.tolist() == [-math.inf] * 7
    assert swarm.relevance.tolist() == corpus.asked.similarity.tolist()


def test_agents_that_are_added_start_at_the_question_and_the_others_stay() -> None:
    corpus = corpus_of(random_vectors(30, 8))
    swarm = corpus.after(corpus.swarm(5), 4)
    more = resized(swarm, 8, corpus.documents, corpus.query)
    assert len(more.agents) == 8
    for name, column in vars(swarm.agents).items():
        assert (getattr(more.agents, name)[:5] == column).all(), name
    assert (more.agents.recent[5:] == -1).all()
    assert (more.agents.positions[5:] != corpus.swarm(3).agents.positions).any()  # other numbers than at the start
    assert (more.step, more.visits.tolist()) == (4, swarm.visits.tolist())
    assert corpus.after(more, 2).visits.sum() == 4 * 5 + 2 * 8
    assert more.random == RandomStream(swarm.random.seed, swarm.random.draws + 3)
    assert len(resized(swarm, 6, corpus.documents, corpus.query).agents) == 6


def test_agents_that_are_taken_away_are_the_newest_and_their_trails_stay() -> None:
    corpus = corpus_of(random_vectors(30, 8))
    swarm = corpus.after(corpus.swarm(5), 4)
    fewer = resized(swarm, 2, corpus.documents, corpus.query)
    assert (fewer.agents.positions == swarm.agents.positions[:2]).all()
    assert (fewer.trails.strength == swarm.trails.strength).all()
    assert fewer.random == swarm.random
    assert corpus.after(fewer, 1).visits.sum() == 4 * 5 + 2
    assert (resized(swarm, 5, corpus.documents, corpus.query).agents.positions == swarm.agents.positions).all()
