"""What changes a simulation between two steps."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from graphpalace.domain.simulation.simulation_settings import SimulationSettings
from graphpalace.domain.vectors import Matrix
from graphpalace.operations.simulation.session import SwarmSession, Target
from graphpalace.simulate.convergence import Convergence


@dataclass
class Two:
    """Two documents at a right angle."""

    ids = ("a", "b")
    vectors: Matrix


@pytest.fixture
def course() -> SwarmSession:
    """Ten steps on: both documents were visited, the first seven times and just now, the second twice."""
    corpus = Two(np.eye(2, dtype=np.float32))
    course = SwarmSession(corpus, SimulationSettings(num_agents=3), Target(np.array([1, 0], np.float32), np.zeros(2)))
    course.spawn(seed=1)
    seen = {"step": 10, "visits": np.array([7, 2]), "last_visited": np.array([10, 8], np.float32)}
    course.swarm = replace(course.swarm, **seen)
    course.convergence = Convergence(trails_held=20, relevance_held=3)
    return course


def test_a_new_question_gives_every_document_its_relevance_to_it_alone(course: SwarmSession) -> None:
    course.change(course.settings, Target(np.array([0, 1], np.float32), np.zeros(2)))
    # 0 + .5 for seven visits + .1 for the latest; 1 + .2 for two visits
    assert course.swarm.relevance.tolist() == pytest.approx([0.6, 1.2])
    assert course.metrics.avg_rel == pytest.approx(0.9)
    assert course.best(2).rows == [1, 0]


def test_a_new_question_begins_the_rules_of_convergence_anew(course: SwarmSession) -> None:
    assert course.over == "trails"
    course.change(course.settings)
    assert course.over == "trails"
    course.change(course.settings, Target(np.array([0, 1], np.float32), np.zeros(2)))
    assert course.over is None


def test_what_keywords_are_worth_counts_at_once(course: SwarmSession) -> None:
    course.change(course.settings, Target(np.array([1, 0], np.float32), np.array([0.0, 0.5])))
    course.change(course.settings.changed({"kw_lambda": 4.0}))
    assert course.swarm.relevance.tolist() == pytest.approx([1.6, 0.2 + 2.0])
