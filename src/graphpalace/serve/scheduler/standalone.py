"""The decay service as a separate process."""

from __future__ import annotations

import asyncio
import signal

from graphpalace.app import make_decay, open_database
from graphpalace.operations.pheromones.decay import Decay
from graphpalace.serve.logs import configure
from graphpalace.serve.scheduler.decay_service import DecayService
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database
from graphpalace.telemetry.otlp import tracing


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
