"""Retry failed transactions and connections for a few seconds, if the error may pass."""

from __future__ import annotations

import random
from asyncio import sleep
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import TypeVar

from neo4j.exceptions import DriverError, Neo4jError

from graphpalace.domain.deadline import current_deadline

T = TypeVar("T")

CONNECT_S = 3.0  # time for opening a connection, including authentication
REACH_S = 2.0  # for how long to retry if the server cannot be reached; with the last attempt, 5 s
CONFLICT_S = 4.0  # for how long to retry a transaction that conflicts with others
_FIRST_PAUSE_S = 0.03
_PAUSE_GROWS = 1.5
# Another transaction deleted a node or edge while the query read it. If the query runs again, it does not see it.
_GONE_MEANWHILE = ("Neo.ClientError.Statement.EntityNotFound",)


def may_pass(error: Neo4jError | DriverError) -> bool:
    """Return whether the same work may succeed if it is repeated."""
    if isinstance(error, Neo4jError) and error.code in _GONE_MEANWHILE:
        return True
    return error.is_retryable() and not needs_restart(error)


def needs_restart(error: Exception) -> bool:
    """Return whether Neo4j has stopped serving its database and must be restarted, for example after a full disk."""
    return isinstance(error, Neo4jError) and "needs to be restarted" in (error.message or "")


async def patiently(attempt: Callable[[], Awaitable[T]]) -> T:
    """Run an attempt, repeating it after a pause while the error may pass and time is left; return its result.

    The time that is left is at most that of the request.

    The pauses get longer. They are random, so that two conflicting transactions do not meet again.

    Raises:
        Neo4jError, DriverError: The error of the last attempt.
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
            if (deadline := current_deadline()) is not None:
                until = min(until, deadline.at)
            if not may_pass(error) or now + moment > until:
                raise
        await sleep(moment)
        pause *= _PAUSE_GROWS
