from __future__ import annotations

from dataclasses import is_dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.simulate.plain_swarm import PlainSwarm
from tests.unit.simulate.swarms import KINDS, array, corpus_of, pairs_of, random_vectors, standing_at, trails_of

from graphpalace.arrays import to_numpy
from graphpalace.simulate.convergence import Convergence
from graphpalace.simulate.packing import packed, unpacked
from graphpalace.simulate.step import next_step
from graphpalace.simulate.swarm import RandomStream, Swarm


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "cuda"])  # which draws its own numbers
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
    documents: int, dimension: int, agents: int, bonus: float, decay: float, kind: str
) -> None:
    vectors = random_vectors(documents, dimension)
    keywords = (np.arange(documents) % 4 / 4).tolist()
    corpus = corpus_of(vectors, keywords=keywords, kind=kind)
    swarm = corpus.swarm(agents, seed=9)
    plain = PlainSwarm(vectors, to_numpy(corpus.query), agents=agents, seed=9)
    for step in range(1, 31):
        swarm = corpus.after(swarm, 1, bonus=bonus, decay=decay, kw=0.3)
        plain.step(exploration_bonus=bonus, pheromone_decay=decay, keywords=keywords, kw_lambda=0.3)
        assert swarm.step == step
        positions, velocities = to_numpy(swarm.agents.positions), to_numpy(swarm.agents.velocities)
        _agree(positions, [agent.position for agent in plain.agents])
        _agree(velocities, [agent.velocity for agent in plain.agents])
        if dimension < 8:  # agents come close to documents there, where a rounding turns their direction
            plain.place(positions, velocities)
        _agree(to_numpy(swarm.relevance), plain.relevance)
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
    wanted = np.zeros((1, 6))
    wanted[0, here], wanted[0, end] = -(0.5**0.5), 0.5**0.5  # of length one
    np.testing.assert_allclose(led - alone, 0.2 * 0.3 * 2.0 * wanted, rtol=0, atol=1e-6)  # the noise is the same


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_bits_and_another_seed_another_run(kind: str) -> None:
    corpus = corpus_of(random_vectors(300, 24), kind=kind)
    one, again, other = (corpus.after(corpus.swarm(50, seed=seed), 20) for seed in (1, 1, 2))
    assert _bits(one) == _bits(again)
    assert (to_numpy(one.agents.positions) != to_numpy(other.agents.positions)).any()


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_that_was_kept_as_arrays_goes_on_as_if_nothing_had_been(kind: str) -> None:
    corpus = corpus_of(random_vectors(100, 16), kind=kind)
    whole = corpus.after(corpus.swarm(30), 20)
    half = corpus.after(corpus.swarm(30), 12)
    assert _bits(corpus.after(_rebuilt(half, kind), 8)) == _bits(whole)


@pytest.mark.skipif("torch" not in KINDS, reason="PyTorch is not installed")
def test_numpy_and_torch_find_the_same_with_the_same_seed() -> None:
    vectors = random_vectors(150, 24) + 2 * random_vectors(5, 24, seed=4)[np.arange(150) % 5]
    swarms = []
    for kind in ("numpy", "torch"):
        corpus = corpus_of(vectors, kind=kind)
        swarms.append(corpus.after(corpus.swarm(40, seed=2**40), 40, bonus=0.3))
    one, other = swarms
    assert one.random == other.random
    assert one.visits.tolist() == other.visits.tolist()
    assert len(one.trails) > 20
    assert pairs_of(one.trails) == pytest.approx(pairs_of(other.trails), abs=1e-4)
    _agree(one.relevance, to_numpy(other.relevance))
    _agree(one.agents.positions, to_numpy(other.agents.positions))


@pytest.mark.skipif("torch" not in KINDS, reason="PyTorch is not installed")
def test_a_run_that_torch_began_is_ended_by_numpy_with_the_same_findings() -> None:
    began, ended = (corpus_of(random_vectors(100, 16), kind=kind) for kind in ("torch", "numpy"))
    ids = [f"d{row}" for row in range(100)]
    kept = packed(began.after(began.swarm(30), 12), Convergence(), ids)
    swarm, _ = unpacked(kept, ended.documents, ids)
    whole = ended.after(ended.swarm(30), 20)
    assert ended.after(swarm, 8).visits.tolist() == whole.visits.tolist()


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
    assert (one[0] == other[0]).all()
    assert (one[1:] != other[1:]).any()


def test_twins_among_the_documents_break_nothing() -> None:
    corpus = corpus_of(np.repeat(random_vectors(3, 8), 4, axis=0))
    swarm = corpus.after(corpus.swarm(20), 25)
    assert int(swarm.visits.sum()) == 500
    assert np.isfinite(swarm.agents.positions).all()
    assert np.isfinite(swarm.relevance).all()


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 12), st.integers(1, 20), st.integers(1, 10), st.integers(0, 2**31), st.floats(0.01, 1))
def test_every_step_keeps_what_must_hold(documents: int, agents: int, steps: int, seed: int, bonus: float) -> None:
    corpus = corpus_of(random_vectors(documents, 5, seed=seed % 1000))
    swarm = corpus.after(corpus.swarm(agents, seed=seed), steps, bonus=bonus, decay=0.6)
    np.testing.assert_allclose(np.linalg.norm(swarm.agents.positions, axis=1), 1, rtol=0, atol=1e-5)
    assert int(swarm.visits.sum()) == agents * steps
    keys = swarm.trails.keys.tolist()
    assert keys == sorted(set(keys))
    lower, higher = swarm.trails.ends
    assert (lower < higher).all()
    assert (swarm.trails.strength >= 0.01).all()
    assert ((swarm.visits > 0) == np.isfinite(swarm.last_visited)).all()
    assert (swarm.agents.near[:, 0] == swarm.agents.recent[:, 0]).all()


def _bits(swarm: Swarm) -> list[tuple[str, bytes]]:
    """Return every array of a state as bytes."""
    parts = vars(swarm.agents) | vars(swarm.trails) | vars(swarm)
    return [(name, to_numpy(value).tobytes()) for name, value in parts.items() if hasattr(value, "shape")]


def _rebuilt(state: Any, kind: str) -> Any:
    """Return a state made anew, its arrays from numpy ones."""
    if hasattr(state, "shape"):
        return array(to_numpy(state), kind)
    if is_dataclass(state) and not isinstance(state, RandomStream):
        return type(state)(**{name: _rebuilt(part, kind) for name, part in vars(state).items()})
    return state


def test_trails_are_cut_to_the_ceiling_after_they_have_faded() -> None:
    corpus = corpus_of(np.eye(6, dtype=np.float32))
    swarm = replace(standing_at(corpus, 3, recent=[3, -1, -1, -1]), trails=trails_of(6, {(0, 1): 2.0, (1, 2): 0.5}))

    def left(ceiling: float) -> dict[tuple[int, int], float]:
        after = next_step(
            swarm,
            corpus.documents,
            corpus.asked,
            now=1.0,
            exploration_bonus=0.1,
            pheromone_decay=0.5,
            kw_lambda=0.0,
            trail_ceiling=ceiling,
        )
        return pairs_of(after.trails)

    assert left(0.75) == {(0, 1): 0.75, (1, 2): 0.25}
    assert left(0.0) == {(0, 1): 1.0, (1, 2): 0.25}  # no limit
