"""Choose the ports of the managed Neo4j, and name the program that uses a port that is taken."""

from __future__ import annotations

import errno
import socket
import sys
import time
from collections.abc import Iterable
from contextlib import ExitStack

import psutil

from graphpalace.errors import PortTaken

LOOPBACK = "127.0.0.1"


def choose_ports(wanted: dict[str, int], *, before: dict[str, int]) -> dict[str, int]:
    """Return a port for each setting, such as `bolt_port`.

    Args:
        wanted: Port of each setting; 0 picks a free one.
        before: Ports of the last start. For 0, such a port is used again if it is free, because clients know it.
    Raises:
        PortTaken: If another program uses a wanted port.
    """
    chosen: dict[str, int] = {}
    with ExitStack() as held:
        for setting, port in wanted.items():
            if port != 0:
                _check_free(setting, port)
                chosen[setting] = port
                continue
            last = before.get(setting, 0)
            probe = held.enter_context(_socket())
            try:
                probe.bind((LOOPBACK, last if last and not listens(last) else 0))
            except OSError:
                probe.bind((LOOPBACK, 0))
            chosen[setting] = probe.getsockname()[1]
    return chosen


def listens(port: int) -> bool:
    """Return whether a program on this machine accepts connections at a port."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((LOOPBACK, port)) == 0


def wait_until_free(ports: Iterable[int], *, timeout_s: float) -> None:
    """Wait until the ports are free, at most `timeout_s` seconds: the system closes a killed process's sockets late."""
    until = time.monotonic() + timeout_s
    while not all(map(_is_free, ports)) and time.monotonic() < until:
        time.sleep(0.02)


def _is_free(port: int) -> bool:
    with _socket() as probe:
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def _socket() -> socket.socket:
    """Return a socket that can bind a port right after a server on it has exited."""
    probe = socket.socket()
    if sys.platform != "win32":  # on Windows, it would let two programs share the port
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    return probe


def _check_free(setting: str, port: int) -> None:
    with _socket() as probe:
        try:
            probe.bind((LOOPBACK, port))
        except OSError as error:
            if error.errno == errno.EACCES:
                message = f"This user may not listen on port {port}. {_advice(setting)}"
                raise PortTaken(message, port=port, setting=setting) from error
            raise _taken(setting, port) from error
    if listens(port):  # on some systems, the bind above succeeds although a program listens on all addresses
        raise _taken(setting, port)


def _taken(setting: str, port: int) -> PortTaken:
    program, pid = listener_at(port)
    by = f"{program} (process {pid})" if program else "another program"
    return PortTaken(
        f"Port {port} is used by {by}. {_advice(setting)}",
        port=port, setting=setting, program=program, pid=pid,
    )  # fmt: skip


def _advice(setting: str) -> str:
    return (
        f"Stop it, or set `{setting}` under [neo4j] in graphpalace.toml"
        f" or GRAPHPALACE_NEO4J__{setting.upper()} to another port (0 picks a free one)."
    )


def listener_at(port: int) -> tuple[str | None, int | None]:
    """Return the name and the number of the process that listens at a port, if the system tells."""
    try:
        for found in psutil.net_connections(kind="tcp"):
            here = found.status == psutil.CONN_LISTEN and found.laddr and found.laddr.port == port
            if here and found.pid:
                return psutil.Process(found.pid).name(), found.pid
    except psutil.Error:  # some systems hide the processes of other users
        pass
    return None, None
