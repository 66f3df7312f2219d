"""Turn the driver's errors into ours, each with a way out, so that no other layer knows the driver."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from neo4j.exceptions import (
    AuthError,
    ConnectionAcquisitionTimeoutError,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
)

from graphpalace.errors import (
    DatabaseAuthFailed,
    DatabaseBroken,
    DatabaseBusy,
    DatabaseFailed,
    DatabaseUnavailable,
    GraphPalaceError,
)
from graphpalace.store.connection.patience import may_pass, needs_restart

_AWAY = ("DatabaseUnavailable", "DatabaseNotFound")
_COMMIT_FAILED = "Neo.DatabaseError.Transaction.TransactionCommitFailed"  # after it Neo4j refuses all else
_FULL_BYTES = 64 * 2**20  # Neo4j makes its files larger by as much


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """The Neo4j that is asked, as messages name it.

    Attributes:
        home: Where the managed Neo4j keeps its files; None: it is not managed, and its files are out of sight.
    """

    uri: str
    home: Path | None = None

    @property
    def start(self) -> str:
        """What to do so that it runs."""
        return "run `graphpalace up`" if self.home else "start it, or set [neo4j] uri to one that runs"

    def full(self) -> str:
        """Return that the disk is full, or nothing."""
        try:
            free = shutil.disk_usage(self.home).free if self.home else _FULL_BYTES
        except OSError:
            return ""
        return f"the disk is full: {free >> 20} MiB are free at {self.home}" if free < _FULL_BYTES else ""


@contextmanager
def translated(server: ServerAddress) -> Iterator[None]:
    """Raise ours for the driver's errors."""
    try:
        yield
    except (Neo4jError, DriverError) as error:
        raise _ours(error, server) from error


def _ours(error: Neo4jError | DriverError, server: ServerAddress) -> GraphPalaceError:
    return _refused(error, server) if isinstance(error, Neo4jError) else _unreached(error, server)


def _refused(error: Neo4jError, server: ServerAddress) -> GraphPalaceError:
    uri, code = server.uri, error.code or ""
    if isinstance(error, AuthError):
        fix = (
            "put the right one into its password file, or run `graphpalace up --reset-password`"
            if server.home
            else "set [neo4j] user and password (GRAPHPALACE_NEO4J__PASSWORD) to what it was given"
        )
        return DatabaseAuthFailed(f"Neo4j at {uri} refused the user or the password: {fix}", uri=uri)
    if needs_restart(error) or code == _COMMIT_FAILED:
        full = server.full()
        why = f": {full}" if full else f": {error.message}"
        fix = f"{'make room, then ' if full else ''}{'run `graphpalace up`' if server.home else 'restart it'}"
        message = f"Neo4j at {uri} has given its database up{why.rstrip('.')}. To start it again, {fix}"
        return DatabaseBroken(message, uri=uri, neo4j_code=code)
    if any(word in code for word in _AWAY):
        return DatabaseUnavailable(f"Neo4j at {uri}: {error.message}", uri=uri, neo4j_code=code)
    if may_pass(error):
        message = f"Neo4j is busy with the work of others: {error.message} Ask again a little later"
        return DatabaseBusy(message, neo4j_code=code)
    return DatabaseFailed(f"Neo4j: {error.message}", neo4j_code=code)


def _unreached(error: DriverError, server: ServerAddress) -> GraphPalaceError:
    if isinstance(error, ConnectionAcquisitionTimeoutError):
        return DatabaseBusy("all connections to Neo4j are in use: ask again a little later")
    if isinstance(error, ServiceUnavailable) or error.is_retryable():
        return DatabaseUnavailable(f"Neo4j at {server.uri} cannot be reached: {server.start}", uri=server.uri)
    return DatabaseFailed(f"the Neo4j driver: {error}")
