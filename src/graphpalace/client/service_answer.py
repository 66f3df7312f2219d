"""Ask a service of this machine whether it answers, with nothing but the standard library."""

from __future__ import annotations

import http.client
import json
import time
from contextlib import suppress
from urllib.parse import urlsplit

from graphpalace.client.service_file import RunningService

_ASK_S = 10.0
_REACHES_S = 15.0  # a service that has not reached its database by then says why in each answer
_PAUSE_S = 0.05


def answers(service: RunningService, path: str = "/health/live") -> bool:
    """Return whether a service answers a route with 200."""
    return _asked(service, path)[0] == http.client.OK


def _asked(service: RunningService, path: str) -> tuple[int, bytes]:
    """Return status and body of an answer, or 0 and nothing if there is none."""
    parts = urlsplit(service.url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=_ASK_S)
    with suppress(OSError, http.client.HTTPException):
        try:
            connection.request("GET", path)
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
        if status == http.client.OK or _is_down(body):
            return
        time.sleep(_PAUSE_S)
