"""What errors of the Neo4j driver mean: which may pass and are tried again, and what GraphPalace says of the others."""

from __future__ import annotations

import random
import shutil
from asyncio import sleep
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TypeVar

from neo4j.exceptions import (
    AuthError,
    ConnectionAcquisitionTimeoutError,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
)

from graphpalace.domain.deadline import current_deadline
from graphpalace.errors import (
    DatabaseAuthFailed,
    DatabaseBroken,
    DatabaseBusy,
    DatabaseFailed,
    DatabaseOutOfMemory,
    DatabaseReadOnly,
    DatabaseUnavailable,
    GraphPalaceError,
)
from graphpalace.telemetry import metrics

T = TypeVar("T")
CONNECT_S = 3.0  # time for opening a connection, including authentication
REACH_S = 2.0  # for how long to retry if the server cannot be reached; with the last attempt, 5 s
CONFLICT_S = 4.0  # for how long to retry a transaction that conflicts with others
CROWDED_S = 30.0  # for how long work without a deadline, such as an ingest, waits for a connection that others use
_FIRST_PAUSE_S = 0.03
_PAUSE_GROWS = 1.5
# Another transaction deleted a node or edge while the query read it. If the query runs again, it does not see it.
_GONE_MEANWHILE = ("Neo.ClientError.Statement.EntityNotFound",)
_TIMED_OUT = "Neo.ClientError.Transaction.TransactionTimedOut"  # by its own limit, or that of the server
_AWAY = ("DatabaseUnavailable", "DatabaseNotFound")
_COMMIT_FAILED = "Neo.DatabaseError.Transaction.TransactionCommitFailed"  # Neo4j refuses all queries after it
_READ_ONLY = ("WriteOnReadOnlyAccessDatabase", "ForbiddenOnReadOnlyDatabase", "ReadOnly")
# The limit of one transaction, that of all of a database, and the heap.
_OUT_OF_MEMORY = ("TransactionOutOfMemoryError", "MemoryPoolOutOfMemoryError", "OutOfMemoryError")
_FULL_BYTES = 64 * 2**20  # Neo4j enlarges its files by this much at a time


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """The address of a Neo4j server, for messages.

    Attributes:
        home: Folder of the managed Neo4j's files; None if the server is not managed.
    """

    uri: str
    home: Path | None = None

    @property
    def start(self) -> str:
        """How to start the server."""
        return "run `graphpalace up`" if self.home else "start it, or set [neo4j] uri to a running server"

    def full(self) -> str:
        """Return a message if the server's disk is full, otherwise an empty string."""
        try:
            free = shutil.disk_usage(self.home).free if self.home else _FULL_BYTES
        except OSError:
            return ""
        return f"the disk is full: {free >> 20} MiB are free at {self.home}" if free < _FULL_BYTES else ""


@contextmanager
def translated(server: ServerAddress) -> Iterator[None]:
    """Raise errors of GraphPalace in place of those of the driver."""
    try:
        yield
    except (Neo4jError, DriverError) as error:
        raise _ours(error, server) from error


def _ours(error: Neo4jError | DriverError, server: ServerAddress) -> GraphPalaceError:
    if isinstance(error, Neo4jError):
        return _limited(error, server.uri) or _refused(error, server)
    return _unreached(error, server)


def _refused(error: Neo4jError, server: ServerAddress) -> GraphPalaceError:
    uri, code = server.uri, error.code or ""
    if isinstance(error, AuthError):
        fix = (
            "put the right password into its password file, or run `graphpalace up --reset-password`"
            if server.home
            else "set [neo4j] user and password (GRAPHPALACE_NEO4J__PASSWORD) to those of the server"
        )
        return DatabaseAuthFailed(f"Neo4j at {uri} refused the user or the password: {fix}", uri=uri)
    if needs_restart(error) or code == _COMMIT_FAILED:
        full = server.full()
        why = f": {full}" if full else f": {error.message}"
        fix = f"{'free disk space, then ' if full else ''}{'run `graphpalace up`' if server.home else 'restart it'}"
        message = f"Neo4j at {uri} has stopped serving its database{why.rstrip('.')}. To start it again, {fix}"
        return DatabaseBroken(message, uri=uri, neo4j_code=code)
    if any(word in code for word in _AWAY):
        return DatabaseUnavailable(f"Neo4j at {uri}: {error.message}", uri=uri, neo4j_code=code)
    if code.startswith(_TIMED_OUT) and (deadline := current_deadline()) is not None:
        return deadline.passed()
    if may_pass(error):
        message = f"Neo4j is busy with other transactions: {error.message} Try again a little later"
        return DatabaseBusy(message, neo4j_code=code)
    return DatabaseFailed(f"Neo4j: {error.message}", neo4j_code=code)


def _limited(error: Neo4jError, uri: str) -> GraphPalaceError | None:
    """Return what to say if the settings of the server do not allow what was asked, otherwise None."""
    code = error.code or ""
    if code.endswith(_READ_ONLY):
        return DatabaseReadOnly(f"Neo4j at {uri} is read-only: {error.message}", uri=uri, neo4j_code=code)
    if code.endswith(_OUT_OF_MEMORY):
        message = f"Neo4j at {uri} may not use as much memory as this needs: {error.message}"
        fix = "Send less at once, or raise the limit that Neo4j names"
        return DatabaseOutOfMemory(f"{message} {fix}", uri=uri, neo4j_code=code)
    return None


def _unreached(error: DriverError, server: ServerAddress) -> GraphPalaceError:
    if isinstance(error, ConnectionAcquisitionTimeoutError):
        return DatabaseBusy("all connections to Neo4j are in use: try again a little later")
    if isinstance(error, ServiceUnavailable) or error.is_retryable():
        return DatabaseUnavailable(f"Neo4j at {server.uri} cannot be reached: {server.start}", uri=server.uri)
    return DatabaseFailed(f"the Neo4j driver: {error}")


def may_pass(error: Neo4jError | DriverError) -> bool:
    """Return whether the same work may succeed if it is repeated."""
    if isinstance(error, Neo4jError) and error.code in _GONE_MEANWHILE:
        return True
    if isinstance(error, Neo4jError) and (error.code or "").endswith(_OUT_OF_MEMORY[0]):
        return False  # of one transaction, which will be as large again
    if isinstance(error, ConnectionAcquisitionTimeoutError):
        return current_deadline() is None  # a request is refused, so that its client comes again when there are fewer
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
            if isinstance(error, ConnectionAcquisitionTimeoutError):
                until = begun + CROWDED_S
            if (deadline := current_deadline()) is not None:
                until = min(until, deadline.at)
            if not may_pass(error) or now + moment > until:
                raise
        metrics.QUERY_RETRIES.inc()
        await sleep(moment)
        pause *= _PAUSE_GROWS
