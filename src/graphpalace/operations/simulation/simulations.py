"""Simulations by name: start, pause, look at and keep them."""

from __future__ import annotations

import asyncio
import secrets
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from graphpalace.domain.simulation import CorpusDocument, Finding
from graphpalace.domain.simulation_settings import SimulationSettings, checked_settings, usage
from graphpalace.errors import Conflict, InvalidInput, NotFound
from graphpalace.operations.simulation.audience import Audience, Seat
from graphpalace.operations.simulation.corpus import Corpora, check_palace_trails
from graphpalace.operations.simulation.live import LiveSimulation
from graphpalace.operations.simulation.live_simulations import LiveSimulations
from graphpalace.operations.simulation.palace_trails import PalaceTrails
from graphpalace.operations.simulation.reports import Reports
from graphpalace.operations.simulation.shelf import SimulationShelf, simulation_name
from graphpalace.store.stored_simulations import KeptSimulation

DEFAULT = "default"
_MOST_AGENTS = 10_000


class Simulations:
    """What can be done with simulations, live in this process or only kept in the database."""

    def __init__(
        self, live: LiveSimulations, shelf: SimulationShelf, corpora: Corpora, trails: PalaceTrails, reports: Reports
    ) -> None:
        self._live = live
        self._shelf = shelf
        self._corpora = corpora
        self._trails = trails
        self._reports = reports
        self._loading: set[str] = set()
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def start(
        self,
        name: str,
        given: Mapping[str, Any],
        choice: Mapping[str, Any] | None = None,
        *,
        paced: bool = True,
        unused_params: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Begin a simulation, in place of one that runs under the name; return its status.

        Args:
            given: Settings that are to differ from those kept; they are kept too.
            choice: palace, wing, room, drawers or root; None: the corpus of the last start, else the whole palace.
            paced: Whether it keeps to `max_steps_per_s`.
            unused_params: What the caller gave that means nothing here; its status shows it.
        Raises:
            InvalidInput: If a setting or the choice is wrong, or the corpus is empty; nothing is changed then.
            NotFound: If something named is not there.
            Conflict: If too many simulations run.
        """
        name = simulation_name(name)
        async with self._turns[name]:
            kept = await self._shelf.get(name)
            settings, overrides = self._shelf.settings(kept, given)
            chosen = self._shelf.choice(kept, choice)
            check_palace_trails(settings, folder=chosen.root is not None)
            self._live.make_room(name)
            self._loading.add(name)
            try:
                corpus = await self._corpora.load(
                    chosen, settings, lambda message: self.audience(name).log("info", message)
                )
                seed = secrets.randbits(31) if settings.seed is None else settings.seed
                course = await self._live.course(corpus, settings)
                trails = await self._trails.strengths(chosen.palace, corpus.ids) if settings.warm_start else []
                await asyncio.to_thread(lambda: course.spawn(seed=seed, trails=trails))
            finally:
                self._loading.discard(name)
            earlier = self._live.get(name)
            self._live.make_room(name)  # again: others may have begun meanwhile
            live = self._live.put(name, corpus, course, seed=seed, paced=paced)
            live.state = "loading"  # so that it makes no room for others
            fresh = KeptSimulation(
                name,
                chosen.palace,
                settings=overrides,
                corpus=chosen.as_json(),
                seed=seed,
                query=settings.query,
                unused_params=dict(unused_params or {}),
            )
            try:
                if earlier is not None and not earlier.rests:
                    await earlier.halt("stopped", "request")
                await self._shelf.put(fresh, state=b"")
            except BaseException:
                self._live.drop(name)
                raise
            live.run()
            return await self.status(name)

    async def run(
        self,
        name: str,
        given: Mapping[str, Any],
        choice: Mapping[str, Any] | None = None,
        progress: Callable[[LiveSimulation], None] | None = None,
        *,
        unused_params: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Run a simulation to its end as fast as it goes; return its status.

        Args:
            progress: Called some times a second.
            unused_params: As `start`.
        Raises:
            As `start`.
        """
        await self.start(name, given, choice, paced=False, unused_params=unused_params)
        live = self._live.get(name)
        assert live is not None
        ended = asyncio.create_task(live.ended())
        try:
            while not ended.done():
                await asyncio.wait({ended}, timeout=0.1)
                if progress:
                    progress(live)
        finally:
            if live.state == "running":  # whoever waits gave up
                await live.halt("stopped", "request")
        await live.reported()
        return await self.status(name)

    async def pause(self, name: str) -> dict[str, Any]:
        """Pause between two steps and keep the complete state."""
        live = await self._running(name)
        await live.halt("paused")
        return await self.status(name)

    async def resume(self, name: str) -> dict[str, Any]:
        """Go on as if there had been no pause, also in another process."""
        async with self._turns[simulation_name(name)]:
            live = await self._live.awake(name)
            if live.state != "running":
                live.check_resumable()
                live.run()
        return await self.status(name)

    async def stop(self, name: str) -> dict[str, Any]:
        """End it; its state and results stay."""
        live = self._live.get(simulation_name(name))
        if live is not None and live.state in ("running", "paused"):
            await live.halt("stopped", "request")
        elif live is None:
            kept = await self._shelf.there(name)
            if kept.state in ("running", "paused"):
                await self._shelf.put(replace(kept, state="stopped", stopped_by="request"))
        return await self.status(name)

    async def reset(self, name: str) -> None:
        """Drop state, results and corpus; the settings stay."""
        async with self._turns[simulation_name(name)]:
            kept = await self._shelf.there(name)
            await self._end(name)
            await self._shelf.put(KeptSimulation(name, kept.palace, settings=kept.settings), state=b"")
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
            settings, overrides = self._shelf.settings(kept, given)
            live = self._live.get(name)
            if live is not None:
                described, now = usage(), live.settings.model_dump()
                fixed = [one for one in given if not described[one]["live"] and getattr(settings, one) != now[one]]
                if fixed and live.state == "running":
                    raise Conflict(
                        f"{', '.join(fixed)} cannot change while the simulation runs: stop it first", fields=fixed
                    )
                # What is not live is for the next start.
                chosen = live.settings.changed({one: value for one, value in given.items() if one not in fixed})
                check_palace_trails(chosen, folder=live.corpus.palace is None)
                aimed = {"query", "kw_terms"} & given.keys()
                await live.change(chosen, await self._live.target(live.corpus, chosen) if aimed else None)
                if live.rests:
                    await live.halt(live.state, live.stopped_by)  # which keeps what changed
            await self._shelf.put(replace(await self._shelf.get(name), settings=overrides, query=settings.query))
        return settings

    async def settings(self, name: str) -> SimulationSettings:
        """Return the settings in force, or those of the next start."""
        live = self._live.get(simulation_name(name))
        return live.settings if live else self._shelf.settings(await self._shelf.get(name))[0]

    async def status(self, name: str) -> dict[str, Any]:
        """Return where a simulation stands; `idle` where there was none yet."""
        live = self._live.get(simulation_name(name))
        kept = await self._shelf.get(name)
        if name in self._loading:
            kept = replace(kept, state="loading")
        elif live is not None:
            kept = self._shelf.record(live, kept)
        elif kept.state == "running":  # the process that ran it is gone
            kept = replace(kept, state="paused")
        elif kept.state == "idle":
            kept = replace(kept, query=self._shelf.settings(kept)[0].query)  # what the next start looks for
        return {
            "simulation": name,
            "state": kept.state,
            "running": kept.state == "running",
            "step": kept.step,
            "docs": kept.docs,
            "agents": kept.agents,
            "query": kept.query,
            "palace": kept.palace,
            "corpus": kept.corpus,
            "seed": kept.seed,
            "metrics": kept.metrics,
            "stopped_by": kept.stopped_by,
            "error": kept.error,
            "unused_params": kept.unused_params,
        }

    async def every_status(self) -> list[dict[str, Any]]:
        """Return the status of all that are live or kept, by name."""
        return [await self.status(kept.name) for kept in await self._shelf.every()]

    async def results(self, name: str) -> list[dict[str, Any]]:
        """Return the best documents, now or at the end."""
        live = self._live.get(simulation_name(name))
        if live is not None:
            return [finding.as_json() for finding in await live.results()]
        return (await self._shelf.there(name)).results

    async def search(self, name: str, query: str, top_k: int) -> list[Finding]:
        """Return the documents most relevant to another question, with the visits as they are."""
        if not query.strip():
            raise InvalidInput(f"query is {query!r}; give at least one word", field="query")
        checked_settings({"top_k": top_k})
        live = await self._live.awake(name)
        target = await self._live.target(live.corpus, live.settings.changed({"query": query}))
        return await live.findings(await live.between_steps(lambda: live.course.best_for(target, top_k)))

    async def document(self, name: str, document: str) -> tuple[CorpusDocument, float, int]:
        """Return a document of the corpus with its relevance and visits."""
        live = await self._live.awake(name)
        if document not in live.course.ids:
            raise NotFound(f"document {document!r} is not in the corpus of simulation {name!r}", id=document)
        row = live.course.ids.index(document)
        (found,) = await live.corpus.documents([row])
        return found, *await live.between_steps(lambda: live.course.of(row))

    async def documents(self, name: str, *, offset: int, limit: int) -> tuple[list[CorpusDocument], int]:
        """Return a part of the corpus, by id, and the number of all."""
        live = await self._live.awake(name)
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
        live = self._live.get(simulation_name(name))
        found = asdict(live.report) if live and live.report else (await self._shelf.there(name)).report
        if found is None:
            raise NotFound(f"simulation {name!r} has no report: set report_enabled", simulation=name)
        return found

    def audience(self, name: str) -> Audience:
        """Return those who watch a simulation, which need not be there yet."""
        return self._live.audience(name)

    async def greet(self, name: str, seat: Seat) -> None:
        """Show somebody who comes where a simulation in memory stands; the next picture of one that runs comes soon."""
        if live := self._live.get(name):
            await live.greet(seat)

    def forget(self, palace: str) -> None:
        """Let go of the simulations of a palace that is dropped."""
        self._live.forget(palace)

    async def close(self) -> None:
        """Pause what runs and keep it."""
        await self._live.close()
        await self._reports.close()

    # What follows is not for doors.

    async def _running(self, name: str) -> LiveSimulation:
        live = self._live.get(simulation_name(name))
        if live is None or live.state != "running":
            state = (await self.status(name))["state"]
            raise Conflict(f"simulation {name!r} does not run; it is {state}", simulation=name, state=state)
        return live

    async def _end(self, name: str) -> None:
        live = self._live.drop(name)
        if live is not None and live.state == "running":
            await live.halt("stopped", "request")


def _check_agents(field: str, count: int) -> None:
    if isinstance(count, bool) or not 1 <= count <= _MOST_AGENTS:
        raise InvalidInput(f"{field} is {count!r}; it must be 1 to {_MOST_AGENTS}", field=field, value=count)
