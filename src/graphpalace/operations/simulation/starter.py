"""Start simulations and change their settings: check the request at once, and load the corpus in the background."""

from __future__ import annotations

import asyncio
import secrets
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import structlog

from graphpalace.domain.simulation.kept_simulation import SimulationStart, StoredSimulation
from graphpalace.domain.simulation.simulation_settings import SimulationSettings, usage
from graphpalace.errors import Conflict, GraphPalaceError, InvalidInput, NotFound
from graphpalace.operations.simulation.corpus import Corpus, check_palace_trails
from graphpalace.operations.simulation.corpus_loader import CorpusLoader
from graphpalace.operations.simulation.live_simulation import LiveSimulation
from graphpalace.operations.simulation.live_simulations import CorpusLoading, LiveSimulations
from graphpalace.operations.simulation.palace_trails import PalaceTrails
from graphpalace.operations.simulation.simulation_store import SimulationStore, held_by_another, simulation_name

_LOG = structlog.get_logger("graphpalace.simulation")


class SimulationStarter:
    """Starts simulations.

    Attributes:
        turns: Locks by name. The holder of a lock may start, resume, change or reset the simulation of that name.
    """

    def __init__(
        self, live: LiveSimulations, store: SimulationStore, corpora: CorpusLoader, trails: PalaceTrails
    ) -> None:
        self._live = live
        self._store = store
        self._corpora = corpora
        self._trails = trails
        self.turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def begin(self, name: str, start: SimulationStart) -> CorpusLoading:
        """Start loading a simulation, which replaces the one of the same name.

        Raises:
            GraphPalaceError: As `Simulations.start`, as far as can be known without reading files. Nothing is changed
                then.
        """
        async with self.turns[name]:
            kept = await self._store.get(name)
            if kept.held_elsewhere(self._store.service):
                raise held_by_another(name, str(kept.owner_name))
            if not start.replace_running and self._live.runs(kept):
                raise Conflict(
                    f"simulation {name!r} is running: wait until it ends, or use another name", simulation=name
                )
            settings, overrides = self._store.settings(kept, start.given)
            chosen = self._store.choice(kept, start.choice)
            check_palace_trails(settings, folder=chosen.root is not None)
            corpus = await self._corpora.at_hand(chosen, settings)
            seed = secrets.randbits(31) if settings.seed is None else settings.seed
            loading = CorpusLoading(
                name,
                settings,
                chosen,
                seed=seed,
                paced=start.paced,
                tell=lambda progress: self._live.audience(name).tell("loading", progress.as_json()),
            )
            fresh = StoredSimulation(
                name,
                chosen.palace,
                state="loading",
                docs=len(corpus.ids) if corpus else 0,
                agents=settings.num_agents,
                settings=overrides,
                corpus=chosen.as_json(),
                loading=loading.progress.as_json(),
                seed=seed,
                query=settings.query,
                unused_params=dict(start.unused_params),
                preset=settings.preset,
            )
            with self._live.reserved(name):
                if earlier := self._live.loading.pop(name, None):
                    earlier.cancel()
                if (live := self._live.current(kept)) and not live.rests:
                    await live.halt("stopped", "request")
                self._live.lose(name)
                await self._store.claim(fresh, hold=True, state=b"")
                self._live.loading[name] = loading
            loading.begin(self._load(loading, corpus))
            return loading

    async def give_up(self, loading: CorpusLoading) -> None:
        """Stop a simulation that is still loading. Does nothing if it is not loading any more."""
        name = loading.name
        if self._live.loading.get(name) is not loading:
            return
        del self._live.loading[name]
        loading.cancel()
        with suppress(Conflict):  # it was deleted meanwhile
            await self._store_end(name, state="stopped", stopped_by="request")
        self._tell_over(loading, "stopped", "request")

    async def _load(self, loading: CorpusLoading, corpus: Corpus | None) -> LiveSimulation:
        try:
            return await self._loaded(loading, corpus)
        except Exception as error:
            known = isinstance(error, GraphPalaceError)
            message = error.message if known else repr(error)
            _LOG.warning("simulation_not_loaded", simulation=loading.name, reason=message, exc_info=not known)
            if self._live.loading.pop(loading.name, None) is loading:
                with suppress(GraphPalaceError):  # otherwise its lease expires
                    await self._store_end(loading.name, state="failed", error=message)
                self._live.audience(loading.name).log("error", message)
                self._tell_over(loading, "failed", error=message)
            raise

    async def _loaded(self, loading: CorpusLoading, corpus: Corpus | None) -> LiveSimulation:
        name, settings = loading.name, loading.settings
        loading.advance("reading")
        if corpus is None:
            corpus = await self._corpora.load(
                loading.choice, settings, lambda done, of: loading.advance("embedding", done, of)
            )
        loading.advance("question")
        course = await self._live.course(corpus, settings)
        trails = await self._trails.strengths(loading.choice.palace, corpus.ids) if settings.warm_start else []
        async with self.turns[name]:
            if loading.changes:
                settings = settings.changed(loading.changes)
                course = await self._live.course(corpus, settings)
            await asyncio.to_thread(lambda: course.spawn(seed=loading.seed, trails=trails))
            state = "paused" if loading.paused else "running"
            await self._store.put(name, hold=True, state=state, docs=len(corpus.ids), loading=None)
            del self._live.loading[name]
            live = self._live.put(name, corpus, course, seed=loading.seed, paced=loading.paced)
            if loading.paused:
                await live.halt("paused")
            else:
                live.go_on()
                live.keep_soon()  # so that other services can read it, and continue it if this process dies
            return live

    async def _store_end(self, name: str, **end: Any) -> None:
        """Store how loading ended, and release the simulation with the same write."""
        self._live.given_up.add(name)
        try:
            await self._store.put(name, hold=False, loading=None, **end)
        finally:
            self._live.given_up.discard(name)

    def _tell_over(
        self, loading: CorpusLoading, state: str, stopped_by: str | None = None, error: str | None = None
    ) -> None:
        data = {"step": 0, "state": state, "agents": loading.settings.num_agents, "docs": 0, "steps_per_s": 0.0}
        self._live.audience(loading.name).tell("metrics", data | {"stopped_by": stopped_by, "error": error})


# Settings that change what is shown without a further step.
_SEEN = {"query", "kw_terms", "kw_lambda", "top_k", "viz_dims", "min_trail_strength", "max_edges"}


class SimulationChanges:
    """Changes settings of simulations.

    Args:
        turns: Lock of each simulation, by name, which a start, a change and a reset take.
    """

    def __init__(self, live: LiveSimulations, store: SimulationStore, turns: Mapping[str, asyncio.Lock]) -> None:
        self._live = live
        self._store = store
        self._turns = turns

    async def configure(self, name: str, given: Mapping[str, Any]) -> SimulationSettings:
        """Change settings, both of the current simulation and for later starts; return all settings.

        If any setting is refused, none is changed.

        Raises:
            InvalidInput: If a setting is invalid.
            Conflict: If a setting cannot change while the simulation runs, or another service holds the simulation.
        """
        name = simulation_name(name)
        async with self._turns[name]:
            kept = await self._store.get(name)
            if kept.held_elsewhere(self._store.service):
                raise held_by_another(name, str(kept.owner_name))
            settings, overrides = self._store.settings(kept, given)
            loading = self._live.loading.get(name)
            live = self._live.current(kept)
            if live is None and loading is None and _SEEN & given.keys():
                with suppress(NotFound, InvalidInput, Conflict):  # there is nothing that could be shown
                    live = await self._live.awake(name)
            if loading is not None:
                fixed = _fixed(loading.settings.changed(loading.changes), settings, given, running=True)
                check_palace_trails(settings, folder=loading.choice.root is not None)
                loading.changes |= {one: value for one, value in given.items() if one not in fixed}
                await self._store.put(name, hold=None, settings=overrides, query=settings.query)
            elif live is not None:
                fixed = _fixed(live.settings, settings, given, running=live.state == "running")
                # Settings that cannot change in a simulation in memory apply to the next start.
                chosen = live.settings.changed({one: value for one, value in given.items() if one not in fixed})
                check_palace_trails(chosen, folder=live.corpus.palace is None)
                aimed = {"query", "kw_terms"} & given.keys()
                await live.change(chosen, await self._live.target(live.corpus, chosen) if aimed else None)
                await self._store.put(name, hold=None, settings=overrides)
            else:
                await self._store.claim(replace(kept, settings=overrides, query=settings.query), hold=False)
        return settings


def _fixed(now: SimulationSettings, then: SimulationSettings, given: Mapping[str, Any], *, running: bool) -> list[str]:
    """Return the names of the given settings that can change only with the next start.

    Raises:
        Conflict: If there are any and the simulation runs.
    """
    described = usage()
    fixed = [one for one in given if not described[one]["live"] and getattr(then, one) != getattr(now, one)]
    if fixed and running:
        raise Conflict(f"{', '.join(fixed)} cannot change while the simulation runs: stop it first", fields=fixed)
    return fixed
