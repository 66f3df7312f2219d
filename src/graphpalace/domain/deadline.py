"""By when a request has to be answered, for whatever works on it.

The deadline goes with the context of the request's task: into the operations that it calls, and into the tasks that
they start. Work that others need too has none, such as loading a palace into memory (`to_the_end`, `without_deadline`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from time import monotonic
from typing import Any, TypeVar

from graphpalace.errors import TookTooLong

T = TypeVar("T")

_PART = 0.8  # of the time that is left; the rest is for the parts after it


@dataclass(frozen=True, slots=True)
class Deadline:
    """The end of the time for a request.

    Attributes:
        at: As `time.monotonic()`, in seconds.
        seconds: How long the request may take.
        setting: Name of the setting that says so, such as `[service] read_deadline_s`.
    """

    at: float
    seconds: float
    setting: str

    def passed(self) -> TookTooLong:
        """Return the error for a request that was not done in time."""
        return TookTooLong(
            f"the request was not done within {self.seconds:g} s ({self.setting}), as the service or its database is "
            "slow at the moment; nothing is half written: send it again a little later, a write with the same "
            "Idempotency-Key",
            seconds=self.seconds,
        )


_GOING_ON: set[asyncio.Task[Any]] = set()  # a loop alone does not keep a task from being collected as garbage
_CURRENT: ContextVar[Deadline | None] = ContextVar("deadline", default=None)


@contextmanager
def due_in(seconds: float, *, setting: str) -> Iterator[Deadline]:
    """Give what runs in this block so many seconds; one that ends earlier stays."""
    deadline = Deadline(monotonic() + seconds, seconds, setting)
    outer = _CURRENT.get()
    if outer is not None and outer.at <= deadline.at:
        deadline = outer
    token = _CURRENT.set(deadline)
    try:
        yield deadline
    finally:
        _CURRENT.reset(token)


def left_s() -> float | None:
    """Return the seconds that are left, more than 0; None without a deadline.

    Raises:
        TookTooLong: If none are left.
    """
    deadline = _CURRENT.get()
    if deadline is None:
        return None
    left = deadline.at - monotonic()
    if left <= 0:
        raise deadline.passed()
    return left


def at_most_s(seconds: float) -> float:
    """Return how long a part of a request may take: so many seconds, or most of what is left if that is less.

    Raises:
        TookTooLong: If nothing is left.
    """
    left = left_s()
    return seconds if left is None else min(seconds, _PART * left)


def current_deadline() -> Deadline | None:
    """Return the deadline of the current request, if it has one."""
    return _CURRENT.get()


def without_deadline(work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """Start a task that has no deadline, whoever starts it."""
    context = copy_context()
    context.run(_CURRENT.set, None)
    task = asyncio.get_running_loop().create_task(work, context=context)
    _GOING_ON.add(task)
    task.add_done_callback(_GOING_ON.discard)
    return task


async def to_the_end(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Do something that others need too, and return its result. It goes on if the caller stops waiting."""
    task = without_deadline(work())
    task.add_done_callback(lambda done: done.cancelled() or done.exception())  # perhaps nobody waits for it any more
    return await asyncio.shield(task)
