"""Ask a service of this machine whether it answers, with nothing but the standard library."""

from __future__ import annotations

import http.client
import time
from contextlib import suppress
from urllib.parse import urlsplit

from graphpalace.client.service_file import RunningService

_ASK_S = 10.0
_REACHES_S = 15.0  # a service that has not reached its database by then says why in each answer
_PAUSE_S = 0.05


def answers(service: RunningService, path: str = "/health/live") -> bool:
    """Return whether a service answers a route with 200."""
    parts = urlsplit(service.url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=_ASK_S)
    with suppress(OSError, http.client.HTTPException):
        try:
            connection.request("GET", path)
            return connection.getresponse().status == http.client.OK
        finally:
            connection.close()
    return False


def wait_until_usable(service: RunningService) -> None:
    """Wait until a service that has just started finds words, or return after 15 seconds if its database is away."""
    until = time.monotonic() + _REACHES_S
    while not answers(service, "/health/ready?lenient=true") and time.monotonic() < until and service.alive:
        time.sleep(_PAUSE_S)
