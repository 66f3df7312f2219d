"""A TCP proxy that delays what is sent, holds it, or cuts the connections, and takes one server after the other."""

from __future__ import annotations

import itertools
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_PART = 1 << 16


class SlowWire:
    """Passes bytes between its port and others. What it is told applies to open connections at once.

    Attributes:
        delay_s: How long each part of an answer waits before it is passed on.
    """

    def __init__(self, *ports: int) -> None:
        """Listen on a free port.

        Args:
            ports: Where to pass connections on to, on this machine: each to the next port.
        """
        self.delay_s = 0.0
        self._targets = itertools.cycle(ports)
        self._flows = threading.Event()
        self._flows.set()
        self._away = False
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def hang(self) -> None:
        """Pass nothing on until `heal`; the connections stay open, and new ones are accepted."""
        self._flows.clear()

    def cut(self) -> None:
        """Close all connections; new ones are passed on."""
        with self._lock:
            cut, self._open = self._open, set()
        for one in cut:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def go_away(self) -> None:
        """Close all connections, and each new one at once, until `heal`."""
        self._away = True
        self.cut()

    def heal(self) -> None:
        """Pass everything on without delay."""
        self.delay_s = 0.0
        self._away = False
        self._flows.set()

    def close(self) -> None:
        self.go_away()
        self._flows.set()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self._away:
                client.close()
                continue
            server = socket.create_connection(("127.0.0.1", next(self._targets)))
            with self._lock:
                self._open |= {client, server}
            for source, sink, slow in ((client, server, False), (server, client, True)):
                threading.Thread(target=self._pass_on, args=(source, sink, slow), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket, slow: bool) -> None:
        with suppress(OSError):
            while part := source.recv(_PART):
                self._flows.wait()
                if slow and self.delay_s:
                    time.sleep(self.delay_s)
                sink.sendall(part)
        with self._lock:
            self._open -= {source, sink}
        for one in (source, sink):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


@contextmanager
def slow_wire(*ports: int) -> Iterator[SlowWire]:
    """Give a proxy to ports of this machine."""
    wire = SlowWire(*ports)
    try:
        yield wire
    finally:
        wire.close()
