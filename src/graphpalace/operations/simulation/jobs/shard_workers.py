"""Who makes the steps of background jobs: processes of this machine."""

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

from graphpalace.errors import JobFailed
from graphpalace.operations.simulation.jobs.shard import Shard, SliceResult, make_slice

_SHARD, _STATE, _OUTCOME = "shard", "state", "outcome"


class Workers(Protocol):
    """Makes slices of shards somewhere else, several at once."""

    async def ready(self) -> int:
        """Be sure that they can be reached, and return how many slices they make at once.

        Raises:
            JobFailed: If they cannot be reached.
        """
        ...

    async def place(self, shard: Shard) -> Any:
        """Put a shard where all workers reach it, and return what it is called there."""
        ...

    async def make_slice(self, placed: Any, state: bytes, clock_s: float) -> SliceResult:
        """Make a slice of a shard that was placed; its slices are made one after the other.

        Raises:
            JobFailed: If the worker died twice; what the slice itself raises is passed on.
        """
        ...

    async def remove(self, placed: Any) -> None:
        """Take a shard away again."""
        ...

    async def close(self) -> None:
        """Let all workers go."""
        ...


class ProcessWorkers:
    """Processes that start with the first slice; shards, states and outcomes are files.

    Only names, and what a slice raises, go through the pipes that the processes share: so little is written whole or
    not at all, while a process killed in the midst of a large message leaves everybody waiting for the rest.
    """

    def __init__(self, count: int = 0) -> None:
        """Wire it.

        Args:
            count: Processes; 0: one a core.
        """
        self._count = count or os.cpu_count() or 1
        self._pool: ProcessPoolExecutor | None = None
        self._folder: TemporaryDirectory[str] | None = None

    async def ready(self) -> int:
        """Return the number of processes."""
        return self._count

    async def place(self, shard: Shard) -> Path:
        """Write a shard into a folder of its own that only this user can read."""
        self._folder = self._folder or TemporaryDirectory(prefix="graphpalace-jobs-")
        placed = Path(self._folder.name) / uuid4().hex
        await asyncio.to_thread(placed.mkdir)
        await asyncio.to_thread(_write, placed / _SHARD, shard)
        return placed

    async def make_slice(self, placed: Path, state: bytes, clock_s: float) -> SliceResult:
        """Make a slice; if a process died, it is made once more by new ones."""
        await asyncio.to_thread((placed / _STATE).write_bytes, state)
        for _ in range(2):
            pool = self._pool = self._pool or self._new_pool()
            try:
                await asyncio.get_running_loop().run_in_executor(pool, _work, placed, clock_s)
                return await asyncio.to_thread(_read, placed / _OUTCOME)
            except BrokenProcessPool:
                if self._pool is pool:  # else another slice has renewed it
                    self._pool = None
                    pool.shutdown(wait=False)
        raise JobFailed(
            "a worker process died twice; if it was for memory, give a smaller max_chunks_per_shard or num_agents, "
            "or fewer [simulation] job_workers"
        )

    async def remove(self, placed: Path) -> None:
        """Remove its folder."""
        await asyncio.to_thread(shutil.rmtree, placed, ignore_errors=True)

    async def close(self) -> None:
        """Let the processes go once their slices are made."""
        if self._pool:
            pool, self._pool = self._pool, None
            await asyncio.to_thread(pool.shutdown, cancel_futures=True)
        if self._folder:
            folder, self._folder = self._folder, None
            await asyncio.to_thread(folder.cleanup)

    def _new_pool(self) -> ProcessPoolExecutor:
        # Not forked: a copy of a process with threads, such as those of torch and the driver, may hang.
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
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the service, which then lets its workers go
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)  # a killed service tells nobody


def one_thread() -> None:
    """Let torch use one thread: there is a worker for each core, and so all of them compute the same."""
    import torch

    torch.set_num_threads(1)


def _work(placed: Path, clock_s: float) -> None:
    shard: Shard = _read(placed / _SHARD)
    _write(placed / _OUTCOME, make_slice(shard, (placed / _STATE).read_bytes(), clock_s))
