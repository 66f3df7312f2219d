"""Read something in many parts again, from its beginning, if Neo4j ends the read because others write meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from graphpalace.errors import DatabaseBusy

T = TypeVar("T")

_TRIES, _PAUSE_S = 4, 0.2


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
