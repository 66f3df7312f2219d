"""A value that several parts of one search need, read once for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

_T = TypeVar("_T")


class ReadOnce(Generic[_T]):
    """A lazily read value. Reading starts with `begin`, or with the first call of `value`."""

    def __init__(self, read: Callable[[], Coroutine[Any, Any, _T]]) -> None:
        self._read = read
        self._task: asyncio.Task[_T] | None = None

    @property
    def begun(self) -> bool:
        """Whether reading has started."""
        return self._task is not None

    @property
    def succeeded(self) -> bool:
        """Whether the value was read successfully."""
        task = self._task
        return task is not None and task.done() and not task.cancelled() and task.exception() is None

    def begin(self) -> asyncio.Task[_T]:
        """Start reading in the background, if it has not started yet."""
        if self._task is None:
            self._task = asyncio.create_task(self._read())
            # Retrieves the exception, as asyncio logs one that nobody retrieves.
            self._task.add_done_callback(lambda task: task.cancelled() or task.exception())
        return self._task

    async def value(self) -> _T:
        """Return the value. If reading fails, every caller gets the same error."""
        return await asyncio.shield(self.begin())  # a caller that is cancelled does not cancel the read for others

    def close(self) -> None:
        """Cancel the read if it is still running."""
        if self._task is not None:
            self._task.cancel()
