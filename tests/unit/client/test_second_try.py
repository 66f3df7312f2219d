"""Calls that a busy service turns away are sent again, and those that were refused for another reason are not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import ClassVar

import pytest

from graphpalace.client.transports import reply as second_try
from graphpalace.client.transports.httpx_transport import HttpxTransport
from graphpalace.client.transports.reply import Reply, Request, busy_pauses
from graphpalace.client.transports.sockets import SocketTransport


class Busy(BaseHTTPRequestHandler):
    """Answers with the next of some codes, and with 200 when there are no more."""

    codes: ClassVar[list[str]] = []
    keys: ClassVar[list[str | None]] = []

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.keys.append(self.headers["Idempotency-Key"])
        code = self.codes.pop(0) if self.codes else None
        body = json.dumps({"error": {"code": code}} if code else {}).encode()
        self.send_response(503 if code else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(second_try, "_BUSY_PAUSE_S", 0.001)
    Busy.codes, Busy.keys = [], []
    server = HTTPServer(("127.0.0.1", 0), Busy)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def sent(url: str, kind: str) -> Reply:
    request = Request("POST", "/v1/drawers", body=b"{}")
    if kind == "sockets":
        return SocketTransport(url).send(request)

    async def ask() -> Reply:
        transport = HttpxTransport(url)
        try:
            return await transport.send(request)
        finally:
            await transport.close()

    return asyncio.run(ask())


@pytest.mark.parametrize("kind", ["sockets", "httpx"])
def test_a_call_comes_again_with_the_same_key_until_it_is_answered(url: str, kind: str) -> None:
    Busy.codes = ["OVERLOADED", "TOOK_TOO_LONG", "OVERLOADED"]
    assert sent(url, kind).status == 200
    assert len(Busy.keys) == 4
    assert len(set(Busy.keys)) == 1
    assert Busy.keys[0]


@pytest.mark.parametrize("kind", ["sockets", "httpx"])
def test_another_refusal_is_told_at_once(url: str, kind: str) -> None:
    Busy.codes = ["DATABASE_UNAVAILABLE"]
    assert sent(url, kind).status == 503
    assert len(Busy.keys) == 1


def test_pauses_grow_and_end_with_the_time_of_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.5]  # at half a second, a pause is as long as it is set
    monkeypatch.setattr(second_try, "monotonic", lambda: now[0])
    found = []
    for pause in busy_pauses(Request("GET", "/v1/stats", timeout_s=10)):
        found.append(pause)
        now[0] += round(pause)
    assert found == pytest.approx([0.3, 0.6, 1.2, 2.4, 3.0])  # 0 + 1 + 1 + 2 + 3 s, and 3 more are all of it
