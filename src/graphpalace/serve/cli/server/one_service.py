"""Only one service at a time runs for a data folder, and its file says where."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import psutil
import structlog
from filelock import FileLock, Timeout

from graphpalace import __version__
from graphpalace.client import service_file
from graphpalace.client.service_file import RunningService
from graphpalace.errors import Conflict, SettingsInvalid, Unauthorized

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
    service = RunningService(url, key, me.pid, me.create_time(), __version__, str(folder.resolve()), settings, proof)
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
