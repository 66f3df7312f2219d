"""Calls over HTTP without asyncio, with nothing but the standard library, so that a command starts at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from graphpalace.client.ensure_service import address
from graphpalace.client.transports.http_connection import broken, connection_to
from graphpalace.client.transports.reply import (
    Reply,
    Request,
    busy_pauses,
    in_progress,
    may_try_again,
    pauses,
    turned_away,
    with_key,
)
from graphpalace.errors import ServiceUnavailable

if TYPE_CHECKING:
    from http.client import HTTPResponse, HTTPSConnection

    from graphpalace.client.transports.http_connection import HttpAnswer, HttpConnection

    _Connection = HttpConnection | HTTPSConnection

# The service closes a connection that nobody has used for five seconds. One that was idle for longer than this is
# opened anew, because a call sent on a connection that is just being closed would be lost.
_IDLE_S = 3.0
_CONNECT_S = 5.0


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a service is, and what is sent with every call."""

    url: str
    parts: SplitResult
    headers: dict[str, str]


class SocketTransport:
    """Keeps a few connections to one service open. Several threads may use it at the same time."""

    def __init__(self, url: str | None, *, api_key: str | None = None) -> None:
        """Remember where the service is; nothing is opened yet.

        Args:
            url: For example `http://127.0.0.1:8600`. None: that of the service of this machine, which is found, and
                started if necessary, at the first call.
            api_key: The key of the service, if it asks for one.
        """
        self._given = url, api_key
        self._finding = threading.Lock()
        self._found: _Place | None = None
        self._free: list[tuple[_Connection, float]] = []
        self._lock = threading.Lock()

    def send(self, request: Request) -> Reply:
        """Send a call and return the whole reply. If the connection breaks, the call is sent once more.

        A call that a busy service turns away is sent again for some seconds.

        Raises:
            ServiceUnavailable: If the service cannot be reached or started, or goes away before it has answered.
        """
        asked = with_key(request)
        try:
            return self._whole(asked)
        except ServiceUnavailable as error:
            if not may_try_again(error, restarts=self._given[0] is None):
                raise
        self._find_again()
        return _repeated(asked, self._whole, while_=in_progress, pauses=pauses)

    def lines(self, request: Request) -> Generator[bytes, None, None]:
        """Send a call and yield first the status and then the lines of the reply as they come.

        Raises:
            ServiceUnavailable: If the service cannot be reached or started, or goes away before it has finished.
        """
        with self._answered(request) as answer:
            yield str(answer.status).encode()
            yield from iter(answer.readline, b"")

    def close(self) -> None:
        """Close all connections."""
        with self._lock:
            while self._free:
                self._free.pop()[0].close()

    def _whole(self, request: Request) -> Reply:
        return _repeated(request, self._once, while_=turned_away, pauses=busy_pauses)

    def _once(self, request: Request) -> Reply:
        with self._answered(request) as answer:
            return Reply(answer.status, answer.read())

    def _find_again(self) -> None:
        """Close the connections, which may all be broken, and look anew where the service is."""
        self.close()
        with self._finding:
            self._found = None

    @contextmanager
    def _answered(self, request: Request) -> Iterator[HttpAnswer | HTTPResponse]:
        place = self._place()
        connection = self._connection(place, request.timeout_s)
        headers = place.headers | request.headers
        try:
            connection.request(request.method, place.parts.path + request.path, request.body, headers)
            answer = connection.getresponse()
            yield answer
        except broken(place.parts) as error:
            connection.close()
            raise unreachable(place.url, error) from error
        except BaseException:
            connection.close()  # the rest of the reply would be taken for the next one
            raise
        if answer.isclosed() and not answer.will_close:
            with self._lock:
                self._free.append((connection, time.monotonic()))
        else:
            connection.close()

    def _place(self) -> _Place:
        with self._finding:
            if self._found is None:
                url, key = address(*self._given)
                headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
                self._found = _Place(url, urlsplit(url), headers)
            return self._found

    def _connection(self, place: _Place, timeout_s: float | None) -> _Connection:
        with self._lock:
            while self._free:
                connection, used = self._free.pop()
                if time.monotonic() - used < _IDLE_S and connection.sock is not None:
                    connection.sock.settimeout(timeout_s)
                    return connection
                connection.close()
        try:
            connection = connection_to(place.parts, timeout_s=_CONNECT_S)
        except OSError as error:
            raise unreachable(place.url, error) from error
        connection.sock.settimeout(timeout_s)
        return connection


def _repeated(
    request: Request,
    send: Callable[[Request], Reply],
    *,
    while_: Callable[[Reply], bool],
    pauses: Callable[[Request], Iterator[float]],
) -> Reply:
    """Send a call, and send it again after each pause while the reply says that this may help."""
    reply = send(request)
    for pause in pauses(request):
        if not while_(reply):
            break
        time.sleep(pause)
        reply = send(request)
    return reply


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
