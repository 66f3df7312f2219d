"""The simulations in memory: those that load or run, and those that rest until others need their place."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from graphpalace.domain.deadline import without_deadline
from graphpalace.domain.simulation.kept_simulation import StoredSimulation
from graphpalace.domain.simulation.simulation_requests import LoadingProgress, Stage
from graphpalace.domain.simulation.simulation_settings import SimulationSettings
from graphpalace.errors import Conflict, NotFound
from graphpalace.operations.simulation.corpus import Corpus, CorpusChoice
from graphpalace.operations.simulation.corpus_loader import CorpusLoader
from graphpalace.operations.simulation.live_simulation import LiveSimulation
from graphpalace.operations.simulation.reports.reports import ReportWriter
from graphpalace.operations.simulation.session import SwarmSession, Target
from graphpalace.operations.simulation.simulation_store import SimulationStore, held_by_another, simulation_name
from graphpalace.operations.simulation.subscribers import Subscribers


class CorpusLoading:
    """A simulation that is being started. Loading continues if the client that requested it disconnects.

    Attributes:
        seed: Random seed of the simulation.
        paced: Whether the simulation will respect `max_steps_per_s`.
        changes: Settings that were changed meanwhile; they apply from the first step on.
        paused: Whether the simulation is to be paused when it is loaded.
    """

    def __init__(
        self,
        name: str,
        settings: SimulationSettings,
        choice: CorpusChoice,
        *,
        seed: int,
        paced: bool,
        tell: Callable[[LoadingProgress], None],
    ) -> None:
        self.name = name
        self.settings = settings
        self.choice = choice
        self.seed = seed
        self.paced = paced
        self.progress = LoadingProgress("reading", 0, 0)
        self.changes: dict[str, Any] = {}
        self.paused = False
        self._tell = tell
        self._task: asyncio.Task[LiveSimulation] | None = None

    def advance(self, stage: Stage, done: int = 0, of: int = 0) -> None:
        """Report progress."""
        self.progress = LoadingProgress(stage, done, of)
        self._tell(self.progress)

    def begin(self, work: Coroutine[Any, Any, LiveSimulation]) -> None:
        """Load in the background. `work` must store its own failure, as perhaps nobody waits for it."""
        self._task = without_deadline(work)
        self._task.add_done_callback(lambda task: task.cancelled() or task.exception())

    def cancel(self) -> None:
        """Cancel loading. A batch that is being embedded is still computed to its end, without being waited for."""
        if self._task is not None:
            self._task.cancel()

    async def loaded(self) -> LiveSimulation:
        """Wait until the simulation is loaded and return it.

        Raises:
            Conflict: If it was stopped while it was loading.
            GraphPalaceError: If it cannot be loaded.
        """
        assert self._task is not None
        await asyncio.wait({self._task})
        if self._task.cancelled():
            raise Conflict(f"simulation {self.name!r} was stopped while it was loading", simulation=self.name)
        return self._task.result()


class LiveSimulations:
    """The simulations of this process by name. Stored simulations are loaded when they are needed.

    Attributes:
        loading: The simulations whose corpus is being read.
        given_up: Names of the simulations that do not load any more, while that is being stored.
    """

    def __init__(
        self,
        store: SimulationStore,
        corpora: CorpusLoader,
        reports: ReportWriter,
        *,
        max_live: int,
        frames_per_s: float,
        device: str,
    ) -> None:
        """Create an empty set of simulations.

        Args:
            max_live: Largest number of simulations in memory. Those that do not run make room for others.
            frames_per_s: Largest number of pictures per second.
            device: Torch device for the steps, such as `cpu`.
        """
        self._store = store
        self._corpora = corpora
        self._reports = reports
        self._max_live = max_live
        self._frames_per_s = frames_per_s
        self._device = device
        self.loading: dict[str, CorpusLoading] = {}
        self.given_up: set[str] = set()
        self._reserved: set[str] = set()
        self._live: dict[str, LiveSimulation] = {}
        self._copy: tuple[tuple[Any, ...], LiveSimulation] | None = None
        self._audiences: dict[str, Subscribers] = {}
        self._waking: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._workers = ThreadPoolExecutor(max_live, thread_name_prefix="simulation")

    def get(self, name: str) -> LiveSimulation | None:
        """Return the simulation of a name if it is in memory."""
        return self._live.get(name)

    def current(self, kept: StoredSimulation) -> LiveSimulation | None:
        """Return the simulation if it is in memory, but drop it if another service has become its owner."""
        live = self._live.get(kept.name)
        if live is not None and kept.owner != self._store.service.id:
            self.lose(kept.name)
            return None
        return live

    def runs(self, kept: StoredSimulation) -> bool:
        """Return whether a simulation loads or runs here."""
        live = self.current(kept)
        return kept.name in self.loading or (live is not None and live.state == "running")

    @property
    def held(self) -> dict[str, LiveSimulation]:
        """The simulations that run or are paused here, which no other service may take."""
        return {name: live for name, live in self._live.items() if live.held}

    @property
    def ending(self) -> set[str]:
        """Names of the simulations that are no longer held, but whose end is still being stored."""
        return self.given_up | {name for name, live in self._live.items() if not (live.held or live.rests)}

    def audience(self, name: str) -> Subscribers:
        """Return the subscribers of a simulation, which need not exist yet."""
        return self._audiences.setdefault(simulation_name(name), Subscribers(name))

    @property
    def watched(self) -> dict[str, Subscribers]:
        """The subscribers of each simulation that has any, by name."""
        return {name: audience for name, audience in self._audiences.items() if len(audience)}

    def put(self, name: str, corpus: Corpus, course: SwarmSession, *, seed: int, paced: bool = True) -> LiveSimulation:
        """Add a simulation, replacing another of the same name."""
        self._live[name] = live = self._made(name, corpus, course, seed=seed, paced=paced)
        return live

    async def awake(self, name: str) -> LiveSimulation:
        """Return a simulation, loading it into memory and becoming its owner if needed. A loaded one does not run.

        Raises:
            NotFound: If no simulation of that name is stored.
            Conflict: If it has not been started, another service holds it, or too many simulations run.
        """
        async with self._waking[simulation_name(name)]:
            kept = await self._store.there(name)
            return self.current(kept) or await self._woken(kept)

    async def readable(self, name: str) -> LiveSimulation:
        """Return a simulation for reading.

        If another service holds it, this is a copy of its last checkpoint, which must not be run.

        Raises:
            NotFound, Conflict: As `awake`, but not if another service holds it.
        """
        kept = await self._store.there(simulation_name(name))
        if not kept.held_elsewhere(self._store.service):
            return await self.awake(name)
        checkpoint = (name, kept.corpus, kept.seed, kept.results)
        async with self._waking[name]:
            if self._copy is None or self._copy[0] != checkpoint:
                self._copy = (checkpoint, await self._restored(kept))
            return self._copy[1]

    async def target(self, corpus: Corpus, settings: SimulationSettings) -> Target:
        """Return the target of the agents: the embedded question and the shares of keywords."""
        query = settings.query.strip()
        vector: np.ndarray | None = await self._corpora.embedded(query, corpus.palace) if query else None
        return Target(vector, await corpus.keywords(settings.kw_terms))

    async def course(self, corpus: Corpus, settings: SimulationSettings) -> SwarmSession:
        """Create the session of a new simulation, without agents yet."""
        target = await self.target(corpus, settings)
        return await asyncio.to_thread(SwarmSession, corpus, settings, target, device=self._device)

    def make_room(self, name: str) -> None:
        """Drop another simulation that does not run, if `max_live` are in memory.

        Raises:
            Conflict: If all of them run.
        """
        others = {*self._live, *self.loading, *self._reserved} - {name}
        if len(others) < self._max_live:
            return
        resting = next((other for other, live in self._live.items() if other != name and live.rests), None)
        if resting is None:
            raise Conflict(
                f"{len(others)} simulations run, which is the most ([simulation] max_live): stop one of "
                f"{', '.join(sorted(others))}",
                running=sorted(others),
            )
        del self._live[resting]

    @contextmanager
    def reserved(self, name: str) -> Iterator[None]:
        """Reserve a place for a simulation that is about to load.

        Raises:
            Conflict: If `max_live` others run.
        """
        self.make_room(name)
        self._reserved.add(name)
        try:
            yield
        finally:
            self._reserved.discard(name)

    def lose(self, name: str) -> None:
        """Drop a simulation that was deleted, started again or taken over by another service, without storing it."""
        if loading := self.loading.pop(name, None):
            loading.cancel()
        if live := self._live.pop(name, None):
            live.let_go()

    def forget(self, palace: str) -> None:
        """Drop the simulations of a palace that is dropped."""
        for name, loading in list(self.loading.items()):
            if loading.choice.palace == palace:
                self.lose(name)
        for name, live in list(self._live.items()):
            if live.corpus.palace == palace:  # a simulation over a folder is dropped at the next heartbeat
                self.lose(name)

    async def drop_deleted(self) -> None:
        """Drop the simulations from memory that are no longer stored, or that another service owns."""
        self._copy = None
        for name in list(self._live):
            try:
                self.current(await self._store.there(name))
            except NotFound:
                self.lose(name)

    async def close(self) -> None:
        """Cancel simulations that load, and pause and store those that run."""
        for loading in self.loading.values():
            loading.cancel()
        for live in list(self._live.values()):
            if live.state == "running":
                await live.halt("paused")
            await live.ended()
            live.let_go()
        self._workers.shutdown(wait=False, cancel_futures=True)

    async def _woken(self, kept: StoredSimulation) -> LiveSimulation:
        if kept.held_elsewhere(self._store.service):
            raise held_by_another(kept.name, str(kept.owner_name))
        self.make_room(kept.name)
        live = await self._restored(kept)
        self.make_room(kept.name)  # again, because others may have started meanwhile
        if replace(await self._store.there(kept.name), held=False) != replace(kept, held=False):
            raise Conflict(f"simulation {kept.name!r} changed while it was read: try again", simulation=kept.name)
        await self._store.claim(replace(kept, state=live.state), hold=live.held)
        self._live[kept.name] = live
        return live

    async def _restored(self, kept: StoredSimulation) -> LiveSimulation:
        state = await self._store.state(kept.name)
        if kept.corpus is None or not state:
            raise Conflict(f"simulation {kept.name!r} has not been started", simulation=kept.name)
        own = {"preset": kept.preset} if kept.preset else {}
        settings = self._store.settings(replace(kept, settings=own | kept.settings))[0]
        corpus = await self._corpora.load(CorpusChoice.from_json(kept.corpus), settings)
        course = await self.course(corpus, settings)
        await asyncio.to_thread(course.restore, state)
        course.change(settings)  # the number of agents may have changed while it was not in memory
        live = self._made(kept.name, corpus, course, seed=kept.seed or 0)
        live.stopped_by, live.error = kept.stopped_by, kept.error
        if kept.began_at is not None:
            live.began_at = kept.began_at
        live.state = "stopped" if kept.state == "stopped" else "failed" if kept.state == "failed" else "paused"
        return live

    def _made(
        self, name: str, corpus: Corpus, course: SwarmSession, *, seed: int, paced: bool = True
    ) -> LiveSimulation:
        async def keep(live: LiveSimulation, view: list[bytes]) -> None:
            if self._live.get(name) is not live:  # a new simulation has started under this name
                return
            try:
                await self._store.keep(name, live, view)
            except Conflict:
                if self._live.get(name) is live:  # otherwise it was given up meanwhile, and nobody misses its end
                    raise

        return LiveSimulation(
            corpus,
            course,
            self.audience(name),
            self._reports,
            self._workers,
            seed=seed,
            paced=paced,
            frames_per_s=self._frames_per_s,
            keep=keep,
        )
