"""Simulations by name: start, pause, look at and keep them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from typing import Any, TypeVar

from graphpalace.domain.simulation import CorpusDocument, Finding
from graphpalace.domain.simulation_settings import SimulationSettings, checked_settings, usage
from graphpalace.errors import Conflict, GraphPalaceError, InvalidInput, NotFound
from graphpalace.operations.simulation.audience import Audience, Seat
from graphpalace.operations.simulation.corpus import Corpora, check_palace_trails
from graphpalace.operations.simulation.following import Following
from graphpalace.operations.simulation.heartbeat import Heartbeat
from graphpalace.operations.simulation.live import LiveSimulation
from graphpalace.operations.simulation.live_simulations import LiveSimulations
from graphpalace.operations.simulation.loading import Loading, LoadingProgress
from graphpalace.operations.simulation.palace_trails import PalaceTrails
from graphpalace.operations.simulation.reports import Reports
from graphpalace.operations.simulation.requests import Requests
from graphpalace.operations.simulation.shelf import SimulationShelf, held_by_another, simulation_name
from graphpalace.operations.simulation.starts import Starts
from graphpalace.store.database import Database
from graphpalace.store.stored_simulations import KeptSimulation

DEFAULT = "default"
_T = TypeVar("_T")
_MOST_AGENTS = 10_000
# What is seen of a simulation without a further step.
_SEEN = {"query", "kw_terms", "kw_lambda", "top_k", "viz_dims", "min_trail_strength", "max_edges"}


class Simulations:
    """What can be done with simulations: live in this process, held by another, or only kept in the database."""

    def __init__(
        self,
        database: Database,
        live: LiveSimulations,
        shelf: SimulationShelf,
        corpora: Corpora,
        trails: PalaceTrails,
        reports: Reports,
    ) -> None:
        self._live = live
        self._shelf = shelf
        self._corpora = corpora
        self._reports = reports
        self._starts = Starts(live, shelf, corpora, trails)
        self._turns = self._starts.turns
        self._requests = Requests(database, shelf)
        self._heartbeat = Heartbeat(database, shelf.service, self)
        self._following = Following(database, shelf, lambda: live.watched, self._here)

    async def begin(
        self,
        name: str,
        given: Mapping[str, Any],
        choice: Mapping[str, Any] | None = None,
        *,
        paced: bool = True,
    ) -> dict[str, Any]:
        """Check what is asked for, begin to load it in the background, and return its status.

        Args:
            given: Settings that are to differ from those kept; they are kept too.
            choice: palace, wing, room, drawers or root; None: the corpus of the last start, else the whole palace.
            paced: Whether it keeps to `max_steps_per_s`.
        Raises:
            InvalidInput: If a setting or the choice is wrong, or a palace has no document; nothing is changed then.
            NotFound: If something named is not there.
            Conflict: If too many simulations run, or another service holds the one of this name.
        """
        await self._begin(name, given, choice, paced=paced)
        return await self.status(name)

    async def start(
        self,
        name: str,
        given: Mapping[str, Any],
        choice: Mapping[str, Any] | None = None,
        *,
        paced: bool = True,
    ) -> dict[str, Any]:
        """Begin a simulation and wait until it makes steps; return its status.

        Raises:
            As `begin`; InvalidInput too if a folder has no document, Conflict if it is stopped meanwhile.
        """
        await (await self._begin(name, given, choice, paced=paced)).loaded()
        return await self.status(name)

    async def run(
        self,
        name: str,
        given: Mapping[str, Any],
        choice: Mapping[str, Any] | None = None,
        progress: Callable[[LiveSimulation], None] | None = None,
        *,
        loads: Callable[[LoadingProgress], None] | None = None,
        through_pauses: bool = False,
        unused_params: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Run a simulation to its end as fast as it goes; return its status.

        Args:
            progress: Called some times a second.
            loads: Called some times a second while the corpus is read.
            through_pauses: Whether to wait for its end also while somebody has paused it.
            unused_params: What the caller gave that means nothing here; its status shows it.
        Raises:
            As `start`; Conflict too if its palace is dropped, or another service takes it over.
        """
        loading = await self._begin(name, given, choice, paced=False, unused_params=unused_params)
        live: LiveSimulation | None = None
        try:
            live = await _waiting(loading.loaded(), lambda: loads and loads(loading.progress))
            shown = partial(progress, live) if progress else lambda: None
            while True:
                await _waiting(live.ended(), shown)
                if live.state != "paused" or not through_pauses or self._live.get(name) is not live:
                    break
                await asyncio.sleep(0.1)
        finally:
            if live is None:
                await self._starts.give_up(loading)
            elif live.state == "running":  # whoever waits gave up
                await live.halt("stopped", "request")
        if live is None or self._live.get(name) is not live:
            raise Conflict(
                f"simulation {name!r} does not run here any more: it was begun anew, dropped with its palace, or taken "
                "over by another service",
                simulation=name,
            )
        await live.reported()
        return await self.status(name)

    async def pause(self, name: str) -> dict[str, Any]:
        """Pause between two steps and keep the complete state; one that is loading rests once it is loaded.

        Raises:
            Conflict: If it does not run, or another service holds it and does not answer.
        """
        live, loading = self._live.get(simulation_name(name)), self._live.loading.get(name)
        if loading is not None:
            loading.paused = True
            return await self.status(name)
        if live is not None and live.state == "running":
            await live.halt("paused")
            return await self.status(name)
        kept = await self._shelf.get(name)
        if kept.held_elsewhere(self._shelf.service) and kept.state in ("loading", "running"):
            await self._requests.ask(name, "pause", until=lambda now: now.state != "running")
            return await self.status(name)
        state = self._status(kept)["state"]
        raise Conflict(f"simulation {name!r} does not run; it is {state}", simulation=name, state=state)

    async def resume(self, name: str) -> dict[str, Any]:
        """Go on as if there had been no pause, also in another process.

        Raises:
            NotFound: If there is no simulation of that name.
            Conflict: If it is over or was never started, or another service holds it and does not answer.
        """
        kept = await self._shelf.there(name)
        if kept.held_elsewhere(self._shelf.service):
            if kept.state == "paused":
                await self._requests.ask(name, "resume", until=lambda now: now.state != "paused")
            return await self.status(name)
        async with self._turns[name]:
            if loading := self._live.loading.get(name):
                loading.paused = False
                return await self.status(name)
            live = await self._live.awake(name)
            if live.state != "running":
                live.check_resumable()
                await self._shelf.put(name, hold=True, state="running")
                live.run()
                self._heartbeat.start()
        return await self.status(name)

    async def stop(self, name: str) -> dict[str, Any]:
        """End it, whether it loads, runs or rests; its state and results stay.

        Raises:
            NotFound: If there is no simulation of that name.
            Conflict: If another service holds it and does not answer.
        """
        if loading := self._live.loading.get(simulation_name(name)):
            await self._starts.give_up(loading)
            return await self.status(name)
        if (live := self._live.get(name)) and live.state in ("running", "paused"):
            await live.halt("stopped", "request")
            return await self.status(name)
        kept = await self._shelf.there(name)
        if kept.held_elsewhere(self._shelf.service):
            await self._requests.ask(name, "stop", until=lambda now: not now.held)
        elif self._shelf.as_it_stands(kept).state in ("running", "paused"):
            await self._shelf.claim(replace(kept, state="stopped", stopped_by="request"), hold=False)
        return await self.status(name)

    async def reset(self, name: str) -> None:
        """Drop state, results and corpus; the settings stay.

        Raises:
            NotFound, Conflict: As `stop`.
        """
        await self.stop(name)
        async with self._turns[simulation_name(name)]:
            kept = await self._shelf.there(name)
            await self._shelf.claim(KeptSimulation(name, kept.palace, settings=kept.settings), hold=False, state=b"")
            if live := self._live.drop(name):
                live.let_go()
        self.audience(name).tell("metrics", {"step": 0, "state": "idle"})

    async def add_agents(self, name: str, count: int) -> dict[str, Any]:
        """Add agents, who start at the question."""
        _check_agents("n", count)
        live = await self._live.awake(name)
        return await self.resize_agents(name, len(live.course.swarm.agents) + count)

    async def resize_agents(self, name: str, count: int) -> dict[str, Any]:
        """Have so many agents; the newest go first."""
        _check_agents("count", count)
        await self._live.awake(name)
        await self.configure(name, {"num_agents": count})
        return await self.status(name)

    async def configure(self, name: str, given: Mapping[str, Any]) -> SimulationSettings:
        """Change settings, for the simulation that runs and for later ones; return all.

        Raises:
            InvalidInput: If one is wrong; then none is changed.
            Conflict: If one cannot change while the simulation runs; none is changed.
        """
        name = simulation_name(name)
        async with self._turns[name]:
            kept = await self._shelf.get(name)
            if kept.held_elsewhere(self._shelf.service):
                raise held_by_another(name, str(kept.owner_name))
            settings, overrides = self._shelf.settings(kept, given)
            loading = self._live.loading.get(name)
            live = self._live.current(kept)
            if live is None and loading is None and _SEEN & given.keys():
                with suppress(NotFound, InvalidInput, Conflict):  # nothing is kept that could be shown
                    live = await self._live.awake(name)
            if loading is not None:
                fixed = _fixed(loading.settings.changed(loading.changes), settings, given, running=True)
                check_palace_trails(settings, folder=loading.choice.root is not None)
                loading.changes |= {one: value for one, value in given.items() if one not in fixed}
                await self._shelf.put(name, hold=None, settings=overrides, query=settings.query)
            elif live is not None:
                fixed = _fixed(live.settings, settings, given, running=live.state == "running")
                # What is not live is for the next start.
                chosen = live.settings.changed({one: value for one, value in given.items() if one not in fixed})
                check_palace_trails(chosen, folder=live.corpus.palace is None)
                aimed = {"query", "kw_terms"} & given.keys()
                await live.change(chosen, await self._live.target(live.corpus, chosen) if aimed else None)
                await self._shelf.put(name, hold=None, settings=overrides)
            else:
                await self._shelf.claim(replace(kept, settings=overrides, query=settings.query), hold=False)
        return settings

    async def settings(self, name: str) -> SimulationSettings:
        """Return what was saved: the settings of the next start, which those that are live have now too."""
        return self._shelf.settings(await self._shelf.get(simulation_name(name)))[0]

    async def status(self, name: str) -> dict[str, Any]:
        """Return where a simulation stands, whichever service holds it; `idle` where there was none yet."""
        return self._status(await self._shelf.get(simulation_name(name)))

    async def every_status(self) -> list[dict[str, Any]]:
        """Return the status of all that are live or kept, by name."""
        return [self._status(kept) for kept in await self._shelf.every()]

    async def results(self, name: str) -> list[dict[str, Any]]:
        """Return the best documents, now or at the end; those of the last checkpoint where another service runs it."""
        kept = await self._shelf.there(name)
        live = self._live.current(kept)
        return kept.results if live is None else [finding.as_json() for finding in await live.results()]

    async def search(self, name: str, query: str, top_k: int) -> list[Finding]:
        """Return the documents most relevant to another question, with the visits as they are."""
        if not query.strip():
            raise InvalidInput(f"query is {query!r}; give at least one word", field="query")
        checked_settings({"top_k": top_k})
        live = await self._live.readable(name)
        target = await self._live.target(live.corpus, live.settings.changed({"query": query}))
        return await live.findings(await live.between_steps(lambda: live.course.best_for(target, top_k)))

    async def document(self, name: str, document: str) -> tuple[CorpusDocument, float, int]:
        """Return a document of the corpus with its relevance and visits."""
        live = await self._live.readable(name)
        if document not in live.course.ids:
            raise NotFound(f"document {document!r} is not in the corpus of simulation {name!r}", id=document)
        row = live.course.ids.index(document)
        (found,) = await live.corpus.documents([row])
        return found, *await live.between_steps(lambda: live.course.of(row))

    async def documents(self, name: str, *, offset: int, limit: int) -> tuple[list[CorpusDocument], int]:
        """Return a part of the corpus, by id, and the number of all."""
        live = await self._live.readable(name)
        rows = range(min(offset, len(live.course.ids)), min(offset + limit, len(live.course.ids)))
        return await live.corpus.documents(rows), len(live.course.ids)

    async def files(self, name: str, root: str, *, exclude: Sequence[str] | None = None) -> list[str]:
        """Return the text files of a folder below it, as a start with the folder would read them.

        Args:
            exclude: Names of folders to skip; None: those of the settings.
        """
        settings = await self.settings(name)
        if exclude is not None:
            settings = settings.changed({"exclude_dirs": tuple(exclude)})
        found = await self._corpora.files(root, settings)
        return [file.path.relative_to(file.root).as_posix() for file in found]

    async def report(self, name: str) -> dict[str, Any]:
        """Return the last report.

        Raises:
            NotFound: If there is none.
        """
        kept = await self._shelf.there(name)
        live = self._live.current(kept)
        found = asdict(live.report) if live and live.report else kept.report
        if found is None:
            raise NotFound(f"simulation {name!r} has no report: set report_enabled", simulation=name)
        return found

    def audience(self, name: str) -> Audience:
        """Return those who watch a simulation, which need not be there yet."""
        return self._live.audience(name)

    async def greet(self, name: str, seat: Seat) -> None:
        """Show somebody who comes where a simulation stands; the next picture of one that runs comes soon."""
        kept = self._shelf.as_it_stands(await self._shelf.get(name))
        if loading := self._live.loading.get(name):
            seat.put("loading", self.audience(name).message("loading", loading.progress.as_json()))
        elif live := self._live.current(kept):
            await live.greet(seat)
        else:
            await self._following.greet(seat, self.audience(name), kept)
        self._following.start()

    def forget(self, palace: str) -> None:
        """Let go of the simulations of a palace that is dropped."""
        self._live.forget(palace)

    async def close(self) -> None:
        """Pause what runs and keep it."""
        await self._following.close()
        for loading in list(self._live.loading.values()):
            with suppress(GraphPalaceError):  # then its lease runs out
                await self._starts.give_up(loading)
        await self._live.close()
        await self._heartbeat.close()
        await self._reports.close()

    # What follows is for the heartbeat, not for doors.

    @property
    def figures(self) -> dict[str, dict[str, Any]]:
        """How far each simulation is that this service holds, by name."""
        loading = {name: {"loading": one.progress.as_json()} for name, one in self._live.loading.items()}
        return loading | {name: self._shelf.figures(live) for name, live in self._live.held.items()}

    async def obey(self, name: str, request: str) -> None:
        """Do what another service asks for: `pause`, `resume` or `stop`."""
        await {"pause": self.pause, "resume": self.resume, "stop": self.stop}[request](name)

    async def show(self, name: str) -> None:
        """Keep a picture of a simulation for those who watch elsewhere."""
        if live := self._live.get(name):
            await self._shelf.show(name, live, [message for _kind, message in await live.view()])

    def lose(self, name: str) -> None:
        """Let go of a simulation that is gone, or that another service took over."""
        self._live.lose(name)
        self.audience(name).log("warning", "the simulation was dropped, or another service has taken it over")

    async def _begin(
        self,
        name: str,
        given: Mapping[str, Any],
        choice: Mapping[str, Any] | None,
        *,
        paced: bool,
        unused_params: Mapping[str, Any] | None = None,
    ) -> Loading:
        loading = await self._starts.begin(
            simulation_name(name), given, choice, paced=paced, unused_params=unused_params or {}
        )
        self._heartbeat.start()
        return loading

    def _here(self, name: str) -> bool:
        return name in self._live.loading or name in self._live.held

    def _status(self, kept: KeptSimulation) -> dict[str, Any]:
        name, held = kept.name, kept.held
        kept = self._shelf.as_it_stands(kept)
        if loading := self._live.loading.get(name):
            kept = replace(kept, state="loading", loading=loading.progress.as_json())
        elif live := self._live.current(kept):
            kept = replace(kept, **self._shelf.record(live))
        elif kept.owner == self._shelf.service.id and kept.state == "running":  # it made room for another one
            kept = replace(kept, state="paused")
        elif kept.state == "idle":
            kept = replace(kept, query=self._shelf.settings(kept)[0].query)  # what the next start looks for
        return {
            "simulation": name,
            "state": kept.state,
            "running": kept.state in ("loading", "running"),
            "step": kept.step,
            "docs": kept.docs,
            "agents": kept.agents,
            "query": kept.query,
            "palace": kept.palace,
            "corpus": kept.corpus,
            "seed": kept.seed,
            "loading": kept.loading if kept.state == "loading" else None,
            "metrics": kept.metrics,
            "stopped_by": kept.stopped_by,
            "error": kept.error,
            "unused_params": kept.unused_params,
            "owner": kept.owner_name if held else None,
            "here": self._here(name),
        }


def _fixed(now: SimulationSettings, then: SimulationSettings, given: Mapping[str, Any], *, running: bool) -> list[str]:
    """Return the given settings that are for the next start.

    Raises:
        Conflict: If there are any while the simulation runs.
    """
    described = usage()
    fixed = [one for one in given if not described[one]["live"] and getattr(then, one) != getattr(now, one)]
    if fixed and running:
        raise Conflict(f"{', '.join(fixed)} cannot change while the simulation runs: stop it first", fields=fixed)
    return fixed


async def _waiting(work: Coroutine[Any, Any, _T], meanwhile: Callable[[], object]) -> _T:
    """Return what some work gives; something is done ten times a second meanwhile."""
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
