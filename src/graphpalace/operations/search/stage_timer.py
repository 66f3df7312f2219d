"""Measure the stages of a search."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class StageTimer:
    """Measures the stages of one request, in milliseconds. Times of a stage that is entered again add up."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self._stages: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Measure the body of the `with` statement as a stage."""
        start = time.perf_counter()
        yield
        self._stages[name] = self._stages.get(name, 0.0) + (time.perf_counter() - start) * 1000

    def timings_ms(self) -> dict[str, float]:
        """Return the time of each completed stage, and the `total` since the timer was created."""
        return self._stages | {"total": (time.perf_counter() - self._start) * 1000}
