"""Heads of requests within limits, however their bytes arrive."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from graphpalace.serve.http.process.server import server_config
from graphpalace.settings.sections.service import ServiceSettings

SMALL = ServiceSettings(max_url_kb=1, max_headers_kb=2, max_headers=10)


class Connection(asyncio.Transport):
    """Keeps what the service writes."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.closed = asyncio.Event()

    def write(self, data: Any) -> None:
        self.written += data

    def close(self) -> None:
        self.closed.set()

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.closed.set()

    def is_closing(self) -> bool:
        return self.closed.is_set()

    def get_extra_info(self, name: str, default: Any = None) -> Any:  # noqa: ARG002
        return default

    def pause_reading(self) -> None:
        """Nothing is read here."""

    def resume_reading(self) -> None:
        """Nothing is read here."""

    @property
    def statuses(self) -> list[int]:
        return [int(part[:3]) for part in self.written.split(b"HTTP/1.1 ")[1:]]

    @property
    def error(self) -> dict[str, Any]:
        return json.loads(self.written.rpartition(b"\r\n\r\n")[2])["error"]


async def length(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the length of the body."""
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    answer = str(len(body)).encode()
    headers = [(b"content-length", str(len(answer)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": answer})


async def answered(*parts: bytes, service: ServiceSettings = SMALL) -> Connection:
    """Return what a service answers to bytes that arrive in parts."""
    config = server_config(length, service)
    config.load()
    assert isinstance(config.http_protocol_class, type)
    protocol = config.http_protocol_class(config, ServerState(), {})
    connection = Connection()
    protocol.connection_made(connection)
    for part in parts:
        protocol.data_received(part)
        for _ in range(5):
            await asyncio.sleep(0)
    protocol.connection_lost(None)
    return connection


def head(*headers: bytes, url: bytes = b"/v1/stats", host: bytes = b"Host: a") -> bytes:
    return b"\r\n".join([b"POST " + url + b" HTTP/1.1", *([host] if host else []), *headers, b"", b""])


def cut(data: bytes, places: Sequence[int]) -> list[bytes]:
    ends = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[start:end] for start, end in pairwise(ends)]


REFUSED = [
    pytest.param(head(url=b"/" + b"a" * 1100), 414, "URI_TOO_LONG", "max_url_kb", id="long address"),
    pytest.param(b"GET /" + b"a" * 5000, 414, "URI_TOO_LONG", "max_url_kb", id="address without an end"),
    pytest.param(head(b"X: " + b"a" * 5000), 431, "HEADERS_TOO_LARGE", "max_headers_kb", id="long header"),
    pytest.param(head()[:-2] + b"X: " + b"a" * 5000, 431, "HEADERS_TOO_LARGE", "max_headers_kb", id="no end"),
    pytest.param(head()[:-2] + b"a" * 5000, 431, "HEADERS_TOO_LARGE", "max_headers_kb", id="name without an end"),
    pytest.param(head(*[b"X: a"] * 11), 431, "HEADERS_TOO_LARGE", "more than 10 headers", id="many headers"),
    pytest.param(head(host=b""), 400, "BAD_REQUEST", "0 headers Host", id="no host"),
    pytest.param(head(b"Host: b"), 400, "BAD_REQUEST", "2 headers Host", id="two hosts"),
    pytest.param(b"no request\r\n\r\n", 400, "BAD_REQUEST", "not valid HTTP", id="no HTTP"),
]


@pytest.mark.parametrize(("data", "status", "code", "says"), REFUSED)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(places=st.lists(st.integers(0, 10_000), max_size=8))
async def test_a_head_beyond_the_limits_is_refused_and_the_connection_closed(
    data: bytes, status: int, code: str, says: str, places: list[int]
) -> None:
    connection = await answered(*cut(data, places))
    assert (connection.statuses, connection.is_closing()) == ([status], True)
    assert connection.error["code"] == code
    assert says in connection.error["message"]


@settings(max_examples=50, deadline=None)
@given(
    sizes=st.lists(st.integers(0, 20_000), min_size=1, max_size=3), places=st.lists(st.integers(0, 100_000), max_size=8)
)
async def test_requests_within_the_limits_are_answered_however_long_their_bodies_are(
    sizes: list[int], places: list[int]
) -> None:
    whole = b"".join(head(b"Content-Length: %d" % size, b"X: " + b"a" * 900) + b"b" * size for size in sizes)
    connection = await answered(*cut(whole, places))
    assert connection.statuses == [200] * len(sizes)
    assert [part.rpartition(b"\r\n\r\n")[2] for part in connection.written.split(b"HTTP/1.1 ")[1:]] == [
        str(size).encode() for size in sizes
    ]


async def test_what_comes_after_a_body_in_parts_is_bounded_too() -> None:
    parts = head(b"Transfer-Encoding: chunked") + b"1\r\na\r\n" * 3000
    assert (await answered(parts + b"0\r\n\r\n")).statuses == [200]
    endless = await answered(parts + b"0\r\n", *[b"x" * 1000] * 10)
    assert (endless.statuses[-1], endless.error["code"]) == (431, "HEADERS_TOO_LARGE")


async def test_nothing_more_is_read_of_a_connection_that_was_refused() -> None:
    connection = await answered(b"GET /" + b"a" * 5000, head(), b"a" * 100_000)
    assert connection.statuses == [414]


async def test_http_1_0_needs_no_host() -> None:
    assert (await answered(b"GET /v1/stats HTTP/1.0\r\n\r\n")).statuses == [200]


async def test_a_head_that_does_not_arrive_in_time_is_given_up() -> None:
    config = server_config(length, ServiceSettings(head_timeout_s=0.01))
    config.load()
    assert isinstance(config.http_protocol_class, type)
    protocol, connection = config.http_protocol_class(config, ServerState(), {}), Connection()
    protocol.connection_made(connection)
    async with asyncio.timeout(10):
        await connection.closed.wait()
    assert connection.statuses == [408]
    assert "head_timeout_s" in connection.error["message"]
