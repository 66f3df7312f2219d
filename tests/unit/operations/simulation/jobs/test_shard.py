"""Shards of a job: how a corpus is cut, and that slices make no difference."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from graphpalace.domain.simulation.simulation_settings import SimulationSettings
from graphpalace.domain.vectors import unit_rows
from graphpalace.errors import InvalidInput
from graphpalace.operations.simulation.jobs.shards import Shard, SliceResult, make_slice, shard_rows


def small_shard(**settings: object) -> Shard:
    """Return forty documents of sixteen dimensions."""
    vectors = unit_rows(np.random.default_rng(5).standard_normal((40, 16)).astype(np.float32))
    return Shard(
        [f"d{row:02}" for row in range(40)],
        vectors,
        np.zeros(40, np.float32),
        vectors[3],
        SimulationSettings(num_agents=20, **settings),  # pyright: ignore[reportArgumentType]
        seed=11,
    )


def _made(shard: Shard, *, steps: int) -> tuple[SliceResult, int]:
    """Return the last outcome and how many slices it took; each slice gets the shard and the state as bytes."""
    outcome = make_slice(shard, b"", 0.0, steps=steps, seconds=60)
    slices = 1
    while outcome.over is None:
        sent: Shard = pickle.loads(pickle.dumps(shard))
        outcome = make_slice(sent, outcome.state, 0.0, steps=steps, seconds=60)
        slices += 1
    return outcome, slices


def test_slices_of_seven_steps_give_the_same_as_one_of_thirty() -> None:
    shard = small_shard(max_iterations=30)
    once, one = _made(shard, steps=30)
    often, five = _made(shard, steps=7)
    assert (one, five) == (1, 5)
    assert (once.step, once.over) == (often.step, often.over) == (30, "max_iterations")
    assert once.best == often.best
    assert once.best.rows[0] == 3


def test_a_shard_that_is_over_makes_no_more_steps_and_says_the_same_again() -> None:
    shard = small_shard(max_iterations=5)
    outcome, _ = _made(shard, steps=5)
    again = make_slice(shard, outcome.state, 0.0)
    assert (again.step, again.over, again.best) == (5, "max_iterations", outcome.best)


def test_a_slice_makes_a_step_even_without_time() -> None:
    outcome = make_slice(small_shard(max_iterations=5), b"", 0.0, seconds=0)
    assert (outcome.step, outcome.over) == (1, None)


@pytest.mark.parametrize("stops", [True, False])
def test_convergence_ends_a_shard_early_if_it_may(stops: bool) -> None:
    # every mean is in this band, so the rule holds from step 3 on and has held for a window at step 4
    band = {
        "relevance_change": 0.0,
        "top_k_kept": 0.0,
        "relevance_low": -1.0,
        "relevance_high": 5.0,
        "relevance_amplitude": 5.0,
        "relevance_drift": 5.0,
    }
    outcome, _ = _made(small_shard(max_iterations=30, window=2, stop_on_convergence=stops, **band), steps=7)
    assert (outcome.step, outcome.over) == ((4, "relevance") if stops else (30, "max_iterations"))


def test_what_was_visited_in_a_slice_long_ago_is_not_recent_in_the_next() -> None:
    shard = small_shard(max_iterations=16, deterministic=False, top_k=40)
    shard = replace(shard, query=shard.vectors.mean(axis=0))  # from where the agents go to different documents
    first = make_slice(shard, b"", 0.0, steps=15)
    visits = dict(zip(first.best.rows, first.best.visits, strict=True))
    for waited_s, bonus in ((0.0, 0.1), (60.0, 0.0)):
        second = make_slice(shard, first.state, waited_s)
        ranked = zip(second.best.rows, second.best.scores, second.best.similarities, second.best.visits, strict=True)
        left = [
            score - similarity - min(0.1 * now, 0.5)
            for row, score, similarity, now in ranked
            if visits.get(row) and now == visits[row]  # nobody came in the second slice
        ]
        assert left
        assert left == pytest.approx([bonus] * len(left), abs=1e-6)


@pytest.mark.parametrize(
    ("documents", "most", "sizes"),
    [(7, 3, [2, 2, 3]), (6, 3, [3, 3]), (3, 2000, [3]), (7, 0, [7]), (2, 1, [1, 1])],
)
def test_a_corpus_is_cut_into_as_few_and_as_even_shards_as_can_be(documents: int, most: int, sizes: list[int]) -> None:
    cut = shard_rows(documents, most)
    assert [len(rows) for rows in cut] == sizes
    assert [row for rows in cut for row in rows] == list(range(documents))


def test_more_than_a_thousand_shards_are_refused_with_what_would_do() -> None:
    with pytest.raises(InvalidInput, match=r"max_chunks_per_shard is 1; .* give 3 or more, or 0"):
        shard_rows(2001, 1)
