"""Those who watch a simulation. Nobody of them can make it wait."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pydantic_core import to_json

_IN_ROW = ("log", "metrics")  # each of these is a line of its own
_MOST_LINES = 100  # of one kind that wait for a client


class Subscriber:
    """One client's place: the newest message of each kind not yet taken, and the last lines of log and metrics."""

    def __init__(self) -> None:
        self._waiting: dict[str, bytes] = {}
        self._there = asyncio.Event()
        self._lines = dict.fromkeys(_IN_ROW, 0)

    def put(self, kind: str, message: bytes) -> None:
        """Leave a message; an older one of the same kind that was not taken is replaced, a line is not."""
        if kind in _IN_ROW:
            self._lines[kind] += 1
            self._waiting.pop(f"{kind} {self._lines[kind] - _MOST_LINES}", None)
            kind = f"{kind} {self._lines[kind]}"
        self._waiting.pop(kind, None)  # so that it stands behind what came before it
        self._waiting[kind] = message
        self._there.set()

    async def take(self) -> list[bytes]:
        """Wait for messages and return them in the order they came."""
        await self._there.wait()
        self._there.clear()
        taken, self._waiting = list(self._waiting.values()), {}
        return taken


class Subscribers:
    """All clients of one simulation."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._seats: set[Subscriber] = set()

    def __len__(self) -> int:
        return len(self._seats)

    @contextmanager
    def seat(self) -> Iterator[Subscriber]:
        """Give a place for as long as a client is there."""
        seat = Subscriber()
        self._seats.add(seat)
        try:
            yield seat
        finally:
            self._seats.discard(seat)

    def tell(self, type_: str, data: Any, *, kind: str | None = None) -> None:
        """Tell everybody.

        Args:
            kind: What newer message replaces this one; the type where nothing is said.
        """
        if self._seats:
            self.pass_on(type_, self.message(type_, data), kind=kind)

    def pass_on(self, type_: str, message: bytes, *, kind: str | None = None) -> None:
        """Tell everybody what `message` made."""
        for seat in self._seats:
            seat.put(kind or type_, message)

    def log(self, level: str, message: str) -> None:
        """Tell everybody a line of the log."""
        self.tell("log", {"level": level, "message": message})

    def message(self, type_: str, data: Any) -> bytes:
        """Return a message as text of JSON, in UTF-8; it can be made in any thread."""
        return to_json({"type": type_, "simulation": self._name, "data": data}, inf_nan_mode="null")
