"""A client without a key cannot fill the memory of the service with the head of a request."""

from __future__ import annotations

import gzip
import json
import socket
from collections.abc import Iterator

import httpx
import pytest

from graphpalace.settings.load import Settings
from tests.acceptance.served import changed, failure, served

HOST = b"Host: localhost\r\n"


@pytest.fixture(scope="module")
def http(settings: Settings) -> Iterator[httpx.Client]:
    """A service that needs no database, because nothing gets as far as that."""
    own = changed(settings, neo4j={"uri": "bolt://127.0.0.1:9"})
    with served(own, ready=False) as client:
        yield client


def answer_to(http: httpx.Client, *parts: bytes) -> tuple[int, dict[str, str]]:
    """Send bytes until the service closes the connection; return the status and the error."""
    with socket.create_connection((str(http.base_url.host), http.base_url.port or 80), timeout=20) as one:
        try:
            for part in parts:
                one.sendall(part)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the answer has arrived already
        answer = b""
        while part := one.recv(65536):
            answer += part
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split(b" ")[1]), json.loads(body)["error"]


@pytest.mark.parametrize(
    ("parts", "status", "code", "word"),
    [
        (
            [b"GET / HTTP/1.1\r\n" + HOST + b"x-endless: ", *[b"a" * 4096] * 20],
            431,
            "HEADERS_TOO_LARGE",
            "max_headers_kb",
        ),
        ([b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n"], 414, "URI_TOO_LONG", "max_url_kb"),
        ([b"GET /", *[b"a" * 4096] * 20], 414, "URI_TOO_LONG", "max_url_kb"),
        (
            [b"GET / HTTP/1.1\r\n" + HOST + b"".join(b"x-%d: 1\r\n" % at for at in range(2000)) + b"\r\n"],
            431,
            "HEADERS_TOO_LARGE",
            "max_headers",
        ),
        ([b"GET /health/live HTTP/1.1\r\n\r\n"], 400, "BAD_REQUEST", "Host"),
        ([b"\x16\x03\x01 this is no HTTP\r\n\r\n"], 400, "BAD_REQUEST", "HTTP"),
    ],
    ids=["endless header", "long address", "endless address", "2000 headers", "no host", "no HTTP"],
)
def test_a_head_that_is_too_large_or_not_valid_is_answered_and_the_connection_closed(
    http: httpx.Client, parts: list[bytes], status: int, code: str, word: str
) -> None:
    found, error = answer_to(http, *parts)
    assert (found, error["code"]) == (status, code)
    assert word in error["message"]
    assert http.get("/health/live").status_code == 200


def test_a_compressed_body_is_refused(http: httpx.Client) -> None:
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    sent = http.post("/v1/search", content=gzip.compress(b'{"query": "flour"}'), headers=headers)
    assert "compressed" in failure(sent, 415, "UNSUPPORTED_MEDIA_TYPE")["message"]


def test_a_body_that_says_it_is_not_compressed_is_read(http: httpx.Client) -> None:
    sent = http.post("/v1/search", json={"query": "flour"}, headers={"Content-Encoding": "identity"})
    failure(sent, 503, "DATABASE_UNAVAILABLE")
