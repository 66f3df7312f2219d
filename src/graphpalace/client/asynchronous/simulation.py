"""Simulations of a swarm that searches a corpus, and those that run in the background."""

from __future__ import annotations

import asyncio
import builtins
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from graphpalace.client.asynchronous.kept_simulations import AsyncKeptSimulations
from graphpalace.client.asynchronous.link import AsyncLink
from graphpalace.client.asynchronous.queued_jobs import AsyncQueuedJobs
from graphpalace.errors import Conflict, GraphPalaceError

if TYPE_CHECKING:
    from graphpalace.domain.simulation.jobs import JobStarted, JobStatus
    from graphpalace.domain.simulation.simulation_requests import (
        CorpusPage,
        SimulationResults,
        SimulationStarted,
        SimulationStatus,
    )


_POLL_S = 0.1


class AsyncSimulations(AsyncKeptSimulations):
    """Simulations by name. They run in the service, or in this process, and are seen by all clients.

    Settings are those of docs/reference/simulation-settings.md, by name.
    """

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
        from graphpalace.domain.simulation.simulation_requests import SimulationStarted

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

    async def configure(self, name: str = "default", **settings: Any) -> Mapping[str, Any]:
        """Change settings of a simulation and of its next start, and return all of them.

        Args:
            settings: For example `kw_lambda=0.5`; `seed=None` takes a new seed at the next start.
        Raises:
            InvalidInput: If one of them is not possible; then none is changed.
            Conflict: If one cannot change while the simulation runs, or another service holds it.
        """
        from graphpalace.domain.simulation.simulation_requests import ChangedSettings

        changed = await self._link.send_plain(ChangedSettings, "/v1/mcmp/config", settings, simulation=name)
        return changed.settings

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
        from graphpalace.domain.simulation.simulation_requests import CorpusPage

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


_JOB_POLL_S = 0.2


class AsyncJobs(AsyncQueuedJobs):
    """The background jobs of a palace. Any service of the database continues one whose service ends."""

    async def start(
        self,
        simulation: str = "default",
        *,
        wing: str | None = None,
        room: str | None = None,
        drawers: Sequence[str] | None = None,
        root: str | None = None,
        **settings: Any,
    ) -> JobStarted:
        """Queue a job and return its id.

        Args:
            simulation: Whose settings are the defaults, and whose clients see the progress.
            wing, room, drawers, root: As for `simulations.start`.
            settings: Settings that differ, for example `query="bread", max_chunks_per_shard=500`.
        Raises:
            InvalidInput: If a setting or the choice of documents is not possible.
            NotFound: If the palace, the wing, the room or a drawer does not exist.
        """
        from graphpalace.domain.simulation.jobs import JobStarted

        body = start_body(self._link.palace, {"wing": wing, "room": room, "drawers": drawers, "root": root}, settings)
        return await self._link.send_plain(JobStarted, "/v1/mcmp/jobs/start", body, simulation=simulation)

    async def wait(self, job: str, progress: Callable[[JobStatus], object] | None = None) -> JobStatus:
        """Wait until a job is done, has failed or is cancelled, and return it with its results.

        The job goes on if the wait is interrupted.

        Args:
            progress: Called about five times a second with the job, and once at the end.
        Raises:
            NotFound: If there is no such job.
        """
        while True:
            now = await self.status(job)
            if progress:
                progress(now)
            if now.status not in ("queued", "running"):
                return now
            await asyncio.sleep(_JOB_POLL_S)
