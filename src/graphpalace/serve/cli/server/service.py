"""Run the HTTP service in this process, the only one of its data folder."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import psutil
import structlog
import uvicorn
from filelock import FileLock, Timeout
from pydantic import SecretStr

from graphpalace import __version__
from graphpalace.app import GraphPalace, managed_server, migrate_database
from graphpalace.app.backup import make_backup
from graphpalace.app.models import make_embedder
from graphpalace.client import service_file
from graphpalace.client.service_file import RunningService, marks_of, new_key
from graphpalace.embedding.embedder import Embedder
from graphpalace.errors import Conflict, DatabaseUnavailable, SettingsInvalid, Unauthorized
from graphpalace.managed_neo4j.ports import listener_at
from graphpalace.operations.pheromones.decay import Decay
from graphpalace.process_start import birth
from graphpalace.serve.http.app import check_exposure, create_app
from graphpalace.serve.http.pages.own_pages import is_loopback
from graphpalace.serve.http.process.idle import IdleStop, RequestClock
from graphpalace.serve.http.process.server import server_config
from graphpalace.serve.logs import configure
from graphpalace.serve.mcp.door import HTTP_PATH, http_door
from graphpalace.serve.scheduler.decay_service import DecayService
from graphpalace.settings.load import Settings, data_dir

if TYPE_CHECKING:  # these import what encrypts, which a service without a schedule has no need to wait for
    from graphpalace.operations.backup.backup import Backup
    from graphpalace.serve.scheduler.backup_service import BackupService

_LOG = structlog.get_logger("graphpalace.service")
_ENDS_S = 40.0  # how long a service that is ending may take
_PAUSE_S = 0.05


@contextlib.contextmanager
def only_service(folder: Path) -> Iterator[None]:
    """Hold the lock of the service of a data folder. If another service is just ending, wait for its end.

    Raises:
        Conflict: If another service runs for this folder.
        Unauthorized: If the service's file belongs to another user, or others may read it.
    """
    lock = FileLock(folder / "service.lock", mode=0o600)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _acquire(lock, folder)
    except OSError as error:  # without a file, only one that listens on the same port is noticed
        _LOG.warning("service_lock_not_taken", folder=str(folder), reason=error.strerror)
    try:
        yield
    finally:
        lock.release()


def announce(folder: Path, url: str, *, key: str, proof: str, must: bool, settings: Mapping[str, str]) -> None:
    """Leave the address and the key of this process in the data folder, for callers on this machine.

    Args:
        proof: What shows that a caller has read the file.
        settings: A mark of each setting, as `marks_of` gives them.
        must: Whether nobody could use the service without the file, because nobody else knows the key.
    Raises:
        SettingsInvalid: If the file cannot be written and must be.
    """
    me = psutil.Process()
    born, home = birth(me.pid) or "", str(folder.resolve())
    service = RunningService(url, key, me.pid, me.create_time(), __version__, home, settings, proof, born)
    try:
        service_file.write(folder, service)
    except OSError as error:  # callers can still name address and key themselves
        if must:
            raise SettingsInvalid(
                f"the service cannot leave its key in {folder}: {error.strerror}; set [service] api_key, or name "
                "another folder as [neo4j] data_dir"
            ) from error
        _LOG.warning("service_file_not_written", folder=str(folder), reason=error.strerror)


def withdraw(folder: Path) -> None:
    """Remove the file of this process, so that nobody calls a service that is ending."""
    with contextlib.suppress(OSError, Unauthorized):
        service_file.remove(folder, psutil.Process().pid)


def _acquire(lock: FileLock, folder: Path) -> None:
    until = time.monotonic() + _ENDS_S
    while True:
        found = service_file.running_or_none(folder)
        if found is not None:
            raise Conflict(
                f"a service for {folder} already runs at {found.url} (process {found.pid}): stop it with "
                "`graphpalace down`, or name another folder as [neo4j] data_dir",
                url=found.url,
                pid=found.pid,
            )
        try:
            lock.acquire(timeout=0)
        except Timeout:
            if time.monotonic() > until:
                raise Conflict(
                    f"another process has been starting or ending a service for {folder} for {_ENDS_S:g} s"
                ) from None
            time.sleep(_PAUSE_S)
        else:
            return


_LOADING_S = 30.0  # the longest wait, at an early end, for a model that is still being loaded


def run_service(settings: Settings, *, start_neo4j: bool = False) -> None:
    """Serve until SIGTERM or SIGINT, and finish the requests under way before stopping.

    Args:
        start_neo4j: Whether to start the managed Neo4j first, if no other one is configured.
    Raises:
        SettingsInvalid: If the service cannot listen on the address, or other machines can reach the address and no
            API key is set.
        Conflict: If another service runs for the same data folder.
        ModelMismatch, MigrationChanged, SchemaTooNew: If the database answers and does not fit this service.
        ManagedServerError: If the managed Neo4j has to be started and does not start.
    """
    configure(settings.service.log_format)
    check_exposure(settings)
    with only_service(data_dir(settings)), _loaded_beside(settings) as embedder:
        _serve(settings, embedder, start_neo4j=start_neo4j and not settings.neo4j.uri)


@contextlib.contextmanager
def _loaded_beside(settings: Settings) -> Iterator[Embedder]:
    """Yield the embedding model, which is loaded in a thread while Neo4j starts; the warm-up says what fails."""
    embedder = make_embedder(settings)

    def load() -> None:
        with contextlib.suppress(Exception):
            embedder.embed_questions(["warm up"])

    loading = threading.Thread(target=load, name="load-model", daemon=True)
    loading.start()
    try:
        yield embedder
    finally:
        loading.join(_LOADING_S)  # a process that ends inside the model's native code is aborted


def with_key(settings: Settings) -> Settings:
    """Return settings with a random key, unless there is a key or the service shall be open on loopback."""
    service = settings.service
    is_open = service.open_on_loopback and is_loopback(service.host)
    if service.api_key.get_secret_value() or is_open:
        return settings
    return settings.model_copy(update={"service": service.model_copy(update={"api_key": SecretStr(new_key())})})


def decay_beside(settings: Settings, operations: Callable[[], GraphPalace]) -> DecayService:
    """Return the decay service over the operations of the HTTP service, so that the process has one driver."""

    def decay() -> Decay | None:
        with contextlib.suppress(DatabaseUnavailable):
            return operations().pheromones.decay
        return None

    return DecayService(settings, decay)


def backup_beside(settings: Settings, operations: Callable[[], GraphPalace]) -> BackupService:
    """Return the service that makes backups, over the database of the HTTP service."""
    from graphpalace.serve.scheduler.backup_service import BackupService

    def backup() -> Backup | None:
        with contextlib.suppress(DatabaseUnavailable):
            return make_backup(settings, operations().database)
        return None

    return BackupService(settings.backup.schedule, backup)


class _Server(uvicorn.Server):
    """The web server, which says when it begins to end: requests under way may take a while then."""

    def __init__(self, config: uvicorn.Config, *, ends: Callable[[], None]) -> None:
        super().__init__(config)
        self._ends = ends

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._ends()
        await super().shutdown(sockets)


def _serve(given: Settings, embedder: Embedder, *, start_neo4j: bool) -> None:
    settings, folder = with_key(given), data_dir(given)
    clock, servers = RequestClock(), list[_Server]()

    def end() -> None:
        for server in servers:
            server.should_exit = True

    companions: list[Callable[..., IdleStop | DecayService | BackupService]] = []
    if settings.decay.enabled:
        companions.append(partial(decay_beside, settings))
    if settings.backup.schedule:
        companions.append(partial(backup_beside, settings))
    if minutes := settings.service.idle_stop_minutes:
        companions.append(partial(IdleStop, clock, after_s=60 * minutes, end=end))
    app = create_app(
        settings, embedder=embedder, companions=companions, doors={HTTP_PATH: http_door(settings)}, clock=clock
    )
    app.state.owner_proof = new_key()
    if start_neo4j:
        managed_server(settings).up()
    # A changed migration or a wrong embedding model is reported now; a database that is down may start later.
    with contextlib.suppress(DatabaseUnavailable):
        asyncio.run(migrate_database(settings))
    host = settings.service.host
    listener = _listener(host, settings.service.port)
    port = listener.getsockname()[1]
    print(f"GraphPalace serves http://{host}:{port} (API: /docs, MCP: /mcp)", flush=True)
    if settings is not given:
        print("It asks for a key: `graphpalace page` opens the page, `graphpalace key show` prints the key", flush=True)
    for number in (signal.SIGTERM, signal.SIGINT):  # uvicorn raises the signal again after it has stopped
        signal.signal(number, _end_well)
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104  shown, not bound
    key = settings.service.api_key.get_secret_value()
    try:
        announce(
            folder,
            f"http://{shown}:{port}",
            key=key,
            proof=app.state.owner_proof,
            must=settings is not given,
            settings=marks_of(given),
        )
        servers.append(_Server(server_config(app, settings.service), ends=partial(withdraw, folder)))
        servers[0].run(sockets=[listener])
    finally:
        withdraw(folder)


def _listener(host: str, port: int) -> socket.socket:
    """Return a socket that accepts connections.

    Raises:
        SettingsInvalid: If this is not possible; the message names the program that uses the port.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio turns off Nagle's algorithm only if the protocol is named; it delays each answer by 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()  # the address that is printed must accept connections at once
    except OSError as error:
        program, pid = listener_at(port)
        by = f" by {program}, process {pid}" if program else ""
        raise SettingsInvalid(
            f"cannot listen on {host} port {port}: {error.strerror}{by}; "
            "choose another port with --port or [service] port"
        ) from error
    return listener


def _end_well(_number: int, _frame: FrameType | None) -> None:
    sys.exit(0)
