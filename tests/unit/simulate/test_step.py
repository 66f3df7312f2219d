from __future__ import annotations

from dataclasses import is_dataclass, replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.simulate.plain_swarm import PlainSwarm
from tests.unit.simulate.swarms import DEVICES, corpus_of, pairs_of, random_vectors, standing_at, trails_of

from graphpalace.simulate.swarm import Swarm


@pytest.mark.parametrize(
    ("documents", "dimension", "agents", "bonus", "decay"),
    [
        (1, 4, 3, 0.1, 0.95),
        (2, 4, 5, 0.1, 0.95),
        (3, 8, 1, 0.5, 0.95),
        (4, 3, 30, 1.0, 0.95),
        (40, 16, 25, 0.1, 0.95),
        (40, 16, 25, 0.03, 0.7),
        (200, 32, 60, 1.0, 0.99),
    ],
)
def test_thirty_steps_agree_with_one_agent_after_the_other(
    documents: int, dimension: int, agents: int, bonus: float, decay: float
) -> None:
    vectors = random_vectors(documents, dimension)
    keywords = (np.arange(documents) % 4 / 4).tolist()
    corpus = corpus_of(vectors, keywords=keywords)
    swarm = corpus.swarm(agents, seed=9)
    plain = PlainSwarm(vectors, corpus.query.numpy(), agents=agents, seed=9)
    for step in range(1, 31):
        swarm = corpus.after(swarm, 1, bonus=bonus, decay=decay, kw=0.3)
        plain.step(exploration_bonus=bonus, pheromone_decay=decay, keywords=keywords, kw_lambda=0.3)
        assert swarm.step == step
        positions, velocities = swarm.agents.positions.numpy(), swarm.agents.velocities.numpy()
        _agree(positions, [agent.position for agent in plain.agents])
        _agree(velocities, [agent.velocity for agent in plain.agents])
        if documents < 3:  # agents swing through a document there, where a rounding turns its direction
            plain.place(positions, velocities)
        _agree(swarm.relevance.numpy(), plain.relevance)
        assert swarm.visits.tolist() == plain.visits
        assert swarm.last_visited.tolist() == plain.last_visited
        assert pairs_of(swarm.trails) == pytest.approx(plain.trails, abs=1e-4)
        assert [[seen for seen in row if seen >= 0] for row in swarm.agents.recent.tolist()] == [
            agent.visited[:-5:-1] for agent in plain.agents
        ]
    assert plain.trails or documents < 4  # or there was nothing to compare


def _agree(found: np.ndarray, plain: object) -> None:
    np.testing.assert_allclose(found, np.asarray(plain), rtol=0, atol=1e-4)


@pytest.mark.parametrize(
    ("before", "here", "after", "pairs"),
    [
        ([3, 2, 1, 0], 4, [4, 3, 2, 1], {(3, 4), (2, 4), (1, 4)}),
        ([3, 2, 1, 0], 1, [1, 3, 2, 0], {(1, 3), (1, 2), (0, 1)}),
        ([3, 2, 1, 0], 3, [3, 2, 1, 0], {(2, 3), (1, 3), (0, 3)}),  # who stays lays the same trails again
        ([3, -1, -1, -1], 4, [4, 3, -1, -1], {(3, 4)}),
        ([3, -1, -1, -1], 3, [3, -1, -1, -1], set()),
        ([-1, -1, -1, -1], 0, [0, -1, -1, -1], set()),
    ],
)
def test_a_visit_lays_trails_to_the_last_three_other_documents(
    before: list[int], here: int, after: list[int], pairs: set[tuple[int, int]]
) -> None:
    corpus = corpus_of(np.eye(6, dtype=np.float32))
    swarm = corpus.after(standing_at(corpus, here, recent=before), 1)
    assert swarm.agents.recent.tolist() == [after]
    assert pairs_of(swarm.trails) == dict.fromkeys(pairs, pytest.approx(0.095))  # .1, then a step's decay
    assert swarm.visits.tolist() == [int(document == here) for document in range(6)]
    assert swarm.last_visited.tolist() == [1.0 if document == here else -np.inf for document in range(6)]


@pytest.mark.parametrize(("here", "end"), [(0, 3), (3, 0)])
def test_an_agent_at_rest_on_a_document_follows_its_trail_from_either_end(here: int, end: int) -> None:
    corpus = corpus_of(np.eye(6, dtype=np.float32))
    swarm = standing_at(corpus, here, recent=[-1] * 4)
    led = corpus.after(replace(swarm, trails=trails_of(6, {(0, 3): 2.0})), 1).agents.velocities
    alone = corpus.after(swarm, 1).agents.velocities
    wanted = torch.zeros(1, 6)
    wanted[0, here], wanted[0, end] = -(0.5**0.5), 0.5**0.5  # of length one
    torch.testing.assert_close(led - alone, 0.2 * 0.3 * 2.0 * wanted)  # the noise is the same in both


@pytest.mark.parametrize("device", DEVICES)
def test_the_same_seed_gives_the_same_bits_and_another_seed_another_run(device: str) -> None:
    corpus = corpus_of(random_vectors(300, 24), device=device)
    one, again, other = (corpus.after(corpus.swarm(50, seed=seed), 20) for seed in (1, 1, 2))
    assert _bits(one) == _bits(again)
    assert not torch.equal(one.agents.positions, other.agents.positions)


@pytest.mark.parametrize("device", DEVICES)
def test_a_run_that_was_kept_as_arrays_goes_on_as_if_nothing_had_been(device: str) -> None:
    corpus = corpus_of(random_vectors(100, 16), device=device)
    whole = corpus.after(corpus.swarm(30), 20)
    half = corpus.after(corpus.swarm(30), 12)
    assert _bits(corpus.after(_rebuilt(half, device), 8)) == _bits(whole)


def test_a_step_leaves_the_state_before_it_as_it_was() -> None:
    corpus = corpus_of(random_vectors(50, 8))
    swarm = corpus.after(corpus.swarm(10), 3)
    before = _bits(swarm)
    corpus.after(swarm, 2)
    assert _bits(swarm) == before


def test_agents_do_not_see_what_others_do_in_the_same_step() -> None:
    corpus = corpus_of(random_vectors(30, 8))
    first = corpus.swarm(1)
    others = (corpus.swarm(5, seed=seed).agents for seed in (77, 78))  # as many each, so that the noise is the same
    groups = [replace(first, agents=first.agents.joined(five)) for five in others]
    one, other = (corpus.after(group, 1).agents.positions for group in groups)
    assert torch.equal(one[0], other[0])
    assert not torch.equal(one[1:], other[1:])


def test_twins_among_the_documents_break_nothing() -> None:
    corpus = corpus_of(np.repeat(random_vectors(3, 8), 4, axis=0))
    swarm = corpus.after(corpus.swarm(20), 25)
    assert int(swarm.visits.sum()) == 500
    assert bool(torch.isfinite(swarm.agents.positions).all())
    assert bool(torch.isfinite(swarm.relevance).all())


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 12), st.integers(1, 20), st.integers(1, 10), st.integers(0, 2**31), st.floats(0.01, 1))
def test_every_step_keeps_what_must_hold(documents: int, agents: int, steps: int, seed: int, bonus: float) -> None:
    corpus = corpus_of(random_vectors(documents, 5, seed=seed % 1000))
    swarm = corpus.after(corpus.swarm(agents, seed=seed), steps, bonus=bonus, decay=0.6)
    lengths = torch.linalg.vector_norm(swarm.agents.positions, dim=1)
    torch.testing.assert_close(lengths, torch.ones(agents), rtol=0, atol=1e-5)
    assert int(swarm.visits.sum()) == agents * steps
    keys = swarm.trails.keys.tolist()
    assert keys == sorted(set(keys))
    lower, higher = swarm.trails.ends
    assert bool((lower < higher).all())
    assert bool((swarm.trails.strength >= 0.01).all())
    assert bool(((swarm.visits > 0) == torch.isfinite(swarm.last_visited)).all())
    assert bool((swarm.agents.near[:, 0] == swarm.agents.recent[:, 0]).all())


def _bits(swarm: Swarm) -> list[tuple[str, bytes]]:
    """Return every array of a state as bytes."""
    parts = vars(swarm.agents) | vars(swarm.trails) | vars(swarm)
    arrays = {name: value for name, value in parts.items() if isinstance(value, torch.Tensor)}
    return [(name, value.cpu().numpy().tobytes()) for name, value in arrays.items()]


def _rebuilt(state: Any, device: str) -> Any:
    """Return a state made anew, its arrays from numpy ones."""
    if isinstance(state, torch.Tensor):
        return torch.from_numpy(state.cpu().numpy().copy()).to("cpu" if state.dtype == torch.uint8 else device)
    if is_dataclass(state):
        return type(state)(**{name: _rebuilt(part, device) for name, part in vars(state).items()})
    return state
