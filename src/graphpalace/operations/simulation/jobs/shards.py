"""Simulate a shard, which is a part of a job's corpus, in slices of steps, in processes of this machine."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import pickle
import shutil
import signal
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol
from uuid import uuid4

import numpy as np
from threadpoolctl import threadpool_limits

from graphpalace.domain.simulation.simulation_settings import SimulationSettings
from graphpalace.domain.vectors import Matrix, Vector
from graphpalace.errors import InvalidInput, JobFailed
from graphpalace.operations.simulation.session import RankedRows, SwarmSession, Target

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


_SHARD, _STATE, _OUTCOME = "shard", "state", "outcome"


class Workers(Protocol):
    """Runs slices of shards elsewhere, several at a time."""

    async def ready(self) -> int:
        """Connect to the workers if needed, and return how many slices they run at a time.

        Raises:
            JobFailed: If the workers cannot be reached.
        """
        ...

    async def place(self, shard: Shard) -> Any:
        """Put a shard where all workers can read it, and return a reference to it."""
        ...

    async def make_slice(self, placed: Any, state: bytes, clock_s: float) -> SliceResult:
        """Run the next slice of a placed shard. A shard has one slice at a time.

        Raises:
            JobFailed: If workers died repeatedly. Errors of the slice itself are raised as they are.
        """
        ...

    async def remove(self, placed: Any) -> None:
        """Remove a placed shard."""
        ...

    async def close(self) -> None:
        """Release all workers."""
        ...


class ProcessWorkers:
    """Runs slices in a pool of processes, which start with the first slice.

    Shards, states and results are exchanged as files. The pipes that the processes share carry only paths and errors:
    such short messages are written completely or not at all, whereas a process that is killed in the middle of a long
    message would block all others.
    """

    def __init__(self, count: int = 0) -> None:
        """Create the workers.

        Args:
            count: Number of processes; 0: one for each core.
        """
        self._count = count or os.cpu_count() or 1
        self._pool: ProcessPoolExecutor | None = None
        self._folder: TemporaryDirectory[str] | None = None

    async def ready(self) -> int:
        """Return the number of processes."""
        return self._count

    async def place(self, shard: Shard) -> Path:
        """Write a shard into a new folder that only this user can read."""
        self._folder = self._folder or TemporaryDirectory(prefix="graphpalace-jobs-")
        placed = Path(self._folder.name) / uuid4().hex
        await asyncio.to_thread(placed.mkdir)
        await asyncio.to_thread(_write, placed / _SHARD, shard)
        return placed

    async def make_slice(self, placed: Path, state: bytes, clock_s: float) -> SliceResult:
        """Run a slice. If a process died, the slice is repeated once, by new processes.

        Raises:
            JobFailed: If a process died twice.
        """
        await asyncio.to_thread((placed / _STATE).write_bytes, state)
        for _ in range(2):
            pool = self._pool = self._pool or self._new_pool()
            try:
                await asyncio.get_running_loop().run_in_executor(pool, _work, placed, clock_s)
                return await asyncio.to_thread(_read, placed / _OUTCOME)
            except BrokenProcessPool:
                if self._pool is pool:  # otherwise another slice has replaced it already
                    self._pool = None
                    pool.shutdown(wait=False)
        raise JobFailed(
            "a worker process died twice; if it ran out of memory, give a smaller max_chunks_per_shard or num_agents, "
            "or fewer [simulation] job_workers"
        )

    async def remove(self, placed: Path) -> None:
        """Delete the folder of a shard."""
        await asyncio.to_thread(shutil.rmtree, placed, ignore_errors=True)

    async def close(self) -> None:
        """Stop the processes after their current slices, and delete all files."""
        if self._pool:
            pool, self._pool = self._pool, None
            await asyncio.to_thread(pool.shutdown, cancel_futures=True)
        if self._folder:
            folder, self._folder = self._folder, None
            await asyncio.to_thread(folder.cleanup)

    def _new_pool(self) -> ProcessPoolExecutor:
        # Not fork: a forked copy of a process with threads, here those of the driver, may hang.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._count, mp_context=context, initializer=_begin)


def _write(path: Path, content: Any) -> None:
    with path.open("wb") as file:
        pickle.dump(content, file, protocol=pickle.HIGHEST_PROTOCOL)


def _read(path: Path) -> Any:
    with path.open("rb") as file:
        return pickle.load(file)  # noqa: S301  what this process has written


def _begin() -> None:
    """Prepare a worker process."""
    one_thread()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the service handles Ctrl-C and stops its workers itself
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)  # a service that is killed cannot stop its workers


def one_thread() -> None:
    """Multiply matrices with one thread, as there is one worker for each core. This also keeps results reproducible."""
    threadpool_limits(1, "blas")


def _work(placed: Path, clock_s: float) -> None:
    shard: Shard = _read(placed / _SHARD)
    _write(placed / _OUTCOME, make_slice(shard, (placed / _STATE).read_bytes(), clock_s))
