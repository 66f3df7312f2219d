"""The web server of the service: uvicorn, with limits for the head of a request."""

from __future__ import annotations

import asyncio
import json
from http import HTTPStatus

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from graphpalace.serve.http.errors import code_of, error_body
from graphpalace.settings.sections.service import ServiceSettings

_LINGER_S = 0.5  # for the client to stop sending after the last answer
_FRAMED = 8  # a body in parts of one byte each is six to eight times as long


class BoundedHeads(HttpToolsProtocol):
    """Refuses a head that is too long, has too many headers or no host, or does not arrive in time.

    `WholeBody` limits the body.
    """

    service: ServiceSettings
    _deadline: asyncio.TimerHandle | None = None
    _refused: tuple[int, str] | None = None
    _over = False  # the last answer was sent, and what still arrives is thrown away
    _left = 0  # bytes that may still arrive of the current head
    _header_bytes = 0
    _beside = 0  # bytes that arrived with the current body and are none of it
    _in_head = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Start waiting for the first request."""
        super().connection_made(transport)
        self._begin()
        self._wait_for_a_head()

    def data_received(self, data: bytes) -> None:
        """Process the bytes, and wait for another head if they begin one."""
        if self._over or self.transport.is_closing():
            return
        if self._deadline is None and (self.cycle is None or self.cycle.response_complete):
            self._wait_for_a_head()
        while data and not self._over and not self.transport.is_closing():
            # Of a head, no more is given to the parser than it may have. What follows may be a body, or another head.
            part = data[: self._left + 1] if self._in_head else data
            data = data[len(part) :]
            if self._in_head:
                self._left -= len(part)
            else:
                self._beside += len(part)
            super().data_received(part)
            if (self._in_head and self._left < 0) or self._beside > self.service.max_headers_kb * 1024:
                self._refuse(*self._long_headers())

    def on_message_begin(self) -> None:
        """Start counting the bytes of the headers."""
        super().on_message_begin()
        self._header_bytes = 0

    def on_url(self, url: bytes) -> None:
        """Take a part of the address."""
        super().on_url(url)
        if len(self.url) > self.service.max_url_kb * 1024:
            self._stop(414, f"the address is longer than {self.service.max_url_kb} KiB ([service] max_url_kb)")

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header."""
        super().on_header(name, value)
        self._header_bytes += len(name) + len(value)
        if self._header_bytes > self.service.max_headers_kb * 1024:
            self._stop(*self._long_headers())
        if len(self.headers) > self.service.max_headers:
            most = self.service.max_headers
            self._stop(431, f"the request has more than {most} headers ([service] max_headers)")

    def on_headers_complete(self) -> None:
        """Stop waiting and counting, because the head has arrived."""
        self._in_head = False
        self._stop_waiting()
        assert self.parser
        hosts = sum(name == b"host" for name, _ in self.headers)
        if hosts > 1 or (not hosts and self.parser.get_http_version() == "1.1"):
            self._stop(400, f"the request has {hosts} headers Host; it must have exactly one")
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of the body. What else arrives are lengths of parts and headers after the last one."""
        super().on_body(body)
        self._beside = max(self._beside - _FRAMED * len(body), 0)

    def on_message_complete(self) -> None:
        """Count the bytes of the next head from here on."""
        super().on_message_complete()
        self._begin()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting, because nothing more will arrive."""
        self._stop_waiting()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002
        """Answer a head that cannot be read, or was refused while it was."""
        self._refuse(*(self._refused or (400, "the request is not valid HTTP")))

    def _begin(self) -> None:
        self._in_head = True
        self._beside = 0
        self._left = (self.service.max_url_kb + self.service.max_headers_kb) * 1024

    def _long_headers(self) -> tuple[int, str]:
        return 431, f"the headers are larger than {self.service.max_headers_kb} KiB ([service] max_headers_kb)"

    def _stop(self, status: int, message: str) -> None:
        """Let the parser stop; `send_400_response` answers then.

        Raises:
            ValueError: Always.
        """
        self._refused = status, message
        raise ValueError(message)

    def _refuse(self, status: int, message: str) -> None:
        if self._over or self.transport.is_closing():
            return
        self._stop_waiting()
        body = json.dumps(error_body(code_of(status), message)).encode()
        lines = (
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
            "content-type: application/json",
            f"content-length: {len(body)}",
            "connection: close",
            "x-content-type-options: nosniff",
        )
        self.transport.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        # Closed at once, a connection whose client still sends is reset, and the client may not see the answer.
        self._over = True
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(_LINGER_S, self.transport.close)

    def _wait_for_a_head(self) -> None:
        self._deadline = self.loop.call_later(self.service.head_timeout_s, self._give_up)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        seconds = self.service.head_timeout_s
        self._refuse(408, f"the head did not arrive within {seconds:g} s ([service] head_timeout_s)")


_GRACE_S = 20


def server_config(app: ASGIApp, service: ServiceSettings) -> uvicorn.Config:
    """Return the configuration of the web server."""
    bounded = type("BoundedProtocol", (BoundedHeads,), {"service": service})
    return uvicorn.Config(
        app,
        http=bounded,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=_GRACE_S,
        server_header=False,
        ws_per_message_deflate=False,  # compressing each picture for each client costs more than sending it
    )
