"""Where simulations are kept, with the settings of each."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Any

from graphpalace.domain.simulation.kept_simulation import ServiceIdentity, StoredSimulation
from graphpalace.domain.simulation.simulation_settings import SimulationSettings, checked_settings
from graphpalace.errors import Conflict, InvalidInput, NotFound
from graphpalace.operations.simulation.corpus_choice import CorpusChoice
from graphpalace.operations.simulation.kept.palace_trails import PalaceTrails
from graphpalace.operations.simulation.live.live import LiveSimulation
from graphpalace.store.connection.database import Database
from graphpalace.store.simulation.simulations import StoredSimulations

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


class SimulationStore:
    """Keeps simulations in the database. Settings: the service's defaults, then those kept, then those of a call.

    Nothing is written over a simulation that another service holds.
    """

    def __init__(
        self,
        database: Database,
        trails: PalaceTrails,
        service: ServiceIdentity,
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
        self.stored = StoredSimulations(database, service)
        self._trails = trails
        self.service = service
        self._palace = palace
        self._defaults = checked_settings(defaults)

    async def get(self, name: str) -> StoredSimulation:
        """Return what is kept; an idle simulation where there is nothing yet."""
        return await self.stored.get(name) or StoredSimulation(name, self._palace)

    async def there(self, name: str) -> StoredSimulation:
        """Return what is kept.

        Raises:
            NotFound: If there is no simulation of that name.
        """
        kept = await self.stored.get(simulation_name(name))
        if kept is None:
            raise NotFound(f"there is no simulation {name!r}: start one", simulation=name)
        return kept

    async def every(self) -> list[StoredSimulation]:
        """Return all, by name."""
        return await self.stored.every()

    async def state(self, name: str) -> bytes:
        """Return the complete state; b"" if none is kept."""
        return await self.stored.state(name)

    async def view(self, name: str) -> list[bytes]:
        """Return the messages that are kept for who watches."""
        return [zlib.decompress(message) for message in await self.stored.view(name)]

    async def claim(self, kept: StoredSimulation, *, hold: bool, state: bytes | None = None) -> None:
        """Keep a simulation and own it from now on.

        Args:
            hold: Whether nobody else may write it until it is kept without being held, or nothing is heard any more.
            state: b"" removes the complete state and the picture that are kept; None leaves them.
        Raises:
            NotFound: If there is no such palace.
            Conflict: If another service holds the simulation.
        """
        claim = await self.stored.claim(kept, hold=hold, state=state)
        if claim is None:
            raise NotFound(f"there is no palace {kept.palace!r}", palace=kept.palace)
        if not claim.claimed:
            raise held_by_another(kept.name, claim.owner_name)

    def settings(
        self, kept: StoredSimulation, given: Mapping[str, Any] | None = None
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

    def choice(self, kept: StoredSimulation, given: Mapping[str, Any] | None) -> CorpusChoice:
        """Return the corpus that is asked for; without a word the one of the last start, else the whole palace."""
        named = {field: value for field, value in (given or {}).items() if value is not None}
        if not named and kept.corpus is not None:
            return CorpusChoice.from_json(kept.corpus)
        drawers = named.pop("drawers", None)
        return CorpusChoice(
            **{"palace": self._palace, **named}, drawers=tuple(drawers) if drawers is not None else None
        )

    @staticmethod
    def as_it_stands(kept: StoredSimulation) -> StoredSimulation:
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
        await self.stored.keep(
            name,
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
        if not await self.stored.keep(name, hold=hold, properties=properties):
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
        kept = await self.stored.keep(
            name,
            hold=live.held,
            properties=self.record(live) | {"results": results, "report": report},
            state=state,
            view=None if view is None else [zlib.compress(message) for message in view],
        )
        if not kept:
            raise Conflict(f"simulation {name!r} was dropped, or another service has taken it over", simulation=name)
        if live.corpus.palace is None:
            return
        await self.stored.show_findings(live.corpus.palace, name, results)
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
