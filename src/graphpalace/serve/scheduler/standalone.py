"""The decay service as a process of its own."""

from __future__ import annotations

import asyncio
import signal

from graphpalace.serve.logs import configure
from graphpalace.serve.scheduler.decay_service import DecayService
from graphpalace.settings import Settings


def run_decay_service(settings: Settings) -> None:
    """Run the decay of every palace when it is due, until SIGTERM or SIGINT."""
    configure(settings.service.log_format)
    asyncio.run(_serve(settings))


async def _serve(settings: Settings) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    service = DecayService(settings)
    service.start()
    await ended.wait()
    await service.stop()
