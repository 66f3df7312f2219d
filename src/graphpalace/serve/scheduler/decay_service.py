"""Runs the decay of every palace when it is due."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import structlog

from graphpalace.errors import DecayRunning, GraphPalaceError, NotFound
from graphpalace.operations.pheromones.decay import Decay
from graphpalace.serve.timetable import Timetable
from graphpalace.settings.load import Settings
from graphpalace.telemetry import metrics
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
