"""Start Neo4j and wait until it answers queries, and explain why if it does not."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, LiteralString

import psutil

from graphpalace.errors import DatabaseAuthFailed, DatabaseBroken, ServerDidNotStart
from graphpalace.managed_neo4j.launch import USER, Launch, start
from graphpalace.managed_neo4j.ports import listens
from graphpalace.managed_neo4j.state import ServerState, children, stop_process, write_state
from graphpalace.process_start import birth

_PAUSE_S = 0.1
_TAIL_LINES = 20


def start_ready(
    launch: Launch,
    password: str | None,
    *,
    state_file: Path,
    timeout_s: float,
    tell: Callable[[str], None] = lambda _what: None,
) -> ServerState:
    """Start Neo4j, record its state, and wait until it answers. If it does not, stop it again.

    Args:
        password: None if authentication is off.
        timeout_s: Longest time to wait, in seconds.
        tell: Called with a sentence if Neo4j is not ready at the first look.
    Raises:
        DatabaseBroken, DatabaseAuthFailed, ServerDidNotStart: As `wait_until_ready`.
    """
    child = start(launch)
    children[child.pid] = child
    state = ServerState(
        pid=child.pid,
        created=_created(child),
        bolt_port=launch.bolt_port,
        http_port=launch.http_port,
        version=launch.version,
        java=f"{launch.java.version} {launch.java.home}",
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
        born=birth(child.pid) or "",
    )
    write_state(state_file, state)
    try:
        wait_for(state, password, log_dir=launch.console_log.parent, timeout_s=timeout_s, http=launch.auth, tell=tell)
    except BaseException:
        write_state(state_file, stop_process(state, timeout_s=20))
        raise
    return state


def wait_for(
    state: ServerState,
    password: str | None,
    *,
    log_dir: Path,
    timeout_s: float,
    http: bool = True,
    tell: Callable[[str], None] = lambda _what: None,
) -> None:
    """Return as soon as a server that was started answers over Bolt, and over HTTP if `http`.

    Raises:
        DatabaseBroken, DatabaseAuthFailed, ServerDidNotStart: As `wait_until_ready`.
    """
    wait_until_ready(
        ports=[state.bolt_port, state.http_port] if http else [state.bolt_port],
        password=password,
        timeout_s=timeout_s,
        alive=lambda: state.process() is not None,
        log=log_dir / "console.log",
        tell=lambda: tell(f"waiting for Neo4j (process {state.pid}) to answer at bolt://127.0.0.1:{state.bolt_port}"),
    )


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

    from graphpalace.store.connection.failures import needs_restart

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


def _created(child: subprocess.Popen[bytes]) -> float:
    try:
        return psutil.Process(child.pid).create_time()
    except psutil.NoSuchProcess:  # it exited at once
        return 0.0
