"""How long each stage of a search takes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class StageTimer:
    """Milliseconds of each stage of one request; a stage may be entered again."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self._stages: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time what is done within."""
        start = time.perf_counter()
        yield
        self._stages[name] = self._stages.get(name, 0.0) + (time.perf_counter() - start) * 1000

    def timings_ms(self) -> dict[str, float]:
        """Return the time of each stage that came to its end, and the `total` since the request came."""
        return self._stages | {"total": (time.perf_counter() - self._start) * 1000}
