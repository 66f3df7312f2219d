"""Try again what may go better the next time, as long as a request can wait for it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import TypeVar

from neo4j.exceptions import DriverError, Neo4jError

T = TypeVar("T")

CONNECT_S = 3.0  # for one connection, from the first packet to the answer to the password
REACH_S = 2.0  # in which a server that cannot be reached is tried again; with the last try 5 s
CONFLICT_S = 4.0  # in which a transaction that others were in the way of is tried again
_FIRST_PAUSE_S = 0.03
_PAUSE_GROWS = 1.5
# What a query was looking at went away under it: another transaction removed it. Run again, it is not seen any more.
_GONE_MEANWHILE = ("Neo.ClientError.Statement.EntityNotFound",)


def may_pass(error: Neo4jError | DriverError) -> bool:
    """Tell whether the same work may succeed when it is done again."""
    if isinstance(error, Neo4jError) and error.code in _GONE_MEANWHILE:
        return True
    return error.is_retryable() and not needs_restart(error)


def needs_restart(error: Exception) -> bool:
    """Tell whether Neo4j has given its database up, as after a write that the disk had no room for."""
    return isinstance(error, Neo4jError) and "needs to be restarted" in (error.message or "")


async def patiently(attempt: Callable[[], Awaitable[T]]) -> T:
    """Return what the attempt returns; begin it again, after a moment, while that may help and the time lasts.

    The moments are random, so that two that were in each other's way do not meet again, and get longer.

    Raises:
        Neo4jError, DriverError: The last one.
    """
    begun = monotonic()
    failed: float | None = None
    pause = _FIRST_PAUSE_S
    while True:
        try:
            return await attempt()
        except (Neo4jError, DriverError) as error:
            now = monotonic()
            failed = failed or now
            moment = pause * random.uniform(0.5, 1.5)
            until = failed + CONFLICT_S if isinstance(error, Neo4jError) else begun + REACH_S
            if not may_pass(error) or now + moment > until:
                raise
        await asyncio.sleep(moment)
        pause *= _PAUSE_GROWS
