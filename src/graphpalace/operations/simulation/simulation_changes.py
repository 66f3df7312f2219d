"""Change the settings of a simulation, whether it is loading, in memory or only stored."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from graphpalace.domain.simulation.simulation_settings import SimulationSettings, usage
from graphpalace.errors import Conflict, InvalidInput, NotFound
from graphpalace.operations.simulation.corpus_choice import check_palace_trails
from graphpalace.operations.simulation.kept.simulation_store import SimulationStore, held_by_another, simulation_name
from graphpalace.operations.simulation.live.live_simulations import LiveSimulations

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
