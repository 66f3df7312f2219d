"""What every transport sends and gets back, and when a call is sent again."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Iterator
from dataclasses import dataclass, replace
from time import monotonic
from typing import Protocol
from uuid import uuid4

from graphpalace.errors import ServiceUnavailable


@dataclass(frozen=True, slots=True)
class Request:
    """One call of the API.

    Attributes:
        path: From the root, for example `/v1/search`, with its query string.
        body: JSON, or None for a request without one.
        timeout_s: How long to wait for the answer; None waits without limit.
        key: The same for a call that is sent again: the service does a write with one key once.
    """

    method: str
    path: str
    body: bytes | None = None
    timeout_s: float | None = None
    key: str | None = None

    @property
    def headers(self) -> dict[str, str]:
        """The headers that belong to the call."""
        kind = {"Content-Type": "application/json"} if self.body is not None else {}
        return kind if self.key is None else kind | {"Idempotency-Key": self.key}


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a call."""

    status: int
    body: bytes


class AsyncTransport(Protocol):
    """Carries calls to a service and its replies back, for asyncio."""

    async def send(self, request: Request) -> Reply:
        """Send a call and return the whole reply."""
        ...

    def lines(self, request: Request) -> AsyncGenerator[bytes, None]:
        """Send a call and yield first the status and then the lines of the reply as they come."""
        ...

    async def close(self) -> None:
        """Close all connections."""


class Transport(Protocol):
    """The same without asyncio; it may be used from several threads at once."""

    def send(self, request: Request) -> Reply:
        """Send a call and return the whole reply."""
        ...

    def lines(self, request: Request) -> Generator[bytes, None, None]:
        """Send a call and yield first the status and then the lines of the reply as they come."""
        ...

    def close(self) -> None:
        """Close all connections."""


_READS = ("GET", "HEAD")
_WAIT_S = 60.0  # for the first try, which may still be in progress, if the call has no limit of its own
_PAUSE_S, _LONGEST_PAUSE_S = 0.05, 0.5
_BUSY = (b'"OVERLOADED"', b'"TOOK_TOO_LONG"')
_BUSY_S = 20.0  # for how long a call is sent again to a service that has too many
_BUSY_PAUSE_S, _LONGEST_BUSY_PAUSE_S = 0.3, 3.0


def with_key(request: Request) -> Request:
    """Return a call that may be sent again: with a new key, unless it has one or only reads."""
    if request.method in _READS or request.key is not None:
        return request
    return replace(request, key=uuid4().hex)


def may_try_again(error: ServiceUnavailable, *, restarts: bool) -> bool:
    """Return whether a call that failed may be answered if it is sent again.

    Args:
        restarts: Whether the service is that of this machine, which is started if it is not there.
    """
    cause = error.__cause__
    if isinstance(cause, TimeoutError):
        return False
    return restarts or not isinstance(cause, ConnectionRefusedError)


def in_progress(reply: Reply) -> bool:
    """Return whether a reply says that the first try has not ended yet."""
    return reply.status == 409 and b'"STILL_IN_PROGRESS"' in reply.body


def turned_away(reply: Reply) -> bool:
    """Return whether a reply says that the service had too many requests or too little time for this one."""
    return reply.status == 503 and any(code in reply.body for code in _BUSY)


def busy_pauses(request: Request) -> Iterator[float]:
    """Yield how long to wait, in seconds, before a call that was turned away is sent again.

    The pauses get longer. They depend on the moment, so that those who were turned away together do not come again
    together.
    """
    seconds = _BUSY_S if request.timeout_s is None else min(request.timeout_s, _BUSY_S)
    yield from _growing(seconds, _BUSY_PAUSE_S, _LONGEST_BUSY_PAUSE_S, varied=True)


def pauses(request: Request) -> Iterator[float]:
    """Yield how long to wait, in seconds, before it is looked again whether the first try has ended."""
    yield from _growing(_WAIT_S if request.timeout_s is None else request.timeout_s, _PAUSE_S, _LONGEST_PAUSE_S)


def _growing(seconds: float, pause: float, longest: float, *, varied: bool = False) -> Iterator[float]:
    until = monotonic() + seconds
    while monotonic() + (moment := pause * (0.5 + monotonic() % 1 if varied else 1)) < until:
        yield moment
        pause = min(2 * pause, longest)
