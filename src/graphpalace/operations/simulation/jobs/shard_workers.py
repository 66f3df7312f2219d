"""Run the steps of background jobs in processes of this machine."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import pickle
import shutil
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol
from uuid import uuid4

from threadpoolctl import threadpool_limits

from graphpalace.errors import JobFailed
from graphpalace.operations.simulation.jobs.shard import Shard, SliceResult, make_slice

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
        return pickle.load(file)


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
