"""A service's heartbeat: it holds simulations while it lives, and hears there what others ask of it."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Coroutine, Mapping
from typing import Any, Protocol

import structlog

from graphpalace.errors import GraphPalaceError
from graphpalace.store.simulation.simulations import StoredSimulations

_LOG = structlog.get_logger("graphpalace.simulation")
BEAT_S = 1.0


class LeaseHolder(Protocol):
    """What holds simulations."""

    @property
    def figures(self) -> Mapping[str, Mapping[str, Any]]:
        """How far each is that is held, as fields of what is kept, by name."""
        ...

    async def obey(self, name: str, request: str) -> None:
        """Do what another service asks for: `pause`, `resume` or `stop`."""
        ...

    async def show(self, name: str) -> None:
        """Keep a picture for those who watch elsewhere."""
        ...

    def lose(self, name: str) -> None:
        """Let go of one that is gone, or that another service took over."""
        ...


class Heartbeat:
    """Beats as long as anything is held."""

    def __init__(self, stored: StoredSimulations, holder: LeaseHolder) -> None:
        self._stored = stored
        self._holder = holder
        self._task: asyncio.Task[None] | None = None
        self._before: set[str] = set()
        self._errands: dict[tuple[str, str], asyncio.Task[None]] = {}

    def start(self) -> None:
        """Begin to beat, if it does not yet."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._beat())

    async def beat(self) -> None:
        """Renew the lease of all that is held, release what is not held any more, and see to what is asked for.

        Raises:
            DatabaseUnavailable: If Neo4j cannot be reached; what is held is held on until it says otherwise.
        """
        holder, gathered_at = self._holder, time.monotonic_ns()
        figures = holder.figures
        gone, self._before = self._before - figures.keys(), set(figures)
        if gone:
            await self._stored.release(sorted(gone), written_at=gathered_at)
        if not figures:
            return
        heard = await self._stored.renew(figures, written_at=gathered_at)
        for name in figures.keys() - heard.keys():
            if name in holder.figures:  # not over meanwhile
                _LOG.warning("simulation_lost", simulation=name)
                holder.lose(name)
        for name, answer in heard.items():
            if answer.request:
                self._send("request", name, self._obeyed(name, answer.request))
            if answer.watched:
                self._send("picture", name, holder.show(name))

    async def close(self) -> None:
        """Beat no more, and let others take what was held."""
        tasks = [*self._errands.values(), *([self._task] if self._task else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._before:
            with contextlib.suppress(GraphPalaceError):  # then the leases run out
                held, now = sorted(self._before), time.monotonic_ns()
                await self._stored.release(held, written_at=now)

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
        """Let something be done beside the beats, one of a kind for each simulation at a time."""
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

        task = asyncio.create_task(done())
        self._errands[(kind, name)] = task
        task.add_done_callback(lambda task: self._errands.get((kind, name)) is task and self._errands.pop((kind, name)))

    async def _obeyed(self, name: str, request: str) -> None:
        try:
            await self._holder.obey(name, request)
        except GraphPalaceError as error:
            await self._stored.refuse(name, error.message)
