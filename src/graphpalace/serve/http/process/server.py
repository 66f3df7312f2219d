"""The web server of the service: uvicorn, with a time limit for the head of a request, which uvicorn lacks."""

from __future__ import annotations

import asyncio

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from graphpalace.settings.sections.service import ServiceSettings

_GRACE_S = 20


def server_config(app: ASGIApp, service: ServiceSettings) -> uvicorn.Config:
    """Return the configuration of the web server."""
    timed = type("TimedProtocol", (TimedHeads,), {"head_timeout_s": service.head_timeout_s})
    return uvicorn.Config(
        app,
        http=timed,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=_GRACE_S,
        server_header=False,
        ws_per_message_deflate=False,  # compressing each picture for each client costs more than sending it
    )


class TimedHeads(HttpToolsProtocol):
    """Closes a connection if the head of a request does not arrive in time. `WholeBody` limits the time of the body."""

    head_timeout_s: float
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Start waiting for the first request."""
        super().connection_made(transport)
        self._wait_for_a_head()

    def data_received(self, data: bytes) -> None:
        """Process the bytes, and wait for another head if they begin one."""
        if self._deadline is None and (self.cycle is None or self.cycle.response_complete):
            self._wait_for_a_head()
        super().data_received(data)

    def on_headers_complete(self) -> None:
        """Stop waiting, because the head has arrived."""
        self._stop_waiting()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting, because nothing more will arrive."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait_for_a_head(self) -> None:
        self._deadline = self.loop.call_later(self.head_timeout_s, self._give_up)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        if not self.transport.is_closing():
            self.transport.write(b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
            self.transport.close()
