"""Calls of which a few are under way at a time, so that neither this process nor the service waits for the other.

The class for asyncio has tasks, and its twin has threads.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any, Self, TypeVar

T = TypeVar("T")


class AsyncInFlight:
    """Calls under way. Their answers are taken in the order in which they were started.

    When the block is left, no call is under way any more, and the first error of a call was raised.
    """

    def __init__(self, most: int) -> None:
        """Let at most so many calls be under way."""
        self._most = most
        self._started: deque[tuple[asyncio.Task[Any], Callable[[Any], object]]] = deque()

    async def __aenter__(self) -> Self:
        return self

    async def start(self, call: Callable[[], Coroutine[Any, Any, T]], then: Callable[[T], object]) -> None:
        """Start a call as soon as there is room for it, and give its answer to `then`."""
        while len(self._started) >= self._most:
            await self._take()
        self._started.append((asyncio.create_task(call()), then))

    async def finish(self) -> None:
        """Wait for all calls."""
        while self._started:
            await self._take()

    async def _take(self) -> None:
        task, then = self._started[0]
        then(await task)
        self._started.popleft()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        try:
            if error is None:
                await self.finish()
        finally:
            if isinstance(error, asyncio.CancelledError):
                for task, _ in self._started:
                    task.cancel()
            await asyncio.gather(*(task for task, _ in self._started), return_exceptions=True)


class InFlight:
    """The same without asyncio."""

    def __init__(self, most: int) -> None:
        """Let at most so many calls be under way."""
        self._most = most
        self._started: deque[tuple[Future[Any], Callable[[Any], object]]] = deque()
        self._threads = ThreadPoolExecutor(most)

    def __enter__(self) -> Self:
        return self

    def start(self, call: Callable[[], T], then: Callable[[T], object]) -> None:
        """Start a call as soon as there is room for it, and give its answer to `then`."""
        while len(self._started) >= self._most:
            self._take()
        self._started.append((self._threads.submit(call), then))

    def finish(self) -> None:
        """Wait for all calls."""
        while self._started:
            self._take()

    def _take(self) -> None:
        future, then = self._started[0]
        then(future.result())
        self._started.popleft()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self.finish()
        finally:
            self._threads.shutdown(wait=True, cancel_futures=True)
