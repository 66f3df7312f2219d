"""Store simulations in the database, each with its settings, state and results."""

from __future__ import annotations

import re
import time
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Any

from graphpalace.domain.simulation.kept_simulation import ServiceIdentity, StoredSimulation
from graphpalace.domain.simulation.simulation_requests import SIMULATION_NAME
from graphpalace.domain.simulation.simulation_settings import SimulationSettings, checked_settings
from graphpalace.errors import Conflict, InvalidInput, NotFound
from graphpalace.operations.simulation.corpus import CorpusChoice
from graphpalace.operations.simulation.live_simulation import LiveSimulation
from graphpalace.operations.simulation.palace_trails import PalaceTrails
from graphpalace.store.connection.database import Database
from graphpalace.store.simulation.simulations import StoredSimulations


def simulation_name(name: object) -> str:
    """Check the name of a simulation and return it.

    Raises:
        InvalidInput: If the name is not 1 to 64 letters, digits, spaces, `_`, `.` or `-`, or does not begin with a
            letter or digit.
    """
    if not isinstance(name, str) or not re.fullmatch(SIMULATION_NAME, name):
        raise InvalidInput(
            f"simulation name is {name!r}; it must be 1 to 64 letters, digits, spaces, '_', '.' or '-', "
            "and begin with a letter or a digit",
            field="simulation",
        )
    return name


class SimulationStore:
    """Stores simulations in the database.

    The settings of a simulation are the service's defaults, overridden by the stored settings, overridden by those of
    a call. A simulation that another service holds is never overwritten.
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
        """Create a store.

        Args:
            service: Identity of this service, as the owner of simulations.
            palace: Palace to use if none is given.
            defaults: Defaults of this service, where they differ from `SimulationSettings`.

        Raises:
            InvalidInput: If a default is invalid.
        """
        self.stored = StoredSimulations(database, service)
        self._trails = trails
        self.service = service
        self._palace = palace
        self._defaults = checked_settings(defaults)

    async def get(self, name: str) -> StoredSimulation:
        """Return the stored simulation, or an idle one if none is stored."""
        return await self.stored.get(name) or StoredSimulation(name, self._palace)

    async def there(self, name: str) -> StoredSimulation:
        """Return the stored simulation.

        Raises:
            NotFound: If no simulation of that name is stored.
        """
        kept = await self.stored.get(simulation_name(name))
        if kept is None:
            raise NotFound(f"there is no simulation {name!r}: start it first", simulation=name)
        return kept

    async def every(self) -> list[StoredSimulation]:
        """Return all stored simulations, sorted by name."""
        return await self.stored.every()

    async def state(self, name: str) -> bytes:
        """Return the stored complete state; b"" if there is none."""
        return await self.stored.state(name)

    async def view(self, name: str) -> list[bytes]:
        """Return the stored messages that show the simulation to clients."""
        return [zlib.decompress(message) for message in await self.stored.view(name)]

    async def claim(self, kept: StoredSimulation, *, hold: bool, state: bytes | None = None) -> None:
        """Store a simulation and become its owner.

        Args:
            hold: Whether to hold the simulation: nobody else may then write it, until it is stored with `hold` false or
                the lease expires.
            state: b"" deletes the stored state and picture; None leaves them.

        Raises:
            NotFound: If the palace does not exist.
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
        """Return the settings, and those of them that differ from the service's defaults for their preset.

        Raises:
            InvalidInput: If a given setting is invalid.
        """
        settings = self._defaults.changed({**kept.settings, **(given or {})})
        plain = self._defaults.model_dump()
        if settings.preset != self._defaults.preset:
            plain = self._defaults.changed({"preset": settings.preset}).model_dump() | {"preset": None}
        return settings, {one: value for one, value in settings.model_dump().items() if value != plain[one]}

    def choice(self, kept: StoredSimulation, given: Mapping[str, Any] | None) -> CorpusChoice:
        """Return the given choice of a corpus; if none is given, that of the last start, or else the whole palace."""
        named = {field: value for field, value in (given or {}).items() if value is not None}
        if not named and kept.corpus is not None:
            return CorpusChoice.from_json(kept.corpus)
        drawers = named.pop("drawers", None)
        return CorpusChoice(
            **{"palace": self._palace, **named}, drawers=tuple(drawers) if drawers is not None else None
        )

    @staticmethod
    def as_it_stands(kept: StoredSimulation) -> StoredSimulation:
        """Return the stored simulation with its state corrected if its owner no longer holds it.

        A simulation that was running is paused then, and one that was loading has failed.
        """
        if kept.held or kept.state not in ("loading", "running"):
            return kept
        if kept.state == "running":
            return replace(kept, state="paused")
        gone = f"{kept.owner_name or 'the service'} ended while it was loading the simulation: start it again"
        return replace(kept, state="failed", error=gone, loading=None)

    @staticmethod
    def figures(live: LiveSimulation) -> dict[str, Any]:
        """Return the progress of a live simulation, as fields of its stored record."""
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
        """Return the fields of the stored record that a live simulation changes: all but settings and corpus."""
        return self.figures(live) | {
            "docs": len(live.course.ids),
            "query": live.settings.query,
            "seed": live.seed,
            "began_at": live.began_at,
            "preset": live.settings.preset,
            "loading": None,
        }

    async def show(self, name: str, live: LiveSimulation, view: Sequence[bytes]) -> None:
        """Store a picture of a simulation for clients of other services."""
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
            hold: Whether this service holds the simulation from now on; None: unchanged.

        Raises:
            Conflict: If the simulation was deleted, or another service took it over.
        """
        if not await self.stored.keep(name, hold=hold, properties=properties):
            raise Conflict(f"simulation {name!r} was dropped, or another service has taken it over", simulation=name)

    async def keep(self, name: str, live: LiveSimulation, view: Sequence[bytes] | None = None) -> None:
        """Store a live simulation with its complete state and results.

        If it is over and its setting `deposit` is on, its trails are deposited in the palace.

        Args:
            view: Messages that show it to clients that come later or use other services; None: unchanged.

        Raises:
            Conflict: If the simulation was deleted, or another service took it over. Nothing is stored then.
        """
        read_at = time.monotonic_ns()  # whatever claims the simulation later is newer than what is stored here
        state = await live.between_steps(live.course.stored)
        results = [finding.as_json() for finding in await live.results()]
        report = asdict(live.report) if live.report else None
        kept = await self.stored.keep(
            name,
            hold=live.held,
            written_at=read_at,
            properties=self.record(live) | {"results": results, "report": report},
            state=state,
            view=None if view is None else [zlib.compress(message) for message in view],
        )
        if not kept:
            raise Conflict(f"simulation {name!r} was dropped, or another service has taken it over", simulation=name)
        if live.corpus.palace is None:
            return
        await self.stored.show_findings(live.corpus.palace, name, results, written_at=read_at)
        if live.state == "stopped" and live.settings.deposit:
            with suppress(NotFound):  # a drawer or edge was deleted meanwhile
                await self._trails.deposit(live.corpus.palace, name, live)


def held_by_another(name: str, owner: str) -> Conflict:
    """Return the error of an operation that only the owner of a simulation can do."""
    return Conflict(
        f"simulation {name!r} is held by {owner}: ask it to pause, resume or stop, or give another name",
        simulation=name,
        owner=owner,
    )
