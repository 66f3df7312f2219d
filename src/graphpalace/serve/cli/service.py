"""Run the HTTP service in this process."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import sys
from types import FrameType

import uvicorn

from graphpalace.bootstrap import migrate_database
from graphpalace.errors import DatabaseUnavailable, SettingsInvalid
from graphpalace.serve.http.app import create_app
from graphpalace.serve.http.server import server_config
from graphpalace.serve.logs import configure
from graphpalace.serve.mcp.server import HTTP_PATH, http_door
from graphpalace.serve.scheduler.decay_service import DecayService
from graphpalace.settings import Settings


def run_service(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT; requests under way are finished first.

    Raises:
        SettingsInvalid: If the address cannot be listened on, or others can reach it and there is no API key.
        ModelMismatch, MigrationChanged, SchemaTooNew: If the database is there and does not fit this service.
    """
    configure(settings.service.log_format)
    app = create_app(
        settings,
        companions=[DecayService(settings)] if settings.decay.enabled else [],
        doors={HTTP_PATH: http_door},
    )
    # A changed migration or another embedding model than the palace's is refused now; a database that is down may come.
    with contextlib.suppress(DatabaseUnavailable):
        asyncio.run(migrate_database(settings))
    host, port = settings.service.host, settings.service.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, asyncio turns off Nagle's delay, which costs each answer 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()  # so that whoever reads the address below can connect at once
    except OSError as error:
        raise SettingsInvalid(
            f"cannot listen on {host} port {port}: {error.strerror}; choose another with --port or [service] port"
        ) from error
    print(f"GraphPalace serves http://{host}:{listener.getsockname()[1]} (API: /docs, MCP: /mcp)", flush=True)
    for number in (signal.SIGTERM, signal.SIGINT):  # uvicorn sends itself the signal again once it has stopped
        signal.signal(number, _end_well)
    uvicorn.Server(server_config(app, settings.service)).run(sockets=[listener])


def _end_well(_number: int, _frame: FrameType | None) -> None:
    sys.exit(0)
