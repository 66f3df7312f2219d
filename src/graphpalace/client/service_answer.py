"""Ask a service of this machine whether it answers, with nothing but the standard library."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from graphpalace.client.service_file import RunningService
from graphpalace.client.transports.http_connection import broken, connection_to

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
