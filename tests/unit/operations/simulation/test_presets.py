"""The presets of the swarm: the seed's numbers exactly, and a standard that comes to an end."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from tests.unit.simulate.swarms import Corpus, corpus_of

from graphpalace.domain.simulation.simulation_settings import checked_settings
from graphpalace.domain.vectors import unit_rows
from graphpalace.operations.simulation.session import SwarmSession, Target
from graphpalace.simulate.convergence import Convergence, Rules, metrics_of


class _Topics:
    """Three hundred documents around twelve topics, without a database."""

    ids = tuple(f"d{row:03}" for row in range(300))

    def __init__(self) -> None:
        random = np.random.default_rng(9)
        topics = random.standard_normal((12, 32))
        noise = random.standard_normal((300, 32))
        self.vectors = unit_rows((topics[np.arange(300) % 12] + 0.8 * noise).astype(np.float32))


_TOPICS = _Topics()


def _course(question: int = 5, **settings: Any) -> SwarmSession:
    chosen = checked_settings({"num_agents": 30} | settings)
    course = SwarmSession(_TOPICS, chosen, Target(_TOPICS.vectors[question], np.zeros(300, np.float32)))
    course.spawn(seed=4)
    return course


def _ended(course: SwarmSession) -> SwarmSession:
    while course.over is None:
        course.step(now=float(course.swarm.step + 1))
    return course


@pytest.mark.parametrize("question", [5, 77])
def test_the_standard_comes_to_an_end_by_itself_where_the_seed_does_not(question: int) -> None:
    standard, seed = _ended(_course(question)), _ended(_course(question, preset="seed"))
    assert standard.over in ("trails", "relevance")
    assert standard.swarm.step < 150
    assert (seed.over, seed.swarm.step) == ("max_iterations", 200)
    assert float(standard.swarm.trails.strength.max()) <= 1.0
    assert float(seed.swarm.trails.strength.max()) > 10.0
    assert question in standard.best(3).rows


def test_the_preset_seed_is_the_formulas_and_limits_of_the_seed_to_the_last_bit() -> None:
    course = _course(preset="seed", stop_on_convergence=False, max_iterations=60)
    plain: Corpus = corpus_of(_TOPICS.vectors)
    plain = Corpus(plain.documents, course._query, course._asked)
    swarm, convergence = plain.swarm(30, seed=4), Convergence()
    for _ in range(60):
        swarm = plain.after(swarm, 1)
        convergence = convergence.following(swarm, metrics_of(swarm), Rules())
    _ended(course)
    assert (course.swarm.agents.positions == swarm.agents.positions).all()
    assert course.swarm.trails.strength.tolist() == swarm.trails.strength.tolist()
    assert (course.swarm.relevance == swarm.relevance).all()
    found, expected = course.convergence, convergence
    assert (found.trails_held, found.relevance_held) == (expected.trails_held, expected.relevance_held)
    assert [(one.trail_mass, one.avg_rel) for one in found.checkpoints] == [
        (one.trail_mass, one.avg_rel) for one in expected.checkpoints
    ]


def test_a_run_that_is_stored_goes_on_as_if_it_had_not_been_and_ends_at_the_same_step() -> None:
    whole = _ended(_course())
    halved = _course()
    for _ in range(30):
        halved.step(now=float(halved.swarm.step + 1))
    again = _course()
    again.restore(halved.stored())
    assert again.convergence.least == halved.convergence.least
    _ended(again)
    assert (again.over, again.swarm.step) == (whole.over, whole.swarm.step)
    assert (again.swarm.relevance == whole.swarm.relevance).all()


def test_a_state_of_before_there_were_presets_goes_on_with_the_numbers_of_the_seed() -> None:
    whole = _course(preset="seed", max_iterations=50)
    for _ in range(30):
        whole.step(now=float(whole.swarm.step + 1))
    again = _course(preset="seed", max_iterations=50)
    again.restore(_as_before(whole.stored()))
    for course in (whole, again):
        _ended(course)
    assert (again.swarm.relevance == whole.swarm.relevance).all()
    for one, other in zip(again.convergence.checkpoints, whole.convergence.checkpoints, strict=True):
        assert one.present.tolist() == other.present.tolist()
        assert (one.trail_mass, one.avg_rel) == (other.trail_mass, other.avg_rel)
    assert again.convergence.trails_held == whole.convergence.trails_held


def test_a_state_of_before_without_a_step_can_be_taken_up() -> None:
    fresh, again = _course(preset="seed"), _course(preset="seed")
    again.restore(_as_before(fresh.stored()))
    assert again.convergence == Convergence()


def _as_before(state: bytes) -> bytes:
    """Return a state as it was packed when nothing was compared with the run itself."""
    with np.load(io.BytesIO(state), allow_pickle=False) as arrays:
        known = {name: arrays[name] for name in arrays.files if not name.startswith(("top", "range"))}
    known["moments"] = known["moments"][:, :2]
    file = io.BytesIO()
    np.savez(file, **known)  # type: ignore[arg-type]
    return file.getvalue()
