"""Calls over HTTP without asyncio, with nothing but the standard library, so that a command starts at once."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from graphpalace.client.transports.reply import Reply, Request
from graphpalace.errors import ServiceUnavailable

# The service closes a connection that nobody has used for five seconds. One that was idle for longer than this is
# opened anew, because a call sent on a connection that is just being closed would be lost.
_IDLE_S = 3.0
_CONNECT_S = 5.0


class SocketTransport:
    """Keeps a few connections to one service open. Several threads may use it at the same time."""

    def __init__(self, url: str, *, api_key: str | None = None) -> None:
        """Remember where the service is; nothing is opened yet.

        Args:
            url: For example `http://127.0.0.1:8600`.
            api_key: The key of the service, if it asks for one.
        """
        self._url = url.rstrip("/")
        parts = urlsplit(self._url)
        self._secure, self._host, self._port = parts.scheme == "https", parts.hostname or "", parts.port
        self._prefix = parts.path
        self._headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {api_key}"} if api_key else {})
        self._free: list[tuple[http.client.HTTPConnection, float]] = []
        self._lock = threading.Lock()

    def send(self, request: Request) -> Reply:
        """Send a call and return the whole reply.

        Raises:
            ServiceUnavailable: If the service cannot be reached, or goes away before it has answered.
        """
        with self._answered(request) as answer:
            return Reply(answer.status, answer.read())

    def lines(self, request: Request) -> Generator[bytes, None, None]:
        """Send a call and yield first the status and then the lines of the reply as they come.

        Raises:
            ServiceUnavailable: If the service cannot be reached, or goes away before it has finished.
        """
        with self._answered(request) as answer:
            yield str(answer.status).encode()
            yield from iter(answer.readline, b"")

    def close(self) -> None:
        """Close all connections."""
        with self._lock:
            while self._free:
                self._free.pop()[0].close()

    @contextmanager
    def _answered(self, request: Request) -> Iterator[http.client.HTTPResponse]:
        connection = self._connection(request.timeout_s)
        headers = self._headers | ({"Content-Type": "application/json"} if request.body is not None else {})
        try:
            connection.request(request.method, self._prefix + request.path, request.body, headers)
            answer = connection.getresponse()
            yield answer
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise unreachable(self._url, error) from error
        except BaseException:
            connection.close()  # the rest of the reply would be taken for the next one
            raise
        if answer.isclosed() and not answer.will_close:
            with self._lock:
                self._free.append((connection, time.monotonic()))
        else:
            connection.close()

    def _connection(self, timeout_s: float | None) -> http.client.HTTPConnection:
        with self._lock:
            while self._free:
                connection, used = self._free.pop()
                if time.monotonic() - used < _IDLE_S and connection.sock is not None:
                    connection.sock.settimeout(timeout_s)
                    return connection
                connection.close()
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        connection = kind(self._host, self._port, timeout=_CONNECT_S)
        try:
            connection.connect()
        except OSError as error:
            raise unreachable(self._url, error) from error
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.sock.settimeout(timeout_s)
        return connection


def unreachable(url: str, error: Exception) -> ServiceUnavailable:
    """Return the error for a service that does not answer."""
    if isinstance(error, TimeoutError):
        why = "it did not answer in time"
    elif isinstance(error, ConnectionRefusedError):
        why = "nothing listens there"
    else:
        why = str(error) or type(error).__name__
    return ServiceUnavailable(
        f"the GraphPalace service at {url} cannot be reached: {why}. Start it with `graphpalace up`",
        url=url,
    )
