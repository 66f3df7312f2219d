"""Run the HTTP service in this process."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import sys
from collections.abc import Callable
from functools import partial
from types import FrameType

import uvicorn

from graphpalace.app import GraphPalace, migrate_database
from graphpalace.errors import DatabaseUnavailable, SettingsInvalid
from graphpalace.operations.stigmergy.decay import Decay
from graphpalace.serve.http.app import create_app
from graphpalace.serve.http.process.server import server_config
from graphpalace.serve.logs import configure
from graphpalace.serve.mcp.server import HTTP_PATH, http_door
from graphpalace.serve.scheduler.decay_service import DecayService
from graphpalace.settings.load import Settings


def run_service(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT, and finish the requests under way before stopping.

    Raises:
        SettingsInvalid: If the service cannot listen on the address, or other machines can reach the address and no
            API key is set.
        ModelMismatch, MigrationChanged, SchemaTooNew: If the database answers and does not fit this service.
    """
    configure(settings.service.log_format)
    app = create_app(
        settings,
        companions=[partial(decay_beside, settings)] if settings.decay.enabled else [],
        doors={HTTP_PATH: http_door},
    )
    # A changed migration or a wrong embedding model is reported now; a database that is down may start later.
    with contextlib.suppress(DatabaseUnavailable):
        asyncio.run(migrate_database(settings))
    host, port = settings.service.host, settings.service.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio turns off Nagle's algorithm only if the protocol is named; it delays each answer by 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()  # the address printed below must accept connections at once
    except OSError as error:
        raise SettingsInvalid(
            f"cannot listen on {host} port {port}: {error.strerror}; choose another port with --port or [service] port"
        ) from error
    print(f"GraphPalace serves http://{host}:{listener.getsockname()[1]} (API: /docs, MCP: /mcp)", flush=True)
    for number in (signal.SIGTERM, signal.SIGINT):  # uvicorn raises the signal again after it has stopped
        signal.signal(number, _end_well)
    uvicorn.Server(server_config(app, settings.service)).run(sockets=[listener])


def decay_beside(settings: Settings, operations: Callable[[], GraphPalace]) -> DecayService:
    """Return the decay service over the operations of the HTTP service, so that the process has one driver."""

    def decay() -> Decay | None:
        with contextlib.suppress(DatabaseUnavailable):
            return operations().decay
        return None

    return DecayService(settings, decay)


def _end_well(_number: int, _frame: FrameType | None) -> None:
    sys.exit(0)
