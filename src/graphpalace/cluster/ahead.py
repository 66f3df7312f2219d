"""Work on several things at once, and take the results in their order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from typing import TypeVar

_T = TypeVar("_T")
_R = TypeVar("_R")


async def in_order(
    things: AsyncIterator[_T], work: Callable[[_T], Awaitable[_R]], *, at_once: int
) -> AsyncGenerator[tuple[_T, _R], None]:
    """Yield each thing with its result, in their order.

    Args:
        work: What is done with a thing.
        at_once: Most things that are worked on or wait to be yielded, >= 1; no more are taken from `things`.
    """

    async def one(thing: _T) -> _R:
        return await work(thing)

    begun: deque[tuple[_T, asyncio.Task[_R]]] = deque()
    try:
        async for thing in things:
            begun.append((thing, asyncio.create_task(one(thing))))
            if len(begun) >= at_once:
                yield begun[0][0], await begun[0][1]
                begun.popleft()
        while begun:
            yield begun[0][0], await begun[0][1]
            begun.popleft()
    finally:
        for _, task in begun:
            task.cancel()
        await asyncio.gather(*(task for _, task in begun), return_exceptions=True)
