"""The Neo4j that GraphPalace starts itself, with real servers on free ports."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections import namedtuple
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import neo4j
import platformdirs
import psutil
import pytest
from neo4j.exceptions import AuthError, Neo4jError

from graphpalace.errors import DatabaseAuthFailed, NotEnoughDisk, PortTaken, ServerDidNotStart
from graphpalace.managed_neo4j.server import ManagedServer
from graphpalace.managed_neo4j.state import Running, Stopped

CACHE = Path(os.environ.get("GRAPHPALACE_CACHE_DIR") or platformdirs.user_cache_path("graphpalace"))

Make = Callable[..., ManagedServer]


def managed(data_dir: Path, **options: Any) -> ManagedServer:
    defaults: dict[str, Any] = {"bolt_port": 0, "http_port": 0, "heap_mib": 512, "pagecache_mib": 64}
    return ManagedServer(data_dir, CACHE, **(defaults | options))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ManagedServer]:
    """A server that is up, for the tests that leave it as it is or bring it up again."""
    started = managed(tmp_path_factory.mktemp("palace"))
    try:
        started.up()
        query(started, "CREATE (:Kept {what: 'all along'})")
        yield started
    finally:
        started.down()


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes servers with a data folder of their own, and stops them at the end."""
    made: list[ManagedServer] = []

    def build(**options: Any) -> ManagedServer:
        made.append(managed(tmp_path, **options))
        return made[-1]

    yield build
    for one in made:
        one.down()


def query(server: ManagedServer, text: Any, password: str | None = None) -> list[dict[str, Any]]:
    auth = (server.user, password or server.password)
    with neo4j.GraphDatabase.driver(server.uri, auth=auth) as driver:
        return [record.data() for record in driver.execute_query(text).records]


def running(server: ManagedServer) -> Running:
    status = server.status()
    assert isinstance(status, Running)
    return status


def kept(server: ManagedServer) -> bool:
    return query(server, "MATCH (k:Kept) RETURN k.what AS what") == [{"what": "all along"}]


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    until = time.monotonic() + 10
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_second_up_finds_the_running_server(server: ManagedServer) -> None:
    server.up()
    again = managed(server.home.parent).up()
    assert again.already_running
    assert (again.pid, again.bolt_uri) == (running(server).pid, server.uri)


def test_the_server_leads_a_session_of_its_own(server: ManagedServer) -> None:
    assert os.getsid(server.up().pid) != os.getsid(0)


def test_only_the_owner_can_read_the_password(server: ManagedServer) -> None:
    assert stat.S_IMODE(server.password_file.stat().st_mode) == 0o600
    assert len(server.password) >= 32


def test_the_password_is_in_no_log_configuration_or_argument(server: ManagedServer) -> None:
    found = [path for path in server.home.rglob("*") if path.suffix in {".log", ".conf", ".args", ".json", ".ini"}]
    assert len(found) > 4
    assert not [path for path in found if server.password.encode() in path.read_bytes()]
    assert server.password not in " ".join(psutil.Process(server.up().pid).cmdline())


@pytest.mark.parametrize("auth", [None, ("neo4j", "neo4j")])
def test_nobody_gets_in_without_the_password(server: ManagedServer, auth: tuple[str, str] | None) -> None:
    server.up()
    with neo4j.GraphDatabase.driver(server.uri, auth=auth) as driver, pytest.raises((AuthError, Neo4jError)):
        driver.execute_query("RETURN 1")


def test_the_server_listens_on_the_loopback_address_alone(server: ManagedServer) -> None:
    sockets = psutil.Process(server.up().pid).net_connections(kind="inet")
    listening = {found.laddr.ip for found in sockets if found.status == psutil.CONN_LISTEN}
    assert {address.removeprefix("::ffff:") for address in listening} == {"127.0.0.1"}
    remote = {found.raddr.ip for found in sockets if found.raddr}
    assert {address.removeprefix("::ffff:") for address in remote} <= {"127.0.0.1"}


def test_everything_that_reports_to_someone_is_off(server: ManagedServer) -> None:
    server.up()
    rows = query(server, "SHOW SETTINGS YIELD name, value RETURN name, value")
    values = {row["name"]: row["value"] for row in rows}
    names = ["dbms.usage_report.enabled", "client.allow_telemetry", "server.bolt.telemetry.enabled"]
    names += ["server.fleet_discovery.enabled", "dbms.fleet_manager.enabled"]
    assert {values[name] for name in names} == {"false"}


def test_the_server_does_not_keep_connections_alive_that_cannot_go_silent(server: ManagedServer) -> None:
    server.up()
    rows = query(server, "SHOW SETTINGS YIELD name, value WHERE name CONTAINS 'keep_alive_for' RETURN value")
    assert rows == [{"value": "OFF"}]


def test_neo4j_browser_answers(server: ManagedServer) -> None:
    address = server.up().http_url.removeprefix("http://")
    connection = http.client.HTTPConnection(address, timeout=10)
    connection.request("GET", "/browser/")
    response = connection.getresponse()
    assert response.status == 200
    assert b"Neo4j Browser" in response.read()
    connection.close()


def test_a_taken_port_is_told_with_its_program_and_the_way_out(make: Make) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        server = make(bolt_port=port)
        with pytest.raises(PortTaken, match=f"Port {port} is used by .*process {os.getpid()}") as taken:
            server.up()
    assert "`bolt_port` under [neo4j]" in taken.value.message
    assert "GRAPHPALACE_NEO4J__BOLT_PORT" in taken.value.message
    assert server.status() == Stopped("It was never started.")


def test_a_port_taken_on_all_addresses_counts_too(make: Make) -> None:
    with socket.create_server(("", 0)) as other, pytest.raises(PortTaken, match="HTTP_PORT"):
        make(http_port=other.getsockname()[1]).up()


def test_a_process_that_dies_at_once_is_told_with_its_last_words(make: Make) -> None:
    server = make(heap_mib=1 << 40)
    with pytest.raises(ServerDidNotStart, match=r"console\.log") as failed:
        server.up()
    assert "heap" in " ".join(failed.value.detail["lines"])
    assert isinstance(server.status(), Stopped)


def test_a_server_that_is_not_ready_in_time_is_stopped_again(make: Make) -> None:
    server = make()
    with pytest.raises(ServerDidNotStart, match=r"within 0\.5 s"):
        server.up(timeout_s=0.5)
    assert isinstance(server.status(), Stopped)
    state = json.loads((server.home / "server.json").read_text())
    assert not psutil.pid_exists(state["pid"])


def test_too_little_disk_is_told_before_the_start(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10, 9, 5 << 20))
    with pytest.raises(NotEnoughDisk, match=r"Neo4j needs 608 MiB to start, and .* has 5 MiB free"):
        make().up()


def test_down_without_a_server_stops_nothing(make: Make) -> None:
    assert make().down() is False


@pytest.mark.chaos
def test_a_killed_server_is_noticed_and_started_again_with_its_data(server: ManagedServer) -> None:
    first = server.up()
    assert not server.ended_by_itself()
    kill(first.pid)
    assert isinstance(server.status(), Stopped)
    assert server.ended_by_itself()
    second = server.up()
    assert not second.already_running
    assert second.pid != first.pid
    assert second.bolt_uri == first.bolt_uri  # clients find it where it was
    assert kept(server)


def test_a_pid_given_to_another_program_is_not_taken_for_the_server(server: ManagedServer) -> None:
    first = server.up()
    kill(first.pid)
    state_file = server.home / "server.json"
    state = json.loads(state_file.read_text())
    state_file.write_text(json.dumps(state | {"pid": os.getpid()}))
    assert isinstance(server.status(), Stopped)
    assert server.down() is False
    assert not server.up().already_running


def test_a_server_outlives_the_command_that_started_it_and_two_commands_start_one(make: Make) -> None:
    server = make()
    code = (
        "import sys; from pathlib import Path; from graphpalace.managed_neo4j.server import ManagedServer;"
        "s = ManagedServer(Path(sys.argv[1]), Path(sys.argv[2]), bolt_port=0, http_port=0, heap_mib=512);"
        "r = s.up(); print(r.pid, r.already_running)"
    )
    command = [sys.executable, "-c", code, str(server.home.parent), str(CACHE)]
    commands = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = [one.communicate(timeout=120)[0].split() for one in commands]
    assert said[0][0] == said[1][0]
    assert {words[1] for words in said} == {"True", "False"}
    assert running(server).pid == int(said[0][0])
    assert query(server, "RETURN 1 AS one") == [{"one": 1}]
    assert server.down()
    assert server.status() == Stopped("It was stopped.")
    assert not psutil.pid_exists(int(said[0][0]))


@pytest.mark.chaos
def test_a_server_that_ignores_the_request_to_stop_is_killed_and_status_says_so(make: Make) -> None:
    server = make()
    pid = server.up().pid
    os.kill(pid, signal.SIGSTOP)
    assert server.down(timeout_s=1)
    status = server.status()
    assert isinstance(status, Stopped)
    assert "killed" in status.reason
    assert not psutil.pid_exists(pid)


def test_a_wrong_password_is_told_with_the_way_out_and_a_reset_gets_in_again(server: ManagedServer) -> None:
    server.up()
    old = server.password
    server.password_file.write_text("not the password\n")
    with pytest.raises(DatabaseAuthFailed, match="--reset-password"):
        server.up()
    assert isinstance(server.status(), Running)  # others may be using it
    server.down()
    assert not server.ended_by_itself()
    server.password_file.unlink()
    with pytest.raises(DatabaseAuthFailed, match="--reset-password"):
        server.up()

    server.reset_password()

    assert isinstance(server.status(), Stopped)
    assert stat.S_IMODE(server.password_file.stat().st_mode) == 0o600
    assert server.password != old
    assert not server.up().already_running
    assert kept(server)
    with pytest.raises(AuthError):
        query(server, "RETURN 1", password=old)


@pytest.mark.skipif(not hasattr(psutil.Process, "memory_maps"), reason="the system does not tell what is mapped")
def test_a_server_that_ran_before_maps_the_classes_of_an_earlier_one(server: ManagedServer) -> None:
    server.down()
    archives = {str(path) for path in (CACHE / "classes").glob("neo4j-*.jsa")}
    mapped = {region.path for region in psutil.Process(server.up().pid).memory_maps()}
    assert archives & mapped
    assert not list((CACHE / "classes").glob("*.part"))
    assert not (server.home / "run" / "classes").exists()


def test_two_threads_get_the_same_server(server: ManagedServer) -> None:
    server.down()
    found: list[Running] = []
    threads = [threading.Thread(target=lambda: found.append(server.up())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0].pid == found[1].pid
    assert {one.already_running for one in found} == {True, False}


@pytest.mark.chaos
def test_neo4j_5_starts_keeps_and_resets_its_password_too(make: Make) -> None:
    server = make(version="5.26.30")
    assert server.up().version == "5.26.30"
    server.reset_password()
    server.up()
    rows = query(server, "CALL dbms.components() YIELD versions RETURN versions[0] AS version")
    assert rows == [{"version": "5.26.30"}]
    assert server.down()
