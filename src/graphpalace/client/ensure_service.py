"""Find the service of a home, with its address and key, or start it, once, however many processes ask at once."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import graphpalace
from graphpalace.client import service_file
from graphpalace.client.service_file import RunningService
from graphpalace.errors import Conflict, GraphPalaceError, InvalidInput, ServiceUnavailable, SettingsInvalid
from graphpalace.settings.home import Home, home

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
            from graphpalace.client.service_process import wait_until_usable

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


def check_url(url: str | None) -> None:
    """Raise an error if a URL is given that is not one of HTTP.

    Raises:
        InvalidInput: If it starts with something else.
    """
    if url is not None and not url.startswith(("http://", "https://")):
        raise InvalidInput(f"url is {url!r}; write it like http://127.0.0.1:8600", field="url", value=url)


def address(url: str | None, api_key: str | None) -> tuple[str, str | None]:
    """Return a URL and its key; without a URL, those of the service of this machine, which is started if necessary.

    Raises:
        ServiceUnavailable: If there is no URL, and no service of this machine runs or can be started.
        Conflict: If the service of this machine is of a later version.
    """
    if url is None:
        here = home()
        found = ensure_service(here) if here.autostart else service_file.running(here.folder)
        url, api_key = found.url, api_key or found.key or None
    return url.rstrip("/"), api_key


def proof_for(url: str | None, given: str | None) -> str | None:
    """Return what shows the service at a URL that it may read this user's files; None if it is not known to be theirs.

    Args:
        given: What the caller knows already.
    """
    if given is not None:
        return given
    with suppress(GraphPalaceError):
        found = service_file.running_or_none(home().folder)
        if found is not None and url in (None, found.url):
            return found.proof or None
    return None


def main(folder: str, config: str = "") -> None:
    """Start the service unless `[service] autostart` is false. An error is in the service's log."""
    with suppress(GraphPalaceError):
        here = replace(home(Path(config) if config else None), folder=Path(folder))
        if here.autostart:
            ensure_service(here)


if __name__ == "__main__":
    main(*sys.argv[1:])
