"""The heartbeat of a service: it renews the leases of its simulations and receives requests from other services."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Coroutine, Mapping, Set
from typing import Any, Protocol

import structlog

from graphpalace.domain.deadline import without_deadline
from graphpalace.errors import GraphPalaceError
from graphpalace.store.simulation.simulations import StoredSimulations
from graphpalace.telemetry.work_ids import background_task

_LOG = structlog.get_logger("graphpalace.simulation")
BEAT_S = 1.0


class LeaseHolder(Protocol):
    """The owner of simulations, whose leases the heartbeat renews."""

    @property
    def figures(self) -> Mapping[str, Mapping[str, Any]]:
        """Progress of each held simulation, as fields of its stored record, by name."""
        ...

    @property
    def ending(self) -> Set[str]:
        """Names of the simulations that are no longer held, but whose end is still being stored."""
        ...

    async def obey(self, name: str, request: str) -> None:
        """Carry out the request of another service: `pause`, `resume` or `stop`."""
        ...

    async def show(self, name: str) -> None:
        """Store a picture for clients of other services."""
        ...

    def lose(self, name: str) -> None:
        """Give up a simulation that was deleted, or that another service took over."""
        ...


class Heartbeat:
    """Renews leases every second, as long as any simulation is held."""

    def __init__(self, stored: StoredSimulations, holder: LeaseHolder) -> None:
        self._stored = stored
        self._holder = holder
        self._task: asyncio.Task[None] | None = None
        self._before: set[str] = set()
        self._errands: dict[tuple[str, str], asyncio.Task[None]] = {}

    def start(self) -> None:
        """Start the heartbeat if it is not running."""
        if self._task is None or self._task.done():
            self._task = background_task("simulations", self._beat())

    async def beat(self) -> None:
        """Renew the leases of held simulations, release those no longer held, and handle requests.

        A simulation whose end is still being stored is neither renewed nor released: until then its stored state is
        that of a running one, and nobody else may take it.

        Raises:
            DatabaseUnavailable: If Neo4j cannot be reached. The simulations stay held meanwhile.
        """
        holder, gathered_at = self._holder, time.monotonic_ns()
        figures, ending = holder.figures, self._before & holder.ending
        gone, self._before = self._before - figures.keys() - ending, figures.keys() | ending
        if gone:
            await self._stored.release(sorted(gone), written_at=gathered_at)
        if not figures:
            return
        heard = await self._stored.renew(figures, written_at=gathered_at)
        for name in figures.keys() - heard.keys():
            if name in holder.figures:  # otherwise it has ended meanwhile
                _LOG.warning("simulation_lost", simulation=name)
                holder.lose(name)
        for name, answer in heard.items():
            if answer.request:
                self._send("request", name, self._obeyed(name, answer.request))
            if answer.watched:
                self._send("picture", name, holder.show(name))

    async def close(self) -> None:
        """Stop the heartbeat and give up all simulations. Nothing that is still on its way to Neo4j changes them."""
        tasks = [*self._errands.values(), *([self._task] if self._task else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if held := self._before | self._holder.figures.keys():
            with contextlib.suppress(GraphPalaceError):  # otherwise the leases expire
                await self._stored.release(sorted(held), written_at=time.monotonic_ns(), given_up=True)

    async def _beat(self) -> None:
        while True:
            try:
                await self.beat()
            except GraphPalaceError as error:
                _LOG.warning("simulations_not_renewed", reason=error.message)
            if not self._before and not self._holder.figures:
                return
            await asyncio.sleep(BEAT_S)

    def _send(self, kind: str, name: str, errand: Coroutine[Any, Any, None]) -> None:
        """Run a task in the background, with one task of a kind for each simulation at a time."""
        earlier = self._errands.get((kind, name))
        if kind == "picture" and earlier is not None:
            errand.close()
            return

        async def done() -> None:
            if earlier is not None:
                await asyncio.wait({earlier})
            try:
                await errand
            except GraphPalaceError as error:
                _LOG.warning("simulation_errand_failed", simulation=name, errand=kind, reason=error.message)

        task = without_deadline(done())
        self._errands[(kind, name)] = task
        task.add_done_callback(lambda task: self._errands.get((kind, name)) is task and self._errands.pop((kind, name)))

    async def _obeyed(self, name: str, request: str) -> None:
        try:
            await self._holder.obey(name, request)
        except GraphPalaceError as error:
            await self._stored.refuse(name, error.message)
