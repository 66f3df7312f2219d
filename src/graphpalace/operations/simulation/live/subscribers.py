"""The clients that watch a simulation. A slow client never delays the simulation: it only misses messages."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pydantic_core import to_json

_IN_ROW = ("log", "metrics")  # kinds whose messages are queued; of other kinds only the newest is kept
_MOST_LINES = 100  # queued messages of one kind for a client


class Subscriber:
    """The messages that wait for one client: the newest of each kind, and the last 100 of `log` and `metrics`."""

    def __init__(self) -> None:
        self._waiting: dict[str, bytes] = {}
        self._there = asyncio.Event()
        self._lines = dict.fromkeys(_IN_ROW, 0)

    def put(self, kind: str, message: bytes) -> None:
        """Add a message. It replaces a waiting one of the same kind, except for `log` and `metrics`."""
        if kind in _IN_ROW:
            self._lines[kind] += 1
            self._waiting.pop(f"{kind} {self._lines[kind] - _MOST_LINES}", None)
            kind = f"{kind} {self._lines[kind]}"
        self._waiting.pop(kind, None)  # so that the message moves to the end
        self._waiting[kind] = message
        self._there.set()

    async def take(self) -> list[bytes]:
        """Wait for messages and return them in the order of their arrival."""
        await self._there.wait()
        self._there.clear()
        taken, self._waiting = list(self._waiting.values()), {}
        return taken


class Subscribers:
    """All clients that watch one simulation."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._seats: set[Subscriber] = set()

    def __len__(self) -> int:
        return len(self._seats)

    @contextmanager
    def seat(self) -> Iterator[Subscriber]:
        """Subscribe a client for the duration of the `with` statement."""
        seat = Subscriber()
        self._seats.add(seat)
        try:
            yield seat
        finally:
            self._seats.discard(seat)

    def tell(self, type_: str, data: Any, *, kind: str | None = None) -> None:
        """Send a message to all clients.

        Args:
            kind: A newer message of the same kind replaces this one; None: its type is its kind.
        """
        if self._seats:
            self.pass_on(type_, self.message(type_, data), kind=kind)

    def pass_on(self, type_: str, message: bytes, *, kind: str | None = None) -> None:
        """Send an encoded message to all clients."""
        for seat in self._seats:
            seat.put(kind or type_, message)

    def log(self, level: str, message: str) -> None:
        """Send a log line to all clients."""
        self.tell("log", {"level": level, "message": message})

    def message(self, type_: str, data: Any) -> bytes:
        """Return a message as JSON in UTF-8. May be called from any thread."""
        return to_json({"type": type_, "simulation": self._name, "data": data}, inf_nan_mode="null")
