"""Find the service of a home, or start it, once, however many processes ask for it at the same moment."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import graphpalace
from graphpalace.client import service_file
from graphpalace.client.service_file import RunningService
from graphpalace.errors import Conflict, ServiceUnavailable, SettingsInvalid
from graphpalace.settings.home import Home

START_S = 300.0  # the first start downloads Neo4j
_YOUNG_S = 30.0  # a service this young may not have reached its database yet
_PAUSE_S = 0.05


def ensure_service(home: Home, *, timeout_s: float = START_S, for_all: bool = False) -> RunningService:
    """Return the running service of a home. If there is none, start it and the managed Neo4j.

    A service of an earlier version is stopped and replaced.

    Args:
        timeout_s: How long the service may take until it answers, in seconds.
        for_all: As for `launch`.
    Raises:
        ServiceUnavailable: If it does not start; the message has the last line of its log.
        Conflict: If a service of a later version runs.
        SettingsInvalid: If the data folder cannot be used.
        Unauthorized: If the service's file belongs to another user, or others may read it.
    """
    found = current(home)
    if found is not None:
        if time.time() - found.started < _YOUNG_S:
            from graphpalace.client.service_answer import wait_until_usable

            wait_until_usable(found)
        return found
    from graphpalace.client.service_process import end, launch

    asked_at = time.time()
    with alone(home, timeout_s=timeout_s):
        found = current(home)
        if found is not None:  # another process started it meanwhile
            return found
        _raise_again(home, since=asked_at)
        end(home)
        try:
            return launch(home, timeout_s=timeout_s, for_all=for_all)
        except ServiceUnavailable as error:
            _note(home, error)
            raise


def current(home: Home) -> RunningService | None:
    """Return the running service of a home if it is of this version, or None if it must be started or replaced.

    Raises:
        Conflict: If it is of a later version.
    """
    found = service_file.running_or_none(home.folder)
    if found is None or found.version == graphpalace.__version__:
        return found
    if _numbers(found.version) > _numbers(graphpalace.__version__):
        raise Conflict(
            f"the service of {home.folder} is GraphPalace {found.version}, and this is {graphpalace.__version__}: "
            "upgrade this one, or run `graphpalace service restart` to replace the service with this version",
            service=found.version,
            own=graphpalace.__version__,
        )
    return None


@contextmanager
def alone(home: Home, *, timeout_s: float = START_S) -> Iterator[None]:
    """Hold the lock that lets only one process at a time start or stop the service of a home.

    Raises:
        ServiceUnavailable: If another process has held it for `timeout_s` seconds.
        SettingsInvalid: If the data folder cannot be used.
    """
    from filelock import FileLock, Timeout

    path = home.folder / "service.start.lock"
    try:
        home.folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path, mode=0o600)
        lock.acquire(timeout=timeout_s, poll_interval=_PAUSE_S)
    except Timeout as error:
        message = f"another process has been starting or stopping the service of {home.folder} for {timeout_s:g} s"
        raise ServiceUnavailable(f"{message}; try again later", lock=str(path)) from error
    except OSError as error:
        raise SettingsInvalid(
            f"the data folder {home.folder} cannot be used: {error.strerror}; name another one as [neo4j] data_dir"
        ) from error
    try:
        yield
    finally:
        lock.release()


def _numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version.partition("+")[0])]


def _failure(home: Home) -> Path:
    return home.folder / "service.failed.json"


def _note(home: Home, error: ServiceUnavailable) -> None:
    """Leave the error to the processes that wait for the same start, so that they need not try one after the other."""
    with suppress(OSError):
        _failure(home).write_text(json.dumps({"at": time.time(), "message": error.message}), "utf-8")


def _raise_again(home: Home, *, since: float) -> None:
    """Raise the error of a start that failed while this process waited for it."""
    found = None
    with suppress(OSError, ValueError):
        found = json.loads(_failure(home).read_text("utf-8"))
        _failure(home).unlink() if found["at"] < since else None
    if found is not None and found["at"] >= since:
        raise ServiceUnavailable(found["message"], log=str(home.log))
