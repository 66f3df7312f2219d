"""Where simulations are kept, with the settings of each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Any

from graphpalace.domain.simulation_settings import SimulationSettings, checked_settings
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.operations.simulation.corpus import CorpusChoice
from graphpalace.operations.simulation.live import LiveSimulation
from graphpalace.operations.simulation.palace_trails import PalaceTrails
from graphpalace.store.database import Database
from graphpalace.store.stored_simulations import (
    KeptSimulation,
    get_simulation,
    keep_simulation,
    list_simulations,
    read_state,
    show_findings,
)

_NAME = re.compile(r"[^\W_][\w .-]{0,63}")


def simulation_name(name: object) -> str:
    """Return a checked name.

    Raises:
        InvalidInput: If it is not 1 to 64 letters, digits, spaces, `_`, `.` or `-`, a letter or digit first.
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidInput(
            f"simulation name is {name!r}; it must be 1 to 64 letters, digits, spaces, '_', '.' or '-', "
            "and begin with a letter or a digit",
            field="simulation",
        )
    return name


class SimulationShelf:
    """Keeps simulations in the database. Settings: the service's defaults, then those kept, then those of a call."""

    def __init__(self, database: Database, trails: PalaceTrails, *, palace: str, defaults: Mapping[str, Any]) -> None:
        """Wire it.

        Args:
            palace: Where none is named.
            defaults: Settings that differ from `SimulationSettings`.
        Raises:
            InvalidInput: If one of them is wrong.
        """
        self._database = database
        self._trails = trails
        self._palace = palace
        self._defaults = checked_settings(defaults)

    async def get(self, name: str) -> KeptSimulation:
        """Return what is kept; an idle simulation where there is nothing yet."""
        return await get_simulation(self._database, name) or KeptSimulation(name, self._palace)

    async def there(self, name: str) -> KeptSimulation:
        """Return what is kept.

        Raises:
            NotFound: If there is no simulation of that name.
        """
        kept = await get_simulation(self._database, simulation_name(name))
        if kept is None:
            raise NotFound(f"there is no simulation {name!r}: start one", simulation=name)
        return kept

    async def every(self) -> list[KeptSimulation]:
        """Return all, by name."""
        return await list_simulations(self._database)

    async def state(self, name: str) -> bytes:
        """Return the complete state; b"" if none is kept."""
        return await read_state(self._database, name)

    async def put(self, kept: KeptSimulation, *, state: bytes | None = None) -> None:
        """Keep it; a state of b"" removes the one that is kept."""
        await keep_simulation(self._database, kept, state=state)

    def settings(
        self, kept: KeptSimulation, given: Mapping[str, Any] | None = None
    ) -> tuple[SimulationSettings, dict[str, Any]]:
        """Return the settings, and those of them that differ from the service's defaults.

        Raises:
            InvalidInput: If a given one is wrong.
        """
        settings = self._defaults.changed({**kept.settings, **(given or {})})
        plain = self._defaults.model_dump()
        return settings, {one: value for one, value in settings.model_dump().items() if value != plain[one]}

    def choice(self, kept: KeptSimulation, given: Mapping[str, Any] | None) -> CorpusChoice:
        """Return the corpus that is asked for; without a word the one of the last start, else the whole palace."""
        named = {field: value for field, value in (given or {}).items() if value is not None}
        if not named and kept.corpus is not None:
            return CorpusChoice.from_json(kept.corpus)
        drawers = named.pop("drawers", None)
        return CorpusChoice(
            **{"palace": self._palace, **named}, drawers=tuple(drawers) if drawers is not None else None
        )

    @staticmethod
    def record(live: LiveSimulation, kept: KeptSimulation) -> KeptSimulation:
        """Return what is kept, brought up to what is live."""
        return replace(
            kept,
            state=live.state,
            step=live.course.swarm.step,
            docs=len(live.course.ids),
            agents=len(live.course.swarm.agents),
            query=live.settings.query,
            seed=live.seed,
            metrics=live.course.metrics.figures(),
            stopped_by=live.stopped_by,
            error=live.error,
            began_at=live.began_at,
        )

    async def keep(self, name: str, live: LiveSimulation) -> None:
        """Keep a live simulation with its complete state and results; lay its trails if it is over and asked to."""
        state = await live.between_steps(live.course.stored)
        results = [finding.as_json() for finding in await live.results()]
        report = asdict(live.report) if live.report else None
        kept = self.record(live, await self.get(name))
        await self.put(replace(kept, results=results, report=report), state=state)
        if live.corpus.palace is None:
            return
        await show_findings(self._database, live.corpus.palace, name, results)
        if live.state == "stopped" and live.settings.deposit:
            with suppress(NotFound):  # what was deleted meanwhile needs no trail
                await self._trails.deposit(live.corpus.palace, name, live)
