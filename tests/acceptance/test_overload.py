"""A service that is asked for more than it can do: some wait, the rest comes again, and health is always answered."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

import httpx
import pytest

from graphpalace.domain.vectors import Matrix
from graphpalace.settings.load import Settings
from tests.acceptance.served import changed, failure, served, until
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder


class GatedEmbedder(WordEmbedder):
    """Embeds once its gate is open."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()
        self.gate.set()

    def embed(self, texts: Sequence[str]) -> Matrix:
        self.gate.wait(30)
        return super().embed(texts)


@pytest.fixture(scope="module")
def embedder() -> GatedEmbedder:
    return GatedEmbedder()


@pytest.fixture(scope="module")
def http(settings: Settings, embedder: GatedEmbedder) -> Iterator[httpx.Client]:
    limits = {"searches_at_once": 4, "most_waiting": 8, "wait_s": 20.0, "read_deadline_s": 60.0}
    own = changed(settings, palace={"name": spare_name()}, service=limits)
    with served(own, embedder=embedder) as client:
        client.post("/v1/drawers", json={"text": "bread needs flour", "wing": "w"}).raise_for_status()
        yield client
        client.delete(f"/v1/palaces/{own.palace.name}?confirm={own.palace.name}").raise_for_status()


@pytest.fixture(scope="module")
def impatient(settings: Settings) -> Iterator[httpx.Client]:
    """A service that waits half a second for a head or a body; it needs no database for that."""
    limits = {"head_timeout_s": 0.5, "body_timeout_s": 0.5}
    with served(changed(settings, neo4j={"uri": "bolt://127.0.0.1:9"}, service=limits), ready=False) as client:
        yield client


def metric(http: httpx.Client, line: str) -> float:
    lines = [one for one in http.get("/metrics").text.splitlines() if one.startswith(line)]
    return float(lines[0].rpartition(" ")[2]) if lines else 0.0


async def test_of_250_clients_at_once_those_beyond_the_queue_are_told_503_and_all_others_answered(
    http: httpx.Client, embedder: GatedEmbedder
) -> None:
    turned_away = 'graphpalace_http_turned_away_total{kind="searches",why="full"}'
    before = await asyncio.to_thread(metric, http, turned_away)
    limits = httpx.Limits(max_connections=250)
    async with httpx.AsyncClient(base_url=http.base_url, timeout=60, limits=limits) as crowd:
        embedder.gate.clear()
        try:
            asked = [asyncio.create_task(crowd.post("/v1/search", json={"query": "flour"})) for _ in range(250)]
            refused = []
            for one in asyncio.as_completed(asked):
                refused.append(await one)
                if len(refused) == 250 - 4 - 8:
                    break
            # The searches are stuck, and everything else goes on.
            async with httpx.AsyncClient(base_url=http.base_url, timeout=60) as other:
                assert (await other.get("/health/live")).status_code == 200
                assert (await other.get("/health/ready")).status_code == 200
                assert (await other.get("/v1/drawers")).status_code == 200
                metrics = (await other.get("/metrics")).text
        finally:
            embedder.gate.set()
        statuses = Counter(one.status_code for one in await asyncio.gather(*asked))
    assert statuses == {200: 4 + 8, 503: 250 - 4 - 8}
    for one in refused:
        assert "searches_at_once" in failure(one, 503, "OVERLOADED")["message"]
        assert one.headers["retry-after"] == "1"
    assert 'graphpalace_http_under_way{kind="searches"} 4.0' in metrics
    assert 'graphpalace_http_waiting{kind="searches"} 8.0' in metrics
    assert await asyncio.to_thread(metric, http, turned_away) == before + 250 - 4 - 8
    assert await asyncio.to_thread(metric, http, 'graphpalace_http_under_way{kind="searches"}') == 0


HALF_HEAD = b"POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Le"
HALF_BODY = HALF_HEAD + b"ngth: 100\r\nContent-Type: application/json\r\n\r\n{"


@pytest.mark.parametrize("half", [b"", b"\r\n", HALF_HEAD, HALF_BODY], ids=["nothing", "line", "head", "body"])
def test_requests_that_are_never_sent_to_the_end_are_closed(impatient: httpx.Client, half: bytes) -> None:
    with ExitStack() as open_sockets:
        address = (str(impatient.base_url.host), impatient.base_url.port or 80)
        half_sent = [open_sockets.enter_context(socket.create_connection(address, timeout=20)) for _ in range(100)]
        for one in half_sent:
            one.sendall(half)
        assert impatient.get("/health/live").status_code == 200
        for one in half_sent:
            answer = b""
            while part := one.recv(65536):  # until the service closes it
                answer += part
            assert answer.startswith(b"HTTP/1.1 408 ")


def test_a_second_request_that_is_begun_on_a_connection_is_closed_too(impatient: httpx.Client) -> None:
    whole = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with socket.create_connection((str(impatient.base_url.host), impatient.base_url.port or 80), timeout=20) as one:
        for _ in range(2):
            one.sendall(whole)
            assert one.recv(65536).startswith(b"HTTP/1.1 200 ")
        one.sendall(whole[:20])
        assert one.recv(65536).startswith(b"HTTP/1.1 408 ")
        assert one.recv(65536) == b""


def test_a_client_that_leaves_the_queue_costs_no_work(http: httpx.Client, embedder: GatedEmbedder) -> None:
    waiting = 'graphpalace_http_waiting{kind="searches"}'
    embedder.gate.clear()
    try:
        with ExitStack() as open_sockets:
            body = b'{"query": "flour"}'
            head = b"POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            for _ in range(6):
                address = (str(http.base_url.host), http.base_url.port or 80)
                one = open_sockets.enter_context(socket.create_connection(address, timeout=20))
                one.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
            until(lambda: metric(http, waiting) == 2, seconds=10)
        until(lambda: metric(http, waiting) == 0, seconds=10)
    finally:
        embedder.gate.set()
