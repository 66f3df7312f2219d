"""Runs the decay of every palace when it is due."""

from __future__ import annotations

import structlog

from graphpalace.bootstrap import make_decay, open_database
from graphpalace.errors import DecayRunning, GraphPalaceError, NotFound
from graphpalace.operations.decay import Decay
from graphpalace.serve.timetable import Timetable
from graphpalace.settings import Settings
from graphpalace.store.database import Database

_LOG = structlog.get_logger("graphpalace.decay")
_SHORTEST_S, _LONGEST_S = 0.1, 30.0


class DecayService:
    """Looks again and again whether the decay of a palace is due, and runs it.

    Where other services do the same, the lease in the graph lets one of them work. A database that is away is looked
    for again at the next look.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._timetable = Timetable()
        self._database: Database | None = None
        self._trouble = ""

    @property
    def look_every_s(self) -> float:
        """A quarter of the interval, within 0.1 s and 30 s."""
        interval_s = self._settings.decay.cycle_seconds * self._settings.pheromones.decay_interval_cycles
        return min(max(interval_s / 4, _SHORTEST_S), _LONGEST_S)

    def start(self) -> None:
        """Begin to look, at once."""
        self._timetable.every(self.look_every_s, self._look, at_once=True)
        self._timetable.start()
        _LOG.info("decay_service_started", look_every_s=self.look_every_s)

    async def stop(self) -> None:
        """Stop; a run under way ends between two batches, and the next one goes on from there."""
        await self._timetable.stop()
        await self._close()
        _LOG.info("decay_service_stopped")

    async def _look(self) -> None:
        try:
            if self._database is None:
                self._database = open_database(self._settings)
            decay = make_decay(self._settings, self._database)
            for palace in await decay.due():
                await self._run(decay, palace)
        except Exception as error:  # whatever it is, the service keeps trying and says so
            message = error.message if isinstance(error, GraphPalaceError) else repr(error)
            if message != self._trouble:
                _LOG.warning("decay_failed", reason=message)
            self._trouble = message
            await self._close()  # a managed server that is started anew may have another password
        else:
            if self._trouble:
                _LOG.info("decay_works_again")
            self._trouble = ""

    async def _run(self, decay: Decay, palace: str) -> None:
        try:
            run = await decay.run_if_due(palace)
        except (DecayRunning, NotFound) as error:  # another service is at it, or the palace was dropped
            _LOG.info("decay_left_to_others", palace=palace, reason=error.message)
            return
        if run:
            _LOG.info(
                "decay", palace=palace, cycle=run.cycle, nodes=run.nodes, edges=run.edges, seconds=round(run.seconds, 3)
            )

    async def _close(self) -> None:
        if self._database:
            await self._database.close()
            self._database = None
