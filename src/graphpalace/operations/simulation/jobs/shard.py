"""Simulate a shard, which is a part of a job's corpus, in slices of steps that can run in other processes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphpalace.domain.simulation.simulation_settings import SimulationSettings
from graphpalace.domain.vectors import Matrix, Vector
from graphpalace.errors import InvalidInput
from graphpalace.operations.simulation.live.session import RankedRows, SwarmSession, Target

SLICE_STEPS, SLICE_S = 25, 2.0
_MOST_SHARDS = 1000


@dataclass(frozen=True, eq=False)
class Shard:
    """The input of a shard, which is the same for all of its slices.

    Attributes:
        ids: Ids of the documents, in the order of the rows.
        vectors: Embeddings of the documents, documents x dim, of length one.
        keywords: Share of the keywords in each document, 0 to 1.
        query: Vector at which the agents start.
        trails: Trails to start with, as the rows of two documents and a strength.
    """

    ids: Sequence[str]
    vectors: Matrix
    keywords: np.ndarray
    query: Vector
    settings: SimulationSettings
    seed: int
    trails: Sequence[tuple[int, int, float]] = ()


@dataclass(frozen=True, eq=False)
class SliceResult:
    """The result of a slice.

    Attributes:
        state: Complete state of the simulation, from which the next slice continues.
        step: Number of steps so far.
        over: Why the simulation is over: `trails`, `relevance` or `max_iterations`; None if steps are left.
        best: The best `top_k` rows of the shard.
    """

    state: bytes
    step: int
    over: str | None
    best: RankedRows


def make_slice(
    shard: Shard, state: bytes, clock_s: float, *, steps: int = SLICE_STEPS, seconds: float = SLICE_S
) -> SliceResult:
    """Run the next steps of a shard. The result of a deterministic simulation does not depend on the slices.

    Args:
        state: State after the previous slice; b"" for the first one.
        clock_s: Seconds since the shard began, by the wall clock. They determine which visits are recent, unless the
            simulation is deterministic.
        steps, seconds: Limits of the slice. At least one step is made.
    """
    started = time.monotonic()
    course = SwarmSession(shard, shard.settings, Target(shard.query, shard.keywords))
    if state:
        course.restore(state)
    else:
        course.spawn(seed=shard.seed, trails=shard.trails)
    last = course.swarm.step + steps
    while course.over is None and course.swarm.step < last:
        ran = clock_s + time.monotonic() - started
        course.step(now=float(course.swarm.step + 1) if shard.settings.deterministic else ran)
        if time.monotonic() - started > seconds:
            break
    return SliceResult(
        course.stored(),
        course.swarm.step,
        course.over,
        course.best(shard.settings.top_k),
    )


def shard_rows(documents: int, most_in_one: int) -> list[range]:
    """Return the rows of each shard: as few shards as possible, of about equal size, in the order of the corpus.

    Args:
        most_in_one: `max_chunks_per_shard`, the largest size of a shard; 0: one shard.

    Raises:
        InvalidInput: If there would be more than 1000 shards.

    >>> shard_rows(7, 3)
    [range(0, 2), range(2, 4), range(4, 7)]
    """
    count = -(-documents // most_in_one) if most_in_one else 1
    if count > _MOST_SHARDS:
        raise InvalidInput(
            f"max_chunks_per_shard is {most_in_one}; {documents} documents would be {count} shards, but at most "
            f"{_MOST_SHARDS} are allowed: give {-(-documents // _MOST_SHARDS)} or more, or 0 for one shard",
            field="max_chunks_per_shard",
            value=most_in_one,
        )
    return [range(documents * at // count, documents * (at + 1) // count) for at in range(count)]
