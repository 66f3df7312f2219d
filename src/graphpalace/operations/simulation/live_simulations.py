"""Simulations in memory: those that run, and those that rest until others need their room."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from graphpalace.domain.simulation_settings import SimulationSettings
from graphpalace.errors import Conflict
from graphpalace.operations.simulation.audience import Audience
from graphpalace.operations.simulation.corpus import Corpora, Corpus, CorpusChoice
from graphpalace.operations.simulation.course import Course, Target
from graphpalace.operations.simulation.live import LiveSimulation
from graphpalace.operations.simulation.reports import Reports
from graphpalace.operations.simulation.shelf import SimulationShelf, simulation_name


class LiveSimulations:
    """Holds simulations of this process by name, and takes up kept ones."""

    def __init__(
        self,
        shelf: SimulationShelf,
        corpora: Corpora,
        reports: Reports,
        *,
        max_live: int,
        frames_per_s: float,
        device: str,
    ) -> None:
        """Wire it.

        Args:
            max_live: Most simulations in memory; those that do not run make room for others.
        """
        self._shelf = shelf
        self._corpora = corpora
        self._reports = reports
        self._max_live = max_live
        self._frames_per_s = frames_per_s
        self._device = device
        self._live: dict[str, LiveSimulation] = {}
        self._audiences: dict[str, Audience] = {}
        self._waking: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._workers = ThreadPoolExecutor(max_live, thread_name_prefix="simulation")

    def get(self, name: str) -> LiveSimulation | None:
        """Return one that is in memory."""
        return self._live.get(name)

    def audience(self, name: str) -> Audience:
        """Return those who watch a simulation, which need not be there yet."""
        return self._audiences.setdefault(simulation_name(name), Audience(name))

    def put(self, name: str, corpus: Corpus, course: Course, *, seed: int, paced: bool = True) -> LiveSimulation:
        """Take in a simulation, in place of another of its name."""

        async def keep(live: LiveSimulation) -> None:
            if self._live.get(name) is live:  # no other one has begun under its name
                await self._shelf.keep(name, live)

        self._live[name] = live = LiveSimulation(
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
        return live

    async def awake(self, name: str) -> LiveSimulation:
        """Return a simulation in memory; one that is only kept is loaded, and rests.

        Raises:
            NotFound: If there is none of that name.
            Conflict: If it has not been started, or too many simulations run.
        """
        async with self._waking[simulation_name(name)]:
            return self._live.get(name) or await self._woken(name)

    async def target(self, corpus: Corpus, settings: SimulationSettings) -> Target:
        """Return what the agents look for."""
        query = settings.query.strip()
        vector: np.ndarray | None = await self._corpora.embedded(query) if query else None
        return Target(vector, await corpus.keywords(settings.kw_terms))

    async def course(self, corpus: Corpus, settings: SimulationSettings) -> Course:
        """Return the course of a simulation that begins, without agents yet."""
        target = await self.target(corpus, settings)
        return await asyncio.to_thread(Course, corpus, settings, target, device=self._device)

    def make_room(self, name: str) -> None:
        """Let go of another that rests, if there is no room.

        Raises:
            Conflict: If all of them run.
        """
        others = {other: live for other, live in self._live.items() if other != name}
        if len(others) < self._max_live:
            return
        resting = next((other for other, live in others.items() if live.rests), None)
        if resting is None:
            raise Conflict(
                f"{len(others)} simulations run, which is the most ([simulation] max_live): stop one of "
                f"{', '.join(sorted(others))}",
                running=sorted(others),
            )
        del self._live[resting]

    def drop(self, name: str) -> LiveSimulation | None:
        """Take one out of memory and return it, as it is."""
        return self._live.pop(name, None)

    def forget(self, palace: str) -> None:
        """Let go of the simulations of a palace that is dropped."""
        for name, live in list(self._live.items()):
            if live.corpus.palace == palace:
                live.let_go()
                del self._live[name]

    async def close(self) -> None:
        """Pause what runs and keep it."""
        for live in list(self._live.values()):
            if live.state == "running":
                await live.halt("paused")
            live.let_go()
        self._workers.shutdown(wait=False, cancel_futures=True)

    async def _woken(self, name: str) -> LiveSimulation:
        kept = await self._shelf.there(name)
        state = await self._shelf.state(name)
        if kept.corpus is None or not state:
            raise Conflict(f"simulation {name!r} has not been started", simulation=name)
        self.make_room(name)
        settings = self._shelf.settings(kept)[0]
        corpus = await self._corpora.load(CorpusChoice.from_json(kept.corpus), settings)
        course = await self.course(corpus, settings)
        await asyncio.to_thread(course.restore, state)
        live = self.put(name, corpus, course, seed=kept.seed or 0)
        live.stopped_by = kept.stopped_by
        if kept.began_at is not None:
            live.began_at = kept.began_at
        live.state = "stopped" if kept.state == "stopped" else "paused"
        return live
