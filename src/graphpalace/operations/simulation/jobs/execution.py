"""Run the shards of one background job in parallel, and store and report each slice of steps."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from graphpalace.domain.simulation.jobs import StoredJob
from graphpalace.domain.simulation.simulation_settings import SimulationSettings
from graphpalace.domain.simulation.simulations import Finding
from graphpalace.errors import DatabaseUnavailable, GraphPalaceError, JobFailed
from graphpalace.operations.simulation.corpus import Corpus
from graphpalace.operations.simulation.jobs.shards import Shard, SliceResult, Workers, shard_rows
from graphpalace.store.simulation.jobs import StoredJobs


class JobLost(Exception):
    """The job was cancelled, dropped with its palace, or taken over by another service."""


@dataclass(frozen=True, eq=False)
class JobInput:
    """The input of a job: its corpus and its target.

    Attributes:
        seed: Random seed of the first shard. Each further shard has the next number.
        query: Vector at which the agents start.
        keywords: Share of the keywords in each document.
        trails: Trails to start with, as the rows of two documents and a strength.
    """

    corpus: Corpus
    settings: SimulationSettings
    seed: int
    query: np.ndarray
    keywords: np.ndarray
    trails: Sequence[tuple[int, int, float]]


class JobExecution:
    """Runs the shards of a job to their end, starting from their stored state."""

    def __init__(
        self, stored: StoredJobs, workers: Workers, ground: JobInput, job: StoredJob, tell: Callable[[StoredJob], None]
    ) -> None:
        """Divide the corpus into shards.

        Args:
            job: The stored job. If the corpus has another number of shards now, the job starts again.
            tell: Called with the job after each stored slice.

        Raises:
            InvalidInput: If there are more than 1000 shards.
        """
        self.job = job
        self._stored = stored
        self._workers = workers
        self._ground = ground
        self._tell = tell
        self._rows = shard_rows(len(ground.corpus.ids), ground.settings.max_chunks_per_shard)
        fresh = [{"documents": len(rows), "step": 0, "over": None} for rows in self._rows]
        resumed = len(job.shards) == len(fresh)
        self._shards: list[dict[str, Any]] = fresh
        if resumed:
            self._shards = [
                shard | {"documents": len(rows)} for shard, rows in zip(job.shards, self._rows, strict=True)
            ]
        # By shard and row of the corpus: score, similarity, visits, share of keywords.
        self._best: list[dict[int, tuple[float, float, int, float]]] = [{} for _ in self._rows]
        if resumed:  # show the stored results until the shards have new ones
            row_of = {document: row for row, document in enumerate(ground.corpus.ids)}
            for found in job.results:
                if (row := row_of.get(found["id"])) is not None:
                    shard = next(at for at, rows in enumerate(self._rows) if row in rows)
                    facts = (found["score"], found["similarity"], found["visits"], found["keywords"])
                    self._best[shard][row] = facts
        self._turn = asyncio.Lock()

    async def finish(self) -> StoredJob:
        """Run all shards, with as many at a time as the workers allow; return the job with its results.

        Raises:
            JobFailed: If a shard fails; the others are cancelled then.
            JobLost: If the job was cancelled, dropped or taken over.
        """
        waiting = iter(range(len(self._rows)))

        async def lane() -> None:
            for shard in waiting:
                await self._shard(shard)

        # One more lane than workers, so that no worker is idle while a slice is stored.
        lanes = min(len(self._rows), await self._workers.ready() + 1)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(lanes):
                    group.create_task(lane())
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from None
        return self.job

    async def _shard(self, number: int) -> None:
        # A state that is stored for a shard without steps is outdated: the job has started again.
        began = self._shards[number]["step"]
        state = await self._stored.shard(self.job.id, number) if began else b""
        placed = None
        try:
            placed = await self._workers.place(self._cut(number))
            over = None
            began_at = self._shards[number].setdefault(
                "began_at", time.time() - self._shards[number].get("clock_s", 0.0)
            )
            while over is None:
                outcome = await self._workers.make_slice(placed, state, time.time() - began_at)
                state, over = outcome.state, outcome.over
                await self._keep(number, outcome)
        except (JobLost, DatabaseUnavailable):
            raise
        except Exception as error:
            message = error.message if isinstance(error, GraphPalaceError) else repr(error)
            step = self._shards[number]["step"]
            raise JobFailed(f"shard {number + 1} of {len(self._rows)}, after step {step}: {message}") from error
        finally:
            if placed is not None:
                await self._workers.remove(placed)

    def _cut(self, number: int) -> Shard:
        rows, ground = self._rows[number], self._ground
        part = slice(rows.start, rows.stop)
        return Shard(
            list(ground.corpus.ids[part]),
            np.ascontiguousarray(ground.corpus.vectors[part]),
            ground.keywords[part],
            ground.query,
            ground.settings,
            ground.seed + number,
            [(a - rows.start, b - rows.start, strength) for a, b, strength in ground.trails if a in rows and b in rows],
        )

    async def _keep(self, number: int, outcome: SliceResult) -> None:
        """Store and report the progress of a shard and of the job."""
        async with self._turn:
            first, best = self._rows[number].start, outcome.best
            columns = zip(best.scores, best.similarities, best.visits, best.keywords, strict=True)
            self._best[number] = {first + row: facts for row, facts in zip(best.rows, columns, strict=True)}
            self._shards[number] |= {"step": outcome.step, "over": outcome.over}
            job = replace(self.job, progress=self._progress(), shards=list(self._shards), results=await self._results())
            kept = await self._stored.keep_shard(
                job.id,
                number,
                owner=job.owner,
                state=outcome.state,
                progress=job.progress,
                shards=job.shards,
                results=job.results,
            )
            if not kept:
                raise JobLost
            self.job = job
            self._tell(job)

    def _progress(self) -> float:
        most = self._ground.settings.max_iterations
        return sum(1.0 if shard["over"] else shard["step"] / most for shard in self._shards) / len(self._shards)

    async def _results(self) -> list[dict[str, Any]]:
        """Return the best documents of all shards, with the higher score first, then by id."""
        ids = self._ground.corpus.ids
        found = [(row, facts) for best in self._best for row, facts in best.items()]
        found.sort(key=lambda one: (-one[1][0], ids[one[0]]))
        found = found[: self._ground.settings.top_k]
        documents = await self._ground.corpus.documents([row for row, _ in found])
        return [Finding(document, *facts).as_json() for document, (_row, facts) in zip(documents, found, strict=True)]
