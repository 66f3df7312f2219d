"""What every transport sends and gets back."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from dataclasses import dataclass
from typing import Protocol


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
