"""A connection to a service, by HTTP/1.1 with sockets: `http.client` takes as long to import as the service to answer.

It has the methods of `http.client.HTTPConnection` that a transport needs. With https it is that of `http.client`.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult

try:
    import _socket as socket  # what `socket` is made from; making the rest of it takes half as long as Python's start
except ImportError:  # not CPython
    import socket

if TYPE_CHECKING:
    from http.client import HTTPSConnection

_MOST_HEAD_BYTES = 65_536
_WITHOUT_BODY = (204, 304)
_NOT_HTTP = "what answers there is not HTTP"


def connection_to(parts: SplitResult, *, timeout_s: float) -> HttpConnection | HTTPSConnection:
    """Return an open connection to the host of a URL.

    Raises:
        OSError: If the host cannot be reached in this time.
    """
    if parts.scheme == "https":
        from http.client import HTTPSConnection

        secure = HTTPSConnection(parts.hostname or "", parts.port, timeout=timeout_s)
        secure.connect()
        return secure
    return HttpConnection(parts, timeout_s=timeout_s)


def broken(parts: SplitResult) -> tuple[type[Exception], ...]:
    """Return the errors of a connection that breaks, or of an answer that is not HTTP."""
    if parts.scheme == "https":
        from http.client import HTTPException

        return OSError, HTTPException
    return (OSError,)


class HttpConnection:
    """An open connection. One call is sent after the other, each when the answer to the one before is read."""

    def __init__(self, parts: SplitResult, *, timeout_s: float) -> None:
        """Open it.

        Raises:
            OSError: If the host cannot be reached in this time.
        """
        self._host = parts.netloc.rpartition("@")[2]
        self.sock: Any = _opened(parts.hostname or "", parts.port or 80, timeout_s)
        self._received: io.BufferedReader[Any] = io.BufferedReader(_Received(self.sock))

    def request(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> None:
        """Send a call."""
        length = {} if body is None and method == "GET" else {"Content-Length": str(len(body or b""))}
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self._host}"]
        lines += [f"{name}: {value}" for name, value in (dict(headers) | length).items()]
        self.sock.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + (body or b""))

    def getresponse(self) -> HttpAnswer:
        """Return the answer when its head is here."""
        status, headers = 100, {}
        while status < 200:  # such as 100 Continue
            status, headers = _head(self._received)
        return HttpAnswer(self._received, status, headers)

    def close(self) -> None:
        """Close it."""
        self.sock.close()


class HttpAnswer(io.RawIOBase):
    """An answer, whose body is read as it comes.

    Attributes:
        status: Such as 200.
        will_close: Whether the service closes the connection after it.
    """

    def __init__(self, received: io.BufferedReader[Any], status: int, headers: Mapping[str, str]) -> None:
        """Read nothing yet."""
        self.status = status
        self._received = received
        self._chunked = headers.get("transfer-encoding", "").lower() == "chunked"
        length = headers.get("content-length")
        self._to_the_end = not self._chunked and length is None and status not in _WITHOUT_BODY
        self._left = 0 if self._chunked or status in _WITHOUT_BODY else _number(length or "0", 10)  # of body or chunk
        self._ended = not (self._chunked or self._to_the_end or self._left)
        self.will_close = self._to_the_end or headers.get("connection", "").lower() == "close"
        self._lines = io.BufferedReader(self)

    def isclosed(self) -> bool:
        """Return whether the whole body is read."""
        return self._ended

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readline(self, size: int | None = -1, /) -> bytes:
        """Return the next line of the body, as soon as it is here."""
        return self._lines.readline(-1 if size is None else size)

    def readinto(self, buffer: Any, /) -> int:
        """Read a part of the body into a buffer, and return how many bytes; 0 at the end.

        Raises:
            ConnectionError: If the service went away before it has finished.
        """
        if self._chunked and not self._left and not self._ended:
            self._left = _number(_line(self._received).decode("latin-1").partition(";")[0], 16)
            if not self._left:
                self._ended = True
                while _line(self._received):  # what stands behind the last chunk
                    pass
        if self._ended:
            return 0
        most = len(buffer) if self._to_the_end else min(len(buffer), self._left)
        found = self._received.readinto1(memoryview(buffer)[:most])
        if self._to_the_end:
            self._ended = not found
            return found
        if not found:
            raise ConnectionResetError("it went away in the middle of its answer")
        self._left -= found
        if self._chunked and not self._left:
            _line(self._received)
        self._ended = not self._chunked and not self._left
        return found


class _Received(io.RawIOBase):
    """What comes through a socket."""

    def __init__(self, sock: Any) -> None:
        self._sock = sock

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        return self._sock.recv_into(buffer)


def _opened(host: str, port: int, timeout_s: float) -> Any:
    """Return a socket that is connected to one of the addresses of a host."""
    name = host.encode() if host.isascii() else host  # a text would need `encodings.idna`
    failed: OSError | None = None
    for family, kind, protocol, _, address in socket.getaddrinfo(name, port, 0, socket.SOCK_STREAM):
        sock = socket.socket(family, kind, protocol)
        try:
            sock.settimeout(timeout_s)
            sock.connect(address)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            sock.close()
            failed = error
        else:
            return sock
    raise failed or OSError(f"there is no host {host}")


def _head(received: io.BufferedReader[Any]) -> tuple[int, dict[str, str]]:
    words = _line(received).split(None, 2)
    if len(words) < 2 or not words[0].startswith(b"HTTP/1.") or not words[1].isdigit():
        raise ConnectionError(_NOT_HTTP)
    headers = {"connection": "close"} if words[0] == b"HTTP/1.0" else {}
    while line := _line(received):
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.lower()] = value.strip()
    return int(words[1]), headers


def _line(received: io.BufferedReader[Any]) -> bytes:
    line = received.readline(_MOST_HEAD_BYTES)
    if not line.endswith(b"\n"):
        raise ConnectionResetError("it closed the connection without an answer")
    return line.rstrip(b"\r\n")


def _number(digits: str, base: int) -> int:
    try:
        number = int(digits, base)
    except ValueError:
        number = -1
    if number < 0:
        raise ConnectionError(_NOT_HTTP)
    return number
