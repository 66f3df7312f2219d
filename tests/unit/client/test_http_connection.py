"""What a connection makes of the answers of a server: bodies in parts and whole, and those that break off."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from threading import Thread

import pytest

from graphpalace.client.transports.reply import Reply, Request
from graphpalace.client.transports.sockets import SocketTransport
from graphpalace.errors import ServiceUnavailable

ASK = Request("GET", "/v1/palaces", timeout_s=5)
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
Serve = Callable[..., SocketTransport]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """A transport to a server that answers each connection with some bytes, in parts, and closes it."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answering(*answers: list[bytes]) -> SocketTransport:
            def run() -> None:
                for parts in answers:
                    connection, _ = server.accept()
                    with connection:
                        for part in parts:
                            connection.recv(65_536)
                            connection.sendall(part)

            Thread(target=run, daemon=True).start()
            return SocketTransport(f"http://127.0.0.1:{server.getsockname()[1]}")

        yield answering


@pytest.mark.parametrize(
    ("answer", "body"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", b"hello"),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nEnd: yes\r\n\r\n",
            b"hello",
        ),
        (b"HTTP/1.0 200 OK\r\n\r\nhello", b"hello"),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nCONTENT-LENGTH: 5\r\n\r\nhello", b"hello"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", b""),
        (b"HTTP/1.1 204 No Content\r\n\r\n", b""),
    ],
)
def test_a_body_is_read_to_its_end(serve: Serve, answer: bytes, body: bytes) -> None:
    assert serve([answer]).send(ASK).body == body


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello", "in the middle of its answer"),
        (CHUNKED + b"9\r\nhel", "in the middle of its answer"),
        (b"HTTP/1.1 200", "without an answer"),
        (b"", "without an answer"),
        (b"SSH-2.0-OpenSSH\r\n", "is not HTTP"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n", "is not HTTP"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\n", "is not HTTP"),
        (CHUNKED + b"x\r\n", "is not HTTP"),
    ],
)
def test_an_answer_that_breaks_off_is_never_taken_for_a_whole_one(serve: Serve, answer: bytes, why: str) -> None:
    with pytest.raises(ServiceUnavailable, match=why):
        serve([answer], [answer]).send(ASK)


def test_a_connection_is_used_again_after_a_whole_answer(serve: Serve) -> None:
    answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
    transport = serve([answer, answer])  # one connection
    assert [transport.send(ASK), transport.send(ASK)] == [Reply(200, b"{}")] * 2


def test_lines_come_as_they_are_sent(serve: Serve) -> None:
    lines = serve([CHUNKED + b"5\r\none\nt\r\n3\r\nwo\n\r\n0\r\n\r\n"]).lines(ASK)
    assert list(lines) == [b"200", b"one\n", b"two\n"]


def test_a_service_that_does_not_answer_in_time_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        transport = SocketTransport(f"http://127.0.0.1:{server.getsockname()[1]}")
        with pytest.raises(ServiceUnavailable, match="did not answer in time"):
            transport.send(Request("GET", "/", timeout_s=0.1))
