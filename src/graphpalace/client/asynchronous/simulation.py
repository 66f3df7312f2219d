"""Simulations of a swarm that searches a corpus."""

from __future__ import annotations

import asyncio
import builtins
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from graphpalace.client import wire
from graphpalace.client.asynchronous.link import AsyncLink
from graphpalace.errors import Conflict, GraphPalaceError

if TYPE_CHECKING:
    from graphpalace.domain.simulation.simulation_answers import (
        AgentsChanged,
        CorpusPage,
        DescribedSettings,
        SimulationChanged,
        SimulationResults,
        SimulationStarted,
        SimulationStatus,
        VisitedDocument,
    )
    from graphpalace.domain.simulation.simulations import Report

_POLL_S = 0.1


class AsyncSimulations:
    """Simulations by name. They run in the service, or in this process, and are seen by all clients.

    Settings are those of docs/reference/simulation-settings.md, by name.
    """

    def __init__(self, link: AsyncLink) -> None:
        """Use the link of a palace."""
        self._link = link

    async def start(
        self,
        name: str = "default",
        *,
        wing: str | None = None,
        room: str | None = None,
        drawers: Sequence[str] | None = None,
        root: str | None = None,
        replace: bool = True,
        unused_params: Mapping[str, Any] | None = None,
        **settings: Any,
    ) -> SimulationStarted:
        """Start a simulation over the palace, and return while it is loading.

        Args:
            name: 1 to 64 letters, digits, spaces, `_`, `.` or `-`.
            wing, room: Only the documents of these.
            drawers: Only these drawers, by id, at most 100,000.
            root: A folder of the service's machine, in place of the palace's documents.
            replace: Stop a simulation of that name that runs; otherwise it refuses this one.
            unused_params: Parameters of yours that have no effect here; they are kept, and the status shows them.
            settings: Settings to change, for example `query="bread", num_agents=50`; the others stay as they were.
        Raises:
            InvalidInput: If a setting or the choice of documents is not possible.
            NotFound: If the palace, the wing, the room or a drawer does not exist.
            Conflict: If too many simulations run, another service holds the one of this name, or it runs and `replace`
                is false.
        """
        from graphpalace.domain.simulation.simulation_answers import SimulationStarted

        choice = {"wing": wing, "room": room, "drawers": drawers, "root": root}
        given = {**settings, "replace": replace, "unused_params": unused_params or {}}
        body = start_body(self._link.palace, choice, given)
        return await self._link.send_plain(SimulationStarted, "/v1/mcmp/start", body, simulation=name)

    async def run(
        self,
        name: str = "python",
        *,
        wing: str | None = None,
        room: str | None = None,
        drawers: Sequence[str] | None = None,
        root: str | None = None,
        unused_params: Mapping[str, Any] | None = None,
        progress: Callable[[SimulationStatus], object] | None = None,
        **settings: Any,
    ) -> SimulationResults:
        """Run a simulation to its end, as fast as possible, and return what it found, best first.

        It starts from the defaults of the service and replaces a simulation of that name. Its results are kept under
        its name. If the wait is interrupted, the simulation is stopped.

        Args:
            name, wing, room, drawers, root, unused_params: As for `start`.
            progress: Called about ten times a second with the status, and once at the end.
            settings: Settings that differ from the defaults, for example `query="bread", num_agents=50`.
        Raises:
            InvalidInput, NotFound: As `start`.
            Conflict: If a simulation of this name runs already, or somebody resets it meanwhile.
            GraphPalaceError: If the simulation fails.
        """
        palace, fresh = await self._fresh(settings)
        # Without a palace, a start would take the documents of the last one.
        named = AsyncSimulations(AsyncLink(self._link.transport, palace, timeout_s=self._link.timeout_s))
        choice = {"wing": wing, "room": room, "drawers": drawers, "root": root, "unused_params": unused_params}
        begun = False
        try:
            await named.start(name, replace=False, **choice, **fresh)
            begun = True
            while (now := await self.status(name)).running or now.state == "paused":
                if progress:
                    progress(now)
                await asyncio.sleep(_POLL_S)
        except BaseException as error:
            if begun or not isinstance(error, GraphPalaceError):  # a refused start has started nothing
                with suppress(GraphPalaceError):
                    await self._stop_if_running(name)
            raise
        if progress:
            progress(now)
        if now.state == "failed":
            raise GraphPalaceError(f"simulation {name!r} failed at {now.error}", simulation=name)
        if now.state != "stopped":
            raise Conflict(f"simulation {name!r} was reset by somebody else", simulation=name)
        return await self.results(name)

    async def stop(self, name: str = "default") -> SimulationChanged:
        """Stop a simulation, even while it is loading. Its results are kept.

        Raises:
            NotFound: If there is no simulation of that name.
            Conflict: If another service holds it and does not answer.
        """
        from graphpalace.domain.simulation.simulation_answers import SimulationChanged

        return await self._link.send_plain(SimulationChanged, "/v1/mcmp/stop", None, simulation=name)

    async def reset(self, name: str = "default") -> SimulationChanged:
        """Stop a simulation, and delete its state and results. Its settings are kept.

        Raises:
            NotFound, Conflict: As `stop`.
        """
        from graphpalace.domain.simulation.simulation_answers import SimulationChanged

        return await self._link.send_plain(SimulationChanged, "/v1/mcmp/reset", None, simulation=name)

    async def pause(self, name: str = "default") -> SimulationChanged:
        """Pause a simulation, and keep its complete state.

        Raises:
            Conflict: If it does not run, or another service holds it and does not answer.
        """
        from graphpalace.domain.simulation.simulation_answers import SimulationChanged

        return await self._link.send_plain(SimulationChanged, "/v1/mcmp/pause", None, simulation=name)

    async def resume(self, name: str = "default") -> SimulationStarted:
        """Continue a paused simulation, also after a restart of the service.

        Raises:
            NotFound: If there is no simulation of that name.
            Conflict: If it is over or was never started, or another service holds it and does not answer.
        """
        from graphpalace.domain.simulation.simulation_answers import SimulationStarted

        return await self._link.send_plain(SimulationStarted, "/v1/mcmp/resume", None, simulation=name)

    async def add_agents(self, name: str = "default", *, n: int) -> AgentsChanged:
        """Add agents, which start at the question.

        Args:
            n: How many, 1 to 10,000; all together may be 10,000.
        Raises:
            InvalidInput: If there would be too many, or none is added.
            NotFound, Conflict: If there is no simulation of that name in memory that can be changed.
        """
        from graphpalace.domain.simulation.simulation_answers import AgentsChanged

        return await self._link.send_plain(AgentsChanged, "/v1/mcmp/agents/add", {"n": n}, simulation=name)

    async def resize_agents(self, name: str = "default", *, count: int) -> AgentsChanged:
        """Set the number of agents. If there are too many, the newest go.

        Args:
            count: 1 to 10,000.
        Raises:
            InvalidInput, NotFound, Conflict: As `add_agents`.
        """
        from graphpalace.domain.simulation.simulation_answers import AgentsChanged

        return await self._link.send_plain(AgentsChanged, "/v1/mcmp/agents/resize", {"count": count}, simulation=name)

    async def configure(self, name: str = "default", **settings: Any) -> Mapping[str, Any]:
        """Change settings of a simulation and of its next start, and return all of them.

        Args:
            settings: For example `kw_lambda=0.5`; `seed=None` takes a new seed at the next start.
        Raises:
            InvalidInput: If one of them is not possible; then none is changed.
            Conflict: If one cannot change while the simulation runs, or another service holds it.
        """
        from graphpalace.domain.simulation.simulation_answers import ChangedSettings

        changed = await self._link.send_plain(ChangedSettings, "/v1/mcmp/config", settings, simulation=name)
        return changed.settings

    async def settings(self, name: str = "default") -> DescribedSettings:
        """Return the settings of the next start, and for each its type, default, range and description."""
        from graphpalace.domain.simulation.simulation_answers import DescribedSettings

        return await self._link.get(DescribedSettings, "/v1/mcmp/settings", simulation=name)

    async def status(self, name: str = "default") -> SimulationStatus:
        """Return the status of a simulation; it is idle if there is none of that name."""
        from graphpalace.domain.simulation.simulation_answers import SimulationStatus

        return await self._link.get(SimulationStatus, "/v1/mcmp/status", simulation=name)

    async def statuses(self) -> builtins.list[SimulationStatus]:
        """Return the status of every simulation of the database, running or kept."""
        from graphpalace.domain.simulation.simulation_answers import SimulationStatuses

        return builtins.list((await self._link.get(SimulationStatuses, "/v1/mcmp/simulations")).simulations)

    async def search(self, query: str, *, name: str = "default", top_k: int = 10) -> SimulationResults:
        """Search the documents of a simulation for another question, with the visits so far.

        Args:
            query: At least one word.
            top_k: The number of results, 1 to 200.
        Raises:
            InvalidInput: If a value is out of its range.
            NotFound: If there is no simulation of that name.
        """
        from graphpalace.domain.simulation.simulation_answers import SimulationResults

        body = {"query": query, "top_k": top_k}
        return await self._link.send_plain(SimulationResults, "/v1/mcmp/search", body, simulation=name)

    async def results(self, name: str = "default") -> SimulationResults:
        """Return the results so far, or those at the end, best first.

        Raises:
            NotFound: If there is no simulation of that name.
        """
        from graphpalace.domain.simulation.simulation_answers import SimulationResults

        return await self._link.get(SimulationResults, "/v1/mcmp/results", simulation=name)

    async def report(self, name: str = "default") -> Report:
        """Return the latest report; a simulation writes reports if its setting `report_enabled` is on.

        Raises:
            NotFound: If there is no simulation of that name, or it has no report.
        """
        from graphpalace.domain.simulation.simulations import Report

        return await self._link.get(Report, "/v1/mcmp/report", simulation=name)

    async def document(self, document: str, *, name: str = "default") -> VisitedDocument:
        """Return a document of a simulation with its text, its relevance and its visits.

        Raises:
            NotFound: If there is no such document or simulation.
        """
        from graphpalace.domain.simulation.simulation_answers import VisitedDocument

        return await self._link.get(
            VisitedDocument, f"/v1/mcmp/doc/{wire.segment('document', document)}", simulation=name
        )

    async def corpus(
        self,
        name: str = "default",
        *,
        root: str | None = None,
        page: int = 1,
        page_size: int = 50,
        exclude: Sequence[str] | None = None,
    ) -> CorpusPage:
        """Return a page of the documents of a simulation, or of the files that a start with a folder would read.

        Args:
            root: A folder of the service's machine; default: the simulation's documents.
            page: From 1.
            page_size: 1 to 500.
            exclude: Names of folders to leave out; default: those of the setting `exclude_dirs`.
        Raises:
            InvalidInput: If a value is out of its range, or the folder may not be read.
            NotFound: If there is no simulation of that name, or no such folder.
        """
        from graphpalace.domain.simulation.simulation_answers import CorpusPage

        # An empty list of names is not the default: it leaves out no folder.
        skipped = None if exclude is None else builtins.list(exclude) or [""]
        return await self._link.get(
            CorpusPage,
            "/v1/mcmp/corpus/list",
            simulation=name,
            root=root,
            page=page,
            page_size=page_size,
            exclude=skipped,
        )

    async def _stop_if_running(self, name: str) -> None:
        if (await self.status(name)).running:
            await self.stop(name)

    async def _fresh(self, given: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """Return the palace and all settings: the given ones, and the service's defaults for the rest."""
        from graphpalace.domain.simulation.simulation_settings import SimulationSettings, checked_settings

        unused = f"unused {uuid.uuid4().hex}"  # a name without a last start, whose values a start would take
        palace = self._link.palace or (await self.status(unused)).palace
        defaults = (await self.settings(unused)).settings
        known = {name: value for name, value in defaults.items() if name in SimulationSettings.model_fields}
        return palace, checked_settings(known).changed({"max_steps_per_s": 0.0} | dict(given)).model_dump()


def start_body(palace: str | None, choice: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body that starts a simulation or a job. What is None in the choice of documents is left out."""
    chosen = {name: value for name, value in {"palace": palace, **choice}.items() if value is not None}
    return chosen | dict(settings)
