"""Runs the decay of every palace when it is due, inside the service or as a process of its own."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable

import structlog

from graphpalace.app import make_decay, open_database
from graphpalace.errors import DecayRunning, GraphPalaceError, NotFound
from graphpalace.operations.pheromones.decay import Decay
from graphpalace.serve.logs import configure
from graphpalace.serve.timetable import Timetable
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database
from graphpalace.telemetry import metrics
from graphpalace.telemetry.otlp import tracing
from graphpalace.telemetry.work_ids import background

_LOG = structlog.get_logger("graphpalace.decay")
_SHORTEST_S, _LONGEST_S = 0.1, 30.0


class DecayService:
    """Checks at intervals whether the decay of a palace is due, and runs it.

    If several services do this, a lease in the graph lets only one of them work. If the database cannot be reached, the
    service tries again at the next check.
    """

    def __init__(
        self,
        settings: Settings,
        decay: Callable[[], Decay | None],
        *,
        let_go: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Create the service.

        Args:
            decay: Returns the decay on the database of the process; None if the database cannot be reached yet, which
                another part of the process reports.
            let_go: Closes the database after a failure and at the end, if nothing else uses it.
        """
        self._settings = settings
        self._decay = decay
        self._let_go = let_go
        self._timetable = Timetable()
        self._trouble = ""

    @property
    def look_every_s(self) -> float:
        """Seconds between two checks: a quarter of the interval, at least 0.1 and at most 30."""
        interval_s = self._settings.decay.cycle_seconds * self._settings.pheromones.decay_interval_cycles
        return min(max(interval_s / 4, _SHORTEST_S), _LONGEST_S)

    def start(self) -> None:
        """Start checking, the first time at once."""
        self._timetable.every(self.look_every_s, self._look, at_once=True)
        self._timetable.start()
        _LOG.info("decay_service_started", look_every_s=self.look_every_s)

    async def stop(self) -> None:
        """Stop. A run in progress ends after its current batch, and the next run continues from there."""
        await self._timetable.stop()
        await self._close()
        _LOG.info("decay_service_stopped")

    async def _look(self) -> None:
        try:
            decay = self._decay()
            if decay is None:
                return
            for palace in await decay.due():
                with background("decay", palace=palace):
                    await self._apply(decay, palace)
        except Exception as error:  # whatever the error is, the service logs it and keeps trying
            metrics.DECAY_FAILURES.inc()
            message = error.message if isinstance(error, GraphPalaceError) else repr(error)
            if message != self._trouble:
                _LOG.warning("decay_failed", reason=message)
            self._trouble = message
            await self._close()  # a restarted managed server may have another password
        else:
            if self._trouble:
                _LOG.info("decay_works_again")
            self._trouble = ""

    async def _apply(self, decay: Decay, palace: str) -> None:
        try:
            done = await decay.apply_if_due(palace)
        except (DecayRunning, NotFound) as error:  # another service is running it, or the palace was dropped
            _LOG.info("decay_left_to_others", palace=palace, reason=error.message)
            return
        if done:
            _LOG.info(
                "decay",
                palace=palace,
                cycle=done.cycle,
                nodes=done.nodes,
                edges=done.edges,
                seconds=round(done.seconds, 3),
            )

    async def _close(self) -> None:
        if self._let_go:
            await self._let_go()


def run_decay_service(settings: Settings) -> None:
    """Run the decay of every palace whenever it is due, until SIGTERM or SIGINT."""
    configure(settings.service.log_format)
    with tracing(settings.telemetry):
        asyncio.run(_serve(settings))


async def _serve(settings: Settings) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    own = _OwnDatabase(settings)
    service = DecayService(settings, own.decay, let_go=own.close)
    service.start()
    await ended.wait()
    await service.stop()


class _OwnDatabase:
    """The database of this process, opened when it is needed."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._database: Database | None = None

    def decay(self) -> Decay:
        if self._database is None:
            self._database = open_database(self._settings)
        return make_decay(self._settings, self._database)

    async def close(self) -> None:
        if self._database is not None:
            await self._database.close()
            self._database = None
