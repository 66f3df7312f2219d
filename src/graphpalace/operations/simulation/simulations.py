"""Simulations by name: start, pause, change and stop them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from graphpalace.domain.simulation.kept_simulation import SimulationStart, StoredSimulation
from graphpalace.domain.simulation.simulation_requests import LoadingProgress
from graphpalace.domain.simulation.simulation_settings import SimulationSettings
from graphpalace.errors import Conflict, GraphPalaceError, InvalidInput
from graphpalace.operations.simulation.corpus_loader import CorpusLoader
from graphpalace.operations.simulation.live_simulation import LiveSimulation
from graphpalace.operations.simulation.live_simulations import CorpusLoading, LiveSimulations
from graphpalace.operations.simulation.other_services import Heartbeat, RequestQueue, SimulationFollower
from graphpalace.operations.simulation.palace_trails import PalaceTrails
from graphpalace.operations.simulation.reports.reports import ReportWriter
from graphpalace.operations.simulation.simulation_store import SimulationStore, held_by_another, simulation_name
from graphpalace.operations.simulation.simulation_views import SimulationViews
from graphpalace.operations.simulation.starter import SimulationChanges, SimulationStarter
from graphpalace.operations.simulation.subscribers import Subscriber, Subscribers

DEFAULT = "default"
_T = TypeVar("_T")
_MOST_AGENTS = 10_000


class Simulations:
    """Starts, pauses, resumes, stops and changes simulations, whichever service holds them.

    Attributes:
        views: Reads simulations.
    """

    def __init__(
        self,
        live: LiveSimulations,
        store: SimulationStore,
        corpora: CorpusLoader,
        trails: PalaceTrails,
        reports: ReportWriter,
    ) -> None:
        self.views = SimulationViews(live, store, corpora)
        self._live = live
        self._store = store
        self._reports = reports
        self._starts = SimulationStarter(live, store, corpora, trails)
        self._turns = self._starts.turns
        self._changes = SimulationChanges(live, store, self._turns)
        self._requests = RequestQueue(store)
        self._heartbeat = Heartbeat(store.stored, self)
        self._following = SimulationFollower(store, lambda: live.watched, self.views.here)

    async def begin(self, name: str, start: SimulationStart) -> dict[str, Any]:
        """Start a simulation in the background, and return its status while it is loading.

        The request is checked before this returns. If it is refused, nothing is changed.

        Raises:
            InvalidInput: If a setting or the choice of documents is invalid, or a palace has no document.
            NotFound: If the palace, or anything else that is named, does not exist.
            Conflict: If too many simulations run, or another service holds the simulation of this name.
        """
        await self._begin(name, start)
        return await self.views.status(name)

    async def start(self, name: str, start: SimulationStart) -> dict[str, Any]:
        """Start a simulation, wait until it is loaded, and return its status.

        Raises:
            InvalidInput, NotFound, Conflict: As `begin`; also InvalidInput if a folder has no document, and Conflict if
                the simulation is stopped while it is loading.
        """
        await (await self._begin(name, start)).loaded()
        return await self.views.status(name)

    async def complete(
        self,
        name: str,
        start: SimulationStart,
        *,
        progress: Callable[[LiveSimulation], None] | None = None,
        loads: Callable[[LoadingProgress], None] | None = None,
        through_pauses: bool = False,
    ) -> dict[str, Any]:
        """Run a simulation to its end as fast as possible, and return its status.

        Args:
            progress: Called about ten times a second while it runs.
            loads: Called about ten times a second while the corpus is loaded.
            through_pauses: Whether to continue waiting if the simulation is paused; otherwise this returns then.

        Raises:
            InvalidInput, NotFound, Conflict: As `start`; also Conflict if the simulation is started again or dropped
                with its palace, or another service takes it over.
        """
        loading = await self._begin(name, replace(start, paced=False))
        live: LiveSimulation | None = None
        try:
            live = await _waiting(loading.loaded(), lambda: loads and loads(loading.progress))
            shown = partial(progress, live) if progress else lambda: None
            while True:
                await _waiting(live.ended(), shown)
                resumed = live.state == "running"  # before its pause was noticed
                goes_on = resumed or (live.state == "paused" and through_pauses)
                if not goes_on or self._live.get(name) is not live:
                    break
                await asyncio.sleep(0.1)
        finally:
            if live is None:
                await self._starts.give_up(loading)
            elif live.state == "running":  # the wait was cancelled
                await live.halt("stopped", "request")
        if live is None or self._live.get(name) is not live:
            raise Conflict(
                f"simulation {name!r} no longer runs here: it was started again, dropped with its palace, or taken "
                "over by another service",
                simulation=name,
            )
        await live.reported()
        return await self.views.status(name)

    async def pause(self, name: str) -> dict[str, Any]:
        """Pause a simulation between two steps, and store its complete state.

        A simulation that is loading is paused when it is loaded.

        Raises:
            Conflict: If it does not run, or another service holds it and does not answer.
        """
        live, loading = self._live.get(simulation_name(name)), self._live.loading.get(name)
        if loading is not None:
            loading.paused = True
            return await self.views.status(name)
        if live is not None and live.state == "running":
            await live.halt("paused")
            return await self.views.status(name)
        kept = await self._store.get(name)
        if kept.held_elsewhere(self._store.service) and kept.state in ("loading", "running"):
            await self._requests.ask(name, "pause", until=lambda now: now.state != "running")
            return await self.views.status(name)
        state = self.views.status_of(kept)["state"]
        raise Conflict(f"simulation {name!r} does not run; it is {state}", simulation=name, state=state)

    async def resume(self, name: str, *, steps: int | None = None) -> dict[str, Any]:
        """Continue a paused simulation, in whichever process it was paused.

        Args:
            steps: Pause again after so many steps; None: do not. Only the service that holds it can do so.

        Raises:
            NotFound: If there is no simulation of that name.
            Conflict: If it is over or was never started, or another service holds it and does not answer, or holds it
                and steps are given.
        """
        kept = await self._store.there(name)
        if kept.held_elsewhere(self._store.service):
            if steps is not None:
                raise held_by_another(name, kept.owner_name or "another service")
            if kept.state == "paused":
                await self._requests.ask(name, "resume", until=lambda now: now.state != "paused")
            return await self.views.status(name)
        async with self._turns[name]:
            if loading := self._live.loading.get(name):
                loading.paused = False
                return await self.views.status(name)
            live = await self._live.awake(name)
            if live.state != "running":
                live.check_resumable()
                await self._store.put(name, hold=True, state="running")
                live.go_on(steps)
                self._heartbeat.start()
        return await self.views.status(name)

    async def stop(self, name: str) -> dict[str, Any]:
        """Stop a simulation that is loading, running or paused. Its state and results are kept.

        Raises:
            NotFound: If there is no simulation of that name.
            Conflict: If another service holds it and does not answer.
        """
        if loading := self._live.loading.get(simulation_name(name)):
            await self._starts.give_up(loading)
            return await self.views.status(name)
        if live := self._live.get(name):
            if live.held:
                await live.halt("stopped", "request")
                return await self.views.status(name)
            await live.ended()
        kept = await self._store.there(name)
        if kept.held_elsewhere(self._store.service):
            await self._requests.ask(name, "stop", until=lambda now: not now.held)
        elif self._store.as_it_stands(kept).state in ("running", "paused"):
            await self._store.claim(replace(kept, state="stopped", stopped_by="request"), hold=False)
        return await self.views.status(name)

    async def reset(self, name: str) -> None:
        """Stop a simulation, and delete its state, results and choice of documents. The settings are kept.

        Raises:
            NotFound, Conflict: As `stop`.
        """
        await self.stop(name)
        async with self._turns[simulation_name(name)]:
            kept = await self._store.there(name)
            self._live.lose(name)
            await self._store.claim(StoredSimulation(name, kept.palace, settings=kept.settings), hold=False, state=b"")
        self.audience(name).tell("metrics", {"step": 0, "state": "idle"})

    async def add_agents(self, name: str, count: int) -> dict[str, Any]:
        """Add agents, which start at the question. Return the status."""
        _check_agents("n", count)
        live = await self._live.awake(name)
        return await self.resize_agents(name, len(live.course.swarm.agents) + count)

    async def resize_agents(self, name: str, count: int) -> dict[str, Any]:
        """Set the number of agents, 1 to 10,000. If there are too many, the newest are removed. Return the status."""
        _check_agents("count", count)
        await self._live.awake(name)
        await self.configure(name, {"num_agents": count})
        return await self.views.status(name)

    async def configure(self, name: str, given: Mapping[str, Any]) -> SimulationSettings:
        """Change settings, as `SimulationChanges.configure`."""
        return await self._changes.configure(name, given)

    @property
    def busy(self) -> bool:
        """Whether a simulation runs or is loading here."""
        return bool(self._live.loading or self.running)

    @property
    def running(self) -> int:
        """How many simulations run here."""
        return sum(live.state == "running" for live in self._live.held.values())

    def audience(self, name: str) -> Subscribers:
        """Return the subscribers of a simulation, which need not exist yet."""
        return self._live.audience(name)

    async def greet(self, name: str, seat: Subscriber) -> None:
        """Send a new client the current state of a simulation. If it runs, its next picture follows soon."""
        kept = self._store.as_it_stands(await self._store.get(name))
        if loading := self._live.loading.get(name):
            seat.put("loading", self.audience(name).message("loading", loading.progress.as_json()))
        elif live := self._live.current(kept):
            await live.greet(seat)
        else:
            await self._following.greet(seat, self.audience(name), kept)
        self._following.start()

    def forget(self, palace: str) -> None:
        """Drop the simulations of a palace that is dropped."""
        self._live.forget(palace)

    async def drop_deleted(self) -> None:
        """Drop the simulations from memory that are no longer stored, as some of their documents were forgotten."""
        await self._live.drop_deleted()

    async def close(self) -> None:
        """Pause and store the running simulations, and release everything."""
        await self._following.close()
        for loading in list(self._live.loading.values()):
            with suppress(GraphPalaceError):  # otherwise its lease expires
                await self._starts.give_up(loading)
        await self._live.close()
        await self._heartbeat.close()
        await self._reports.close()

    # The following methods are called by the heartbeat.

    @property
    def figures(self) -> dict[str, dict[str, Any]]:
        """Progress of each simulation that this service holds, as fields of its stored record, by name."""
        loading = {name: {"loading": one.progress.as_json()} for name, one in self._live.loading.items()}
        return loading | {name: self._store.figures(live) for name, live in self._live.held.items()}

    @property
    def ending(self) -> set[str]:
        """Names of the simulations that are no longer held, but whose end is still being stored."""
        return self._live.ending

    async def obey(self, name: str, request: str) -> None:
        """Carry out the request of another service: `pause`, `resume` or `stop`."""
        await {"pause": self.pause, "resume": self.resume, "stop": self.stop}[request](name)

    async def show(self, name: str) -> None:
        """Store a picture of a simulation for clients of other services."""
        if live := self._live.get(name):
            await self._store.show(name, live, [message for _kind, message in await live.view()])

    def lose(self, name: str) -> None:
        """Give up a simulation that was deleted, or that another service took over."""
        self._live.lose(name)
        self.audience(name).log("warning", "the simulation was dropped, or another service has taken it over")

    async def _begin(self, name: str, start: SimulationStart) -> CorpusLoading:
        loading = await self._starts.begin(simulation_name(name), start)
        self._heartbeat.start()
        return loading


async def _waiting(work: Coroutine[Any, Any, _T], meanwhile: Callable[[], object]) -> _T:
    """Await some work and return its result, calling a function ten times a second meanwhile."""
    task = asyncio.create_task(work)
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=0.1)
            meanwhile()
    finally:
        task.cancel()
    return task.result()


def _check_agents(field: str, count: int) -> None:
    if isinstance(count, bool) or not 1 <= count <= _MOST_AGENTS:
        raise InvalidInput(f"{field} is {count!r}; it must be 1 to {_MOST_AGENTS}", field=field, value=count)
