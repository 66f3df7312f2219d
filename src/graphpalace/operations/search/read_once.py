"""A value that several parts of one search need, and that is read once for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

_T = TypeVar("_T")


class ReadOnce(Generic[_T]):
    """Begins to read when it is told to, or when somebody first asks for the value."""

    def __init__(self, read: Callable[[], Coroutine[Any, Any, _T]]) -> None:
        self._read = read
        self._task: asyncio.Task[_T] | None = None

    @property
    def begun(self) -> bool:
        """Whether it was begun to be read."""
        return self._task is not None

    @property
    def succeeded(self) -> bool:
        """Whether the value is there."""
        task = self._task
        return task is not None and task.done() and not task.cancelled() and task.exception() is None

    def begin(self) -> asyncio.Task[_T]:
        """Read it now, so that it is there when it is asked for."""
        if self._task is None:
            self._task = asyncio.create_task(self._read())
            self._task.add_done_callback(lambda task: task.cancelled() or task.exception())  # perhaps nobody asks
        return self._task

    async def value(self) -> _T:
        """Return the value; what goes wrong with it goes wrong for all who ask."""
        return await asyncio.shield(self.begin())  # who gives up waiting does not take it from the others

    def close(self) -> None:
        """Stop reading what nobody needs any more."""
        if self._task is not None:
            self._task.cancel()
