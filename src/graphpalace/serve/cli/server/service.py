"""Run the HTTP service in this process."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType

import psutil
import structlog
import uvicorn

from graphpalace import __version__
from graphpalace.app import GraphPalace, migrate_database
from graphpalace.client import service_file
from graphpalace.client.service_file import RunningService
from graphpalace.errors import DatabaseUnavailable, SettingsInvalid, Unauthorized
from graphpalace.operations.stigmergy.decay import Decay
from graphpalace.serve.http.app import create_app
from graphpalace.serve.http.process.server import server_config
from graphpalace.serve.logs import configure
from graphpalace.serve.mcp.server import HTTP_PATH, http_door
from graphpalace.serve.scheduler.decay_service import DecayService
from graphpalace.settings.load import Settings, data_dir

_LOG = structlog.get_logger("graphpalace.service")


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
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    for number in (signal.SIGTERM, signal.SIGINT):  # uvicorn raises the signal again after it has stopped
        signal.signal(number, _end_well)
    with _announced(settings, f"http://{shown}:{listener.getsockname()[1]}"):
        uvicorn.Server(server_config(app, settings.service)).run(sockets=[listener])


@contextlib.contextmanager
def _announced(settings: Settings, url: str) -> Iterator[None]:
    """Leave the address and the key in the data folder while the service runs, for callers on this machine."""
    home, process = data_dir(settings), psutil.Process()
    key = settings.service.api_key.get_secret_value()
    try:
        service_file.write(home, RunningService(url, key, process.pid, process.create_time(), __version__))
    except OSError as error:  # callers can still name the address themselves
        _LOG.warning("service_file_not_written", folder=str(home), reason=error.strerror)
    try:
        yield
    finally:
        with contextlib.suppress(OSError, Unauthorized):
            service_file.remove(home, process.pid)


def decay_beside(settings: Settings, operations: Callable[[], GraphPalace]) -> DecayService:
    """Return the decay service over the operations of the HTTP service, so that the process has one driver."""

    def decay() -> Decay | None:
        with contextlib.suppress(DatabaseUnavailable):
            return operations().decay
        return None

    return DecayService(settings, decay)


def _end_well(_number: int, _frame: FrameType | None) -> None:
    sys.exit(0)
