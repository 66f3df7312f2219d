"""Show the clients of this service the simulations that other services hold."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import structlog

from graphpalace.domain.simulation.kept_simulation import StoredSimulation
from graphpalace.errors import GraphPalaceError
from graphpalace.operations.simulation.kept.simulation_store import SimulationStore
from graphpalace.operations.simulation.live.subscribers import Subscriber, Subscribers
from graphpalace.telemetry.work_ids import background_task

_LOG = structlog.get_logger("graphpalace.simulation")
_LOOK_S = 1.0
VIEW = ("snapshot", "results")


class SimulationFollower:
    """Reads the stored simulations that clients watch here, once a second, and sends them what is new."""

    def __init__(
        self,
        store: SimulationStore,
        watched: Callable[[], Mapping[str, Subscribers]],
        here: Callable[[str], bool],
    ) -> None:
        """Create a follower.

        Args:
            watched: Returns the subscribers of each simulation that has any, by name.
            here: Whether this service holds a simulation. Such a simulation informs its subscribers itself.
        """
        self._store = store
        self._watched = watched
        self._here = here
        self._told: dict[str, StoredSimulation] = {}
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start following, if it is not running."""
        if self._task is None or self._task.done():
            self._task = background_task("follow-simulations", self._follow())

    async def greet(self, seat: Subscriber, audience: Subscribers, kept: StoredSimulation) -> None:
        """Send a new client what is stored of a simulation."""
        for kind, message in zip(VIEW, await self._store.view(kept.name), strict=False):
            seat.put(kind, message)
        if kept.metrics is not None:
            seat.put("metrics", audience.message("metrics", metrics_of(kept)))
        if kept.report is not None:
            seat.put("report", audience.message("report", kept.report))

    async def look(self) -> None:
        """Send subscribers what is new in each simulation that is watched here and held elsewhere."""
        watched = {name: audience for name, audience in self._watched().items() if not self._here(name)}
        self._told = {name: kept for name, kept in self._told.items() if name in watched}
        if not watched:
            return
        for found in await self._store.stored.watch(sorted(watched)):
            kept = self._store.as_it_stands(found)
            told = self._told.get(kept.name)
            self._told[kept.name] = kept
            if kept.owner == self._store.service.id:  # subscribers were informed when it happened
                continue
            await self._tell(watched[kept.name], kept, told)

    async def close(self) -> None:
        """Stop following."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _follow(self) -> None:
        while self._watched():
            try:
                await self.look()
            except GraphPalaceError as error:
                _LOG.warning("simulations_not_followed", reason=error.message)
            await asyncio.sleep(_LOOK_S)

    async def _tell(self, audience: Subscribers, kept: StoredSimulation, told: StoredSimulation | None) -> None:
        if kept.viewed_at and (told is None or kept.viewed_at != told.viewed_at):
            for kind, message in zip(VIEW, await self._store.view(kept.name), strict=False):
                audience.pass_on(kind, message)
        if kept.loading is not None and kept.state == "loading" and (told is None or kept.loading != told.loading):
            audience.tell("loading", kept.loading)
        if told is None or (kept.state, kept.step, kept.metrics) != (told.state, told.step, told.metrics):
            audience.tell("metrics", metrics_of(kept))
        if kept.report is not None and (told is None or kept.report != told.report):
            audience.tell("report", kept.report)
        if kept.error and (told is None or kept.error != told.error):
            audience.log("error", kept.error)


def metrics_of(kept: StoredSimulation) -> dict[str, Any]:
    """Return the data of the message `metrics` for a stored simulation."""
    named = {name: getattr(kept, name) for name in ("step", "state", "agents", "docs", "steps_per_s", "stopped_by")}
    return (kept.metrics or {}) | named
