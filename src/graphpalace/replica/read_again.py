"""Read something in many parts again, from its beginning, if Neo4j ends the read because others write meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

from graphpalace.errors import DatabaseBusy

T = TypeVar("T")

_TRIES, _PAUSE_S = 4, 0.2


async def rows_again(read: Callable[[], AsyncIterator[T]]) -> AsyncIterator[T | None]:
    """Yield what a read yields, and None where it begins again: what it has yielded so far is void then.

    Raises:
        DatabaseBusy: If it was ended several times.
    """
    for tried in range(1, _TRIES + 1):
        try:
            async for some in read():
                yield some
            return
        except DatabaseBusy:
            if tried == _TRIES:
                raise
        yield None
        await asyncio.sleep(tried * _PAUSE_S)


async def read_again(read: Callable[[], Awaitable[T]]) -> T:
    """Return what a read returns. A query whose rows stream in is not repeated by itself, as some of them were used.

    Raises:
        DatabaseBusy: If it was ended several times.
    """
    for tried in range(1, _TRIES):
        try:
            return await read()
        except DatabaseBusy:
            await asyncio.sleep(tried * _PAUSE_S)
    return await read()
