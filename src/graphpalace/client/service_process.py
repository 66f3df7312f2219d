"""Start the service of a home as a process of its own, ask whether it answers, and stop it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from graphpalace.client import service_file
from graphpalace.client.service_file import RunningService
from graphpalace.client.transports.http_connection import broken, connection_to
from graphpalace.errors import ServiceUnavailable, Unauthorized
from graphpalace.settings.home import Home

NEO4J = "Neo4j"
_ASK_S = 10.0
_REACHES_S = 15.0  # a service that has not reached its database by then says why in each answer
_PAUSE_S = 0.05
_OK = 200


def answers(service: RunningService, path: str = "/health/live") -> bool:
    """Return whether a service answers a route with 200."""
    return _asked(service, path)[0] == _OK


def _asked(service: RunningService, path: str) -> tuple[int, bytes]:
    """Return status and body of an answer, or 0 and nothing if there is none."""
    parts = urlsplit(service.url)
    with suppress(*broken(parts)):
        connection = connection_to(parts, timeout_s=_ASK_S)
        try:
            connection.request("GET", path, None, {})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()
    return 0, b""


def _is_down(body: bytes) -> bool:
    with suppress(ValueError, LookupError, TypeError):
        report = json.loads(body)
        return report["database"] == "down" and not report.get("starting")
    return False


def wait_until_usable(service: RunningService) -> None:
    """Wait until a service that has just started finds words, or has found its database down; at most 15 seconds."""
    until = time.monotonic() + _REACHES_S
    while time.monotonic() < until and service.alive:
        status, body = _asked(service, "/health/ready?lenient=true")
        if status == _OK or _is_down(body):
            return
        time.sleep(_PAUSE_S)


@dataclass(frozen=True, slots=True)
class Readiness:
    """How far a service is.

    Attributes:
        waits_for: What it still waits for until its first answer is quick; None if it is ready, or cannot get so.
        schema: `current`, or what is the matter.
    """

    waits_for: str | None
    schema: str


def readiness(service: RunningService) -> Readiness:
    """Ask a service how far it is."""
    status, body = _asked(service, "/health/ready")
    report: dict[str, str] = {}
    with suppress(ValueError):
        report = json.loads(body)
    schema, model = report.get("schema", "unknown"), report.get("embedding_model", "")
    if status == _OK or model.startswith("failed") or not report:
        return Readiness(None, schema)
    if report.get("database") != "up":
        return Readiness(NEO4J, schema)
    return Readiness("the embedding model" if model == "loading" else "its first answers", schema)


_STOP_S = 40.0  # the service gives requests under way 20 s, and its palaces 10 s
_TAIL_BYTES = 64 * 1024

# What every caller sends with its own requests. Of a caller who happens to start the service, it would count for all.
_OF_ONE_CALLER = {
    "GRAPHPALACE_PALACE__NAME",
    "GRAPHPALACE_MCP__PROFILE",
    "GRAPHPALACE_MCP__ANSWERS",
    "GRAPHPALACE_MCP__READ_ONLY",
}

# Services started by this process. A child that has ended is collected when the next one starts.
_children: list[subprocess.Popen[bytes]] = []


def command(home: Home) -> list[str]:
    """Return the command that runs the service of a home, and starts its Neo4j."""
    config = ["--config", str(home.config)] if home.config else []
    return [sys.executable, "-m", "graphpalace", *config, "serve", "--start-neo4j"]


def launch(home: Home, *, timeout_s: float, for_all: bool = False) -> RunningService:
    """Start the service of a home and return it once it answers.

    It outlives this process, its terminal and its process group. A `ServiceKeeper` starts it again if it is killed.

    Args:
        for_all: Whether the environment speaks of the service, as that of `graphpalace up` does. Otherwise what it says
            about one caller's requests, such as the palace, is left out.
    Raises:
        ServiceUnavailable: If it ends, or does not answer in time. It is stopped then.
    """
    until = time.monotonic() + timeout_s
    child = _start(home, for_all=for_all)
    while True:
        found = service_file.running_or_none(home.folder)
        if found is not None and answers(found):
            wait_until_usable(found)
            return found
        if child.poll() is not None and found is None:
            raise _did_not_start(home, last_words(home.log) or f"it ended with exit code {child.returncode}")
        if time.monotonic() > until:
            child.terminate()
            with suppress(subprocess.TimeoutExpired):
                child.wait(_STOP_S)
            raise _did_not_start(home, f"it did not answer within {timeout_s:g} s. {last_words(home.log)}".strip())
        time.sleep(_PAUSE_S)


def end(home: Home) -> bool:
    """End the service of a home, and return whether one ran.

    It finishes the requests under way first, and is killed after 40 seconds.

    Raises:
        Unauthorized: If its file or its process belongs to another user.
    """
    service = service_file.read(home.folder)
    if service is None or not service.alive:
        if service is not None:
            service_file.remove(home.folder, service.pid)  # so that its keeper does not start it again
        return False
    try:
        os.kill(service.pid, signal.SIGTERM)
        if not _gone(service, within_s=_STOP_S):
            os.kill(service.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
            _gone(service, within_s=_STOP_S)
    except ProcessLookupError:
        pass
    except PermissionError:
        raise Unauthorized(f"the service (process {service.pid}) belongs to another user") from None
    service_file.remove(home.folder, service.pid)
    return True


def last_words(log: Path) -> str:
    """Return the error at the end of a log, or else its last line; empty if there is none."""
    lines = [line.strip() for line in tail(log) if line.strip()]
    return next((line for line in reversed(lines) if line.startswith("error ")), lines[-1] if lines else "")


def tail(log: Path) -> list[str]:
    """Return the lines at the end of a log, some 64 KiB of them; none if it cannot be read."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - _TAIL_BYTES))
            return file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return []


def _start(home: Home, *, for_all: bool) -> subprocess.Popen[bytes]:
    _children[:] = [child for child in _children if child.poll() is None]
    with suppress(FileNotFoundError):
        home.log.replace(home.log.with_suffix(".previous.log"))
    flags = getattr(subprocess, "DETACHED_PROCESS", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    shared = {name: value for name, value in os.environ.items() if for_all or name.upper() not in _OF_ONE_CALLER}
    environ = shared | {"GRAPHPALACE_NEO4J__DATA_DIR": str(home.folder), "PYTHONUNBUFFERED": "1"}
    with os.fdopen(os.open(home.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as log:
        keeper = [sys.executable, "-m", "graphpalace.client.service_keeper", str(home.folder)]
        child = subprocess.Popen(
            [*keeper, *([str(home.config)] if home.config else [])],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=home.folder,
            env=environ,
            start_new_session=True,
            creationflags=flags,
        )
    _children.append(child)
    return child


def _gone(service: RunningService, *, within_s: float) -> bool:
    until = time.monotonic() + within_s
    while service.alive:
        if time.monotonic() > until:
            return False
        time.sleep(_PAUSE_S)
    return True


def _did_not_start(home: Home, why: str) -> ServiceUnavailable:
    return ServiceUnavailable(f"the service of {home.folder} did not start: {why} (log: {home.log})", log=str(home.log))
