"""Background jobs: simulations over shards of a corpus. They are stored, so that any service can continue them."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from uuid import uuid4

import structlog

from graphpalace.domain.simulation.jobs import StoredJob
from graphpalace.domain.simulation.simulation_settings import SimulationSettings, checked_settings
from graphpalace.errors import Conflict, DatabaseUnavailable, GraphPalaceError, InvalidInput, NotFound
from graphpalace.operations.simulation.corpus import CorpusChoice, check_palace_trails
from graphpalace.operations.simulation.corpus_loader import CorpusLoader
from graphpalace.operations.simulation.jobs.execution import JobExecution, JobInput, JobLost
from graphpalace.operations.simulation.jobs.shards import Workers, shard_rows
from graphpalace.operations.simulation.palace_trails import PalaceTrails
from graphpalace.operations.simulation.simulation_store import SimulationStore, simulation_name
from graphpalace.operations.simulation.subscribers import Subscribers
from graphpalace.store.connection.database import Database
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.store.simulation.jobs import StoredJobs
from graphpalace.telemetry import metrics
from graphpalace.telemetry.work_ids import background, background_task

_LOG = structlog.get_logger("graphpalace.jobs")
_AT_ONCE = 4  # jobs that run at a time, as each has its corpus in memory; others wait in the queue
_MOST_KEPT = 100
_BEAT_S, _STALE_S = 5.0, 30.0


class Jobs:
    """Starts, lists, cancels and resumes background jobs."""

    def __init__(
        self,
        database: Database,
        store: SimulationStore,
        corpora: CorpusLoader,
        trails: PalaceTrails,
        workers: Workers,
        *,
        audience: Callable[[str], Subscribers],
        stale_s: float = _STALE_S,
    ) -> None:
        """Set up jobs.

        Args:
            audience: Returns the subscribers of a simulation, who receive the progress of its jobs.
            stale_s: Seconds after which another service may take over a job that was not renewed.
        """
        self._palaces = PalaceStore(database)
        self._stored = StoredJobs(database)
        self._store = store
        self._corpora = corpora
        self._trails = trails
        self._workers = workers
        self._audience = audience
        self._stale_s = stale_s
        self._owner = uuid4().hex
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._working: dict[str, tuple[StoredJob, asyncio.Task[None]]] = {}
        self._beat: asyncio.Task[None] | None = None

    @property
    def busy(self) -> bool:
        """Whether this process works on a job, or has one that waits for its turn."""
        return bool(self._working)

    @property
    def under_way(self) -> int:
        """How many jobs this process works on, or has waiting for their turn."""
        return len(self._working)

    async def start(self, name: str, given: Mapping[str, Any], choice: Mapping[str, Any] | None = None) -> str:
        """Queue a job and return its id.

        Args:
            name: Name of a simulation. Its settings and corpus are the defaults, and its subscribers receive the
                progress.
            given: Settings that differ from those of the simulation.
            choice: palace, wing, room, drawers or root; None: the corpus of the simulation, or else the whole palace.

        Raises:
            InvalidInput: If a setting or the choice is invalid, or the corpus is empty.
            NotFound: If the palace, or anything else that is named, does not exist.
        """
        kept = await self._store.get(simulation_name(name))
        settings, _ = self._store.settings(kept, given)
        chosen = self._store.choice(kept, choice)
        _check(settings, chosen)
        documents = await self._corpora.check(chosen, settings)
        shard_rows(documents or 0, settings.max_chunks_per_shard)
        job = StoredJob(
            id=f"job-{secrets.token_hex(6)}",
            palace=chosen.palace,
            simulation=name,
            owner=self._owner,
            query=settings.query,
            seed=secrets.randbits(31) if settings.seed is None else settings.seed,
            settings=settings.model_dump(),
            corpus=chosen.as_json(),
        )
        if not await self._stored.create(job.palace, job, most_kept=_MOST_KEPT):
            raise NotFound(f"there is no palace {chosen.palace!r}", palace=chosen.palace)
        self._begin(job)
        return job.id

    async def status(self, job: str) -> StoredJob:
        """Return a job with its progress and its results so far.

        Raises:
            NotFound: If the job does not exist.
        """
        kept = await self._stored.get(job)
        if kept is None:
            raise NotFound(f"there is no job {job!r}; jobs are deleted together with their palace", job=job)
        return kept

    async def every(self, palace: str) -> list[StoredJob]:
        """Return the jobs of a palace, newest first.

        Raises:
            NotFound: If the palace does not exist.
        """
        await self._palaces.get(palace)
        return await self._stored.of_palace(palace)

    async def cancel(self, job: str) -> None:
        """Cancel a job that is queued or running, in any service. Its results so far are kept.

        Raises:
            NotFound: If the job does not exist.
            Conflict: If the job is done or has failed.
        """
        if not await self._stored.update(job, status="cancelled"):
            status = (await self.status(job)).status
            if status != "cancelled":
                raise Conflict(f"job {job!r} is {status}; only a queued or running job can be cancelled", job=job)
        kept = await self.status(job)
        if job in self._working:
            self._working[job][1].cancel()
            metrics.JOBS_ENDED.labels("cancelled").inc()
        self._tell(kept)

    async def resume_unfinished(self) -> list[str]:
        """Continue the jobs that no service works on, and return their ids."""
        taken = []
        for job in await self._stored.unfinished(stale_s=self._stale_s):
            if job in self._working:
                continue
            kept = await self._stored.take(job, owner=self._owner, stale_s=self._stale_s)
            if kept is not None:
                _LOG.info("job_resumed", job=job, progress=kept.progress)
                self._begin(kept)
                taken.append(job)
        return taken

    def forget(self, palace: str) -> None:
        """Stop working on the jobs of a palace that is dropped."""
        for job, task in list(self._working.values()):
            if job.palace == palace:
                task.cancel()
                self._tell(replace(job, status="failed", error=f"palace {palace!r} was dropped"))

    async def close(self) -> None:
        """Stop working. Unfinished jobs can be continued by another service at once."""
        jobs = list(self._working)
        tasks = [task for _, task in self._working.values()] + ([self._beat] if self._beat else [])
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if jobs:
            with contextlib.suppress(GraphPalaceError):  # otherwise they can be taken over once they are stale
                await self._stored.renew(jobs, owner=self._owner, given_up=True)
        await self._workers.close()

    def _begin(self, job: StoredJob) -> None:
        task = background_task("job", self._work(job), work_id=job.id)
        self._working[job.id] = (job, task)
        task.add_done_callback(lambda _: self._working.pop(job.id, None))
        if self._beat is None:
            self._beat = background_task("jobs", self._renew())

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(_BEAT_S)
            if self._working:
                try:
                    await self._stored.renew(list(self._working), owner=self._owner)
                except GraphPalaceError as error:
                    _LOG.warning("jobs_not_renewed", reason=error.message)

    async def _work(self, job: StoredJob) -> None:
        """Run a job until it is done or failed, or this service lost it."""
        try:
            async with self._turns:
                with background("job", work_id=job.id):
                    await self._end(await self._execute(job), status="done", progress=1.0)
        except JobLost:
            _LOG.info("job_lost", job=job.id)
        except DatabaseUnavailable as error:
            _LOG.warning("job_interrupted", job=job.id, reason=error.message)  # it becomes stale and is resumed later
        except Exception as error:
            message = error.message if isinstance(error, GraphPalaceError) else repr(error)
            _LOG.warning("job_failed", job=job.id, reason=message, exc_info=not isinstance(error, GraphPalaceError))
            with contextlib.suppress(DatabaseUnavailable, JobLost):
                await self._end(job, status="failed", error=message)

    async def _execute(self, job: StoredJob) -> StoredJob:
        if not await self._stored.update(job.id, owner=self._owner, status="running"):
            raise JobLost
        job = replace(job, owner=self._owner, status="running")
        self._tell(job)
        # Jobs that were stored before presets existed use the values of the preset `seed`.
        settings, choice = checked_settings({"preset": "seed"} | job.settings), CorpusChoice.from_json(job.corpus)
        ground = await self._ground(job, settings, choice)
        return await JobExecution(self._stored, self._workers, ground, job, self._tell_progress).finish()

    async def _ground(self, job: StoredJob, settings: SimulationSettings, choice: CorpusChoice) -> JobInput:
        def embedding(done: int, of: int) -> None:
            self._audience(job.simulation).log("info", f"{job.id}: {done} of {of} windows are embedded")

        corpus = await self._corpora.load(choice, settings, embedding)
        query = settings.query.strip()
        return JobInput(
            corpus,
            settings,
            job.seed,
            query=await self._corpora.embedded(query, corpus.palace) if query else corpus.vectors.mean(axis=0),
            keywords=await corpus.keywords(settings.kw_terms),
            trails=await self._trails.strengths(choice.palace, corpus.ids) if settings.warm_start else [],
        )

    async def _end(self, job: StoredJob, **properties: Any) -> None:
        if not await self._stored.update(job.id, owner=self._owner, **properties):
            raise JobLost
        metrics.JOBS_ENDED.labels(properties["status"]).inc()
        self._tell(await self.status(job.id))

    def _tell_progress(self, job: StoredJob) -> None:
        """Tell the progress of a job, unless it was cancelled or dropped meanwhile: its end is told already."""
        working = self._working.get(job.id)
        if working and not working[1].cancelling():
            self._tell(job)

    def _tell(self, job: StoredJob) -> None:
        data = {"job_id": job.id, "status": job.status, "progress": job.progress, "results": job.results}
        self._audience(job.simulation).tell("job_progress", data, kind=f"job {job.id}")


def _check(settings: SimulationSettings, choice: CorpusChoice) -> None:
    """Raise `InvalidInput` if settings ask for what a job cannot do."""
    if settings.deposit:
        raise InvalidInput(
            "deposit is true, but a job deposits nothing: give false, or start a live simulation", field="deposit"
        )
    check_palace_trails(settings, folder=choice.root is not None)
