"""Wait until Neo4j answers queries after a start, and explain why if it does not."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, LiteralString

from graphpalace.errors import DatabaseAuthFailed, DatabaseBroken, ServerDidNotStart
from graphpalace.managed_neo4j.password import USER
from graphpalace.managed_neo4j.ports import listens

_PAUSE_S = 0.1
_TAIL_LINES = 20


def wait_until_ready(
    *,
    ports: list[int],
    password: str | None,
    timeout_s: float,
    alive: Callable[[], bool],
    log: Path,
    tell: Callable[[], None] = lambda: None,
) -> None:
    """Return as soon as every port is open and the first one answers `RETURN 1` over Bolt.

    Args:
        ports: The ports to wait for, the Bolt port first.
        password: None if authentication is off.
        timeout_s: Longest time to wait, in seconds.
        alive: Returns whether the process is still running.
        log: File with the output of the process.
        tell: Called once if Neo4j is not ready at the first look.
    Raises:
        DatabaseBroken: If Neo4j is running but has stopped serving its database.
        DatabaseAuthFailed: If Neo4j refuses the password.
        ServerDidNotStart: If the process ends, or the time runs out.
    """
    import neo4j  # noqa: F401 - imported while Neo4j starts, which saves time later

    until = time.monotonic() + timeout_s
    reported = False
    while not (all(map(listens, ports)) and answers(ports[0], password)):
        if not alive():
            raise _did_not_start("Neo4j exited while starting.", log)
        if time.monotonic() > until:
            raise _did_not_start(f"Neo4j was not ready within {timeout_s:g} s.", log)
        if not reported:
            reported = True
            tell()
        time.sleep(_PAUSE_S)


def answers(port: int, password: str | None) -> bool:
    """Return whether the Neo4j at this port answers a query.

    Raises:
        DatabaseAuthFailed: If it refuses the password.
        DatabaseBroken: If it has stopped serving its database.
    """
    from neo4j.exceptions import AuthError, DriverError, Neo4jError

    from graphpalace.store.connection.patience import needs_restart

    try:
        run_query(port, password, "RETURN 1", {}, database=None)
    except AuthError as error:
        raise auth_failed() from error
    except (DriverError, Neo4jError, OSError) as error:
        if needs_restart(error):
            raise DatabaseBroken from error
        return False
    return True


def run_query(
    port: int, password: str | None, query: LiteralString, values: dict[str, Any], *, database: str | None
) -> None:
    """Run one query on the Neo4j at this port of this machine."""
    from neo4j import GraphDatabase

    auth = (USER, password) if password is not None else None
    uri = f"bolt://127.0.0.1:{port}"
    with GraphDatabase.driver(uri, auth=auth, connection_timeout=5, max_transaction_retry_time=1) as driver:
        driver.execute_query(query, values, database_=database)


def auth_failed(why: str = "Neo4j refuses the password in its password file") -> DatabaseAuthFailed:
    """Return an error that explains how to get access again."""
    return DatabaseAuthFailed(
        f"{why}. Put the old password back into the file, or run `graphpalace up --reset-password`,"
        " which sets a new password and keeps all data."
    )


def _did_not_start(what: str, log: Path) -> ServerDidNotStart:
    try:
        lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()][-_TAIL_LINES:]
    except OSError:
        lines = []
    shown = "".join(f"\n  {line}" for line in lines)
    return ServerDidNotStart(f"{what} The end of its log, {log}:{shown}", log=str(log), lines=lines)
