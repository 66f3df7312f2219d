"""Where simulations are kept, with the settings of each."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Any

from graphpalace.domain.simulation_settings import SimulationSettings, checked_settings
from graphpalace.errors import Conflict, InvalidInput, NotFound
from graphpalace.operations.simulation.corpus import CorpusChoice
from graphpalace.operations.simulation.live import LiveSimulation
from graphpalace.operations.simulation.palace_trails import PalaceTrails
from graphpalace.store.database import Database
from graphpalace.store.stored_simulations import (
    KeptSimulation,
    Service,
    claim_simulation,
    get_simulation,
    keep_simulation,
    list_simulations,
    read_state,
    read_view,
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
    """Keeps simulations in the database. Settings: the service's defaults, then those kept, then those of a call.

    Nothing is written over a simulation that another service holds.
    """

    def __init__(
        self,
        database: Database,
        trails: PalaceTrails,
        service: Service,
        *,
        palace: str,
        defaults: Mapping[str, Any],
    ) -> None:
        """Wire it.

        Args:
            service: Who holds what runs here.
            palace: Where none is named.
            defaults: Settings that differ from `SimulationSettings`.
        Raises:
            InvalidInput: If one of them is wrong.
        """
        self._database = database
        self._trails = trails
        self.service = service
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

    async def view(self, name: str) -> list[bytes]:
        """Return the messages that are kept for who watches."""
        return [zlib.decompress(message) for message in await read_view(self._database, name)]

    async def claim(self, kept: KeptSimulation, *, hold: bool, state: bytes | None = None) -> None:
        """Keep a simulation and own it from now on.

        Args:
            hold: Whether nobody else may write it until it is kept without being held, or nothing is heard any more.
            state: b"" removes the complete state and the picture that are kept; None leaves them.
        Raises:
            NotFound: If there is no such palace.
            Conflict: If another service holds the simulation.
        """
        row = await claim_simulation(self._database, kept, self.service, hold=hold, state=state)
        if row is None:
            raise NotFound(f"there is no palace {kept.palace!r}", palace=kept.palace)
        if not row["claimed"]:
            raise held_by_another(kept.name, row["owner_name"])

    def settings(
        self, kept: KeptSimulation, given: Mapping[str, Any] | None = None
    ) -> tuple[SimulationSettings, dict[str, Any]]:
        """Return the settings, and those of them that differ from the service's defaults under their preset.

        Raises:
            InvalidInput: If a given one is wrong.
        """
        settings = self._defaults.changed({**kept.settings, **(given or {})})
        plain = self._defaults.model_dump()
        if settings.preset != self._defaults.preset:
            plain = self._defaults.changed({"preset": settings.preset}).model_dump() | {"preset": None}
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
    def as_it_stands(kept: KeptSimulation) -> KeptSimulation:
        """Return what is kept; of what nobody holds any more the state says so."""
        if kept.held or kept.state not in ("loading", "running"):
            return kept
        if kept.state == "running":
            return replace(kept, state="paused")
        gone = f"{kept.owner_name or 'the service'} went away while it was loading: start it again"
        return replace(kept, state="failed", error=gone, loading=None)

    @staticmethod
    def figures(live: LiveSimulation) -> dict[str, Any]:
        """Return how far a live simulation is, as fields of what is kept."""
        return {
            "state": live.state,
            "step": live.course.swarm.step,
            "agents": len(live.course.swarm.agents),
            "metrics": live.course.metrics.figures(),
            "steps_per_s": live.steps_per_s,
            "stopped_by": live.stopped_by,
            "error": live.error,
        }

    def record(self, live: LiveSimulation) -> dict[str, Any]:
        """Return what a live simulation changes of what is kept; settings and corpus are not its own."""
        return self.figures(live) | {
            "docs": len(live.course.ids),
            "query": live.settings.query,
            "seed": live.seed,
            "began_at": live.began_at,
            "preset": live.settings.preset,
            "loading": None,
        }

    async def show(self, name: str, live: LiveSimulation, view: Sequence[bytes]) -> None:
        """Keep a picture of a simulation that somebody watches elsewhere."""
        await keep_simulation(
            self._database,
            name,
            self.service,
            hold=live.held,
            newest=True,
            properties=self.figures(live),
            view=[zlib.compress(message) for message in view],
        )

    async def put(self, name: str, *, hold: bool | None, **properties: Any) -> None:
        """Change fields of a simulation that this service owns.

        Args:
            hold: Whether it goes on to hold it; None to leave that as it is.
        Raises:
            Conflict: If it is gone, or another service took it over.
        """
        if not await keep_simulation(self._database, name, self.service, hold=hold, properties=properties):
            raise Conflict(f"simulation {name!r} was dropped, or another service has taken it over", simulation=name)

    async def keep(self, name: str, live: LiveSimulation, view: Sequence[bytes] | None = None) -> None:
        """Keep a live simulation with its complete state and results; lay its trails if it is over and asked to.

        Args:
            view: Messages for those who watch later or elsewhere; None: those that are kept.
        Raises:
            Conflict: If it is gone, or another service took it over; nothing is kept then.
        """
        state = await live.between_steps(live.course.stored)
        results = [finding.as_json() for finding in await live.results()]
        report = asdict(live.report) if live.report else None
        kept = await keep_simulation(
            self._database,
            name,
            self.service,
            hold=live.held,
            properties=self.record(live) | {"results": results, "report": report},
            state=state,
            view=None if view is None else [zlib.compress(message) for message in view],
        )
        if not kept:
            raise Conflict(f"simulation {name!r} was dropped, or another service has taken it over", simulation=name)
        if live.corpus.palace is None:
            return
        await show_findings(self._database, live.corpus.palace, name, results)
        if live.state == "stopped" and live.settings.deposit:
            with suppress(NotFound):  # what was deleted meanwhile needs no trail
                await self._trails.deposit(live.corpus.palace, name, live)


def held_by_another(name: str, owner: str) -> Conflict:
    """Return the refusal of what only the owner of a simulation can do."""
    return Conflict(
        f"simulation {name!r} is held by {owner}: ask it to pause, resume or stop, or give another name",
        simulation=name,
        owner=owner,
    )
