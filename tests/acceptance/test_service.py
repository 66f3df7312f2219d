"""`graphpalace serve` as a process: it outlives its database and ends well."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from graphpalace import app as wiring
from graphpalace.client import service_file
from graphpalace.settings.load import Settings
from tests.acceptance.commands import GRAPHPALACE, apart, environ_of
from tests.acceptance.served import changed, failure, until
from tests.own_server import server_section

NOWHERE = {"uri": "bolt://127.0.0.1:9"}


@contextmanager
def serving(folder: Path, section: Mapping[str, object]) -> Iterator[tuple[subprocess.Popen[str], httpx.Client, Path]]:
    """Run the service of a section [neo4j] on a free port; give its process, a client and the file of its log."""
    log = folder / "service.log"
    with log.open("w") as stderr:
        process = subprocess.Popen(
            [GRAPHPALACE, "serve", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            cwd=folder,
            env=environ_of(section) | {"GRAPHPALACE_SERVICE__OPEN_ON_LOOPBACK": "true"},
        )
    try:
        assert process.stdout
        said = process.stdout.readline()
        found = re.search(r"http://[\d.:]+", said)
        assert found, said + log.read_text()
        with httpx.Client(base_url=found[0], timeout=60) as client:
            yield process, client, log
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(30)
        if process.stdout:
            process.stdout.close()


def free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as two:
        one.bind(("127.0.0.1", 0))
        two.bind(("127.0.0.1", 0))
        return one.getsockname()[1], two.getsockname()[1]


@pytest.mark.chaos
@pytest.mark.timeout(400)
def test_the_service_waits_for_its_database_outlives_it_and_finishes_what_it_began(
    tmp_path: Path, settings: Settings
) -> None:
    if settings.neo4j.uri:
        pytest.skip("the tests use a Neo4j that is not managed, so they cannot stop and start it")
    bolt, http = free_ports()
    section = server_section(tmp_path / "data", bolt_port=bolt, http_port=http)
    server = wiring.managed_server(changed(settings, neo4j=section))
    try:
        with serving(tmp_path, section) as (process, client, log):
            assert client.get("/health/live").status_code == 200
            assert "never been started" in client.get("/health/ready").json()["reason"]
            failure(client.get("/v1/palaces"), 503, "DATABASE_UNAVAILABLE")

            server.up(timeout_s=180)
            until(lambda: client.get("/health/ready").status_code == 200, seconds=30)
            vector = [1.0] + [0.0] * 767
            drawer = {"text": "before", "wing": "w", "embedding": vector}
            kept = client.post("/v1/drawers", json=drawer, headers={"X-Request-ID": "keep-1"})
            assert kept.status_code == 201

            server.down()
            assert client.get("/health/live").status_code == 200
            assert client.get("/health/ready").json()["database"] == "down"
            failure(client.get(f"/v1/drawers/{kept.json()['id']}"), 503, "DATABASE_UNAVAILABLE")

            server.up(timeout_s=180)
            until(lambda: client.get("/health/ready").status_code == 200, seconds=30)
            assert client.get(f"/v1/drawers/{kept.json()['id']}").json()["text"] == "before"

            answer = _post_slowly(client, {**drawer, "text": "under way"}, meanwhile=process.terminate)
            assert answer.startswith(b"HTTP/1.1 201")
            assert process.wait(60) == 0
        _check_log(log)
    finally:
        server.down()


def _post_slowly(client: httpx.Client, body: dict[str, object], *, meanwhile: Callable[[], None]) -> bytes:
    """Send half a request, do something, send the rest, and return the answer."""
    raw = json.dumps(body).encode()
    head = "POST /v1/drawers HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    head += f"Content-Length: {len(raw)}\r\n\r\n"
    with socket.create_connection((client.base_url.host, client.base_url.port or 80), timeout=60) as connection:
        connection.sendall(head.encode() + raw[:100])
        client.get("/health/live")  # answered after the head above was read
        meanwhile()
        until(lambda: _refused(client), seconds=30)  # it takes no new ones, and still has ours
        connection.sendall(raw[100:])
        return connection.recv(65536)


def _refused(client: httpx.Client) -> bool:
    try:
        socket.create_connection((client.base_url.host, client.base_url.port or 80), timeout=5).close()
    except ConnectionRefusedError:
        return True
    return False


def _check_log(log: Path) -> None:
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    requests = [line for line in lines if line["event"] == "request"]
    (kept,) = [line for line in requests if line["request_id"] == "keep-1"]
    assert (kept["method"], kept["path"], kept["status"], kept["level"]) == ("POST", "/v1/drawers", 201, "info")
    assert all(line["request_id"] and line["timestamp"] for line in requests)
    events = [line["event"] for line in lines]
    assert "database_not_ready" in events
    assert "ready" in events


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_service_well_also_without_a_database(tmp_path: Path, number: signal.Signals) -> None:
    with serving(tmp_path, NOWHERE | {"data_dir": str(tmp_path / "home")}) as (process, client, log):
        assert client.get("/health/live").status_code == 200
        until(lambda: service_file.read(tmp_path / "home") is not None, seconds=10)
        assert service_file.running(tmp_path / "home").url == str(client.base_url)
        process.send_signal(number)
        assert process.wait(30) == 0
    assert service_file.read(tmp_path / "home") is None
    assert "Traceback" not in log.read_text()


def test_a_taken_port_is_named_with_the_way_out(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        ran = apart(environ_of(NOWHERE), tmp_path, "serve", "--port", str(port))
    assert ran.code == 2
    assert f"cannot listen on 127.0.0.1 port {port}" in ran.err
    assert "[service] port" in ran.err
    assert "Traceback" not in ran.err
