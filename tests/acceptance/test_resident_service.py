"""The service in the background, as real processes: started once, told apart from others, replaced, and stopped."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import tomllib
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import httpx
import psutil
import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from graphpalace import Palace, app
from graphpalace.client import service_file
from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.client.service_file import RunningService
from graphpalace.error_codes import EXIT
from graphpalace.errors import NotFound, ServiceUnavailable
from graphpalace.settings.load import Settings
from tests.acceptance.commands import GRAPHPALACE, Ran, apart, environ_of, printed
from tests.acceptance.served import until
from tests.mcp_calls import call

_ENSURE = """
from graphpalace.client.ensure_service import ensure_service
from graphpalace.settings.home import home
print(ensure_service(home()).pid)
"""


@pytest.fixture(scope="module")
def environ(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """A home of its own on the tests' Neo4j, whose service listens on a free port; it is stopped in the end."""
    neo4j = settings.neo4j
    section: dict[str, object] = {"uri": neo4j.uri, "user": neo4j.user, "password": neo4j.password.get_secret_value()}
    if not neo4j.uri:
        server = app.managed_server(settings)
        section = {"uri": server.uri, "user": server.user, "password": server.password}
    folder = tmp_path_factory.mktemp("home")
    name = f"own{uuid.uuid4().hex[:8]}"
    config = folder / "graphpalace.toml"
    config.write_text(f'[palace]\nname = "{name}"\n')  # in the environment, it would be one caller's
    environ = environ_of(section | {"data_dir": str(folder)}) | {
        "GRAPHPALACE_CONFIG": str(config),
        "GRAPHPALACE_SERVICE__PORT": "0",
        "GRAPHPALACE_SERVICE__AUTOSTART": "true",
        "GRAPHPALACE_EMBEDDINGS__BASE_URL": "http://127.0.0.1:9/v1",  # loading a model delays the end
        "GRAPHPALACE_EMBEDDINGS__MODEL": "elsewhere",
    }
    del environ["GRAPHPALACE_PALACE__NAME"]
    yield environ
    dropped = apart(environ, folder, "palace", "drop", name, "--yes")
    assert apart(environ, folder, "down").code == 0
    assert dropped.code == 0, dropped.err


@pytest.fixture(scope="module")
def folder(environ: dict[str, str]) -> Path:
    """The data folder."""
    return Path(environ["GRAPHPALACE_NEO4J__DATA_DIR"])


@pytest.fixture(scope="module")
def command(environ: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Ran]:
    """Run `graphpalace` as a process of its own."""
    return partial(apart, environ, tmp_path_factory.mktemp("cwd"))


@pytest.fixture
def service(environ: dict[str, str], folder: Path) -> RunningService:
    """The service of the home, started if it does not run."""
    ensured(environ)
    return service_file.running(folder)


def ensured(environ: dict[str, str]) -> int:
    """Need the service in a process and a session of their own, and return the service's process number."""
    ran = subprocess.run(
        [sys.executable, "-c", _ENSURE],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
    )
    assert ran.returncode == 0, ran.stderr
    return int(ran.stdout)


def service_palace(environ: dict[str, str]) -> str:
    return tomllib.loads(Path(environ["GRAPHPALACE_CONFIG"]).read_text())["palace"]["name"]


def gone(service: RunningService) -> bool:
    return not service.alive


def test_ten_processes_that_need_the_service_at_once_start_one_that_outlives_them(
    environ: dict[str, str], folder: Path
) -> None:
    with ThreadPoolExecutor(10) as threads:
        (pid,) = set(threads.map(ensured, [environ] * 10))
    assert os.getsid(pid) == os.getpgid(pid) == pid
    log = folder / "service.log"
    assert log.read_text().count("GraphPalace serves http://") == 1
    assert not log.with_suffix(".previous.log").exists()
    assert log.stat().st_mode & 0o077 == 0
    service = service_file.running(folder)
    assert httpx.get(f"{service.url}/health/ready?lenient").status_code == 200
    assert service.key not in log.read_text()


def test_a_palace_without_an_address_is_that_of_the_service(
    service: RunningService, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHPALACE_NEO4J__DATA_DIR", environ["GRAPHPALACE_NEO4J__DATA_DIR"])
    with Palace.connect() as palace:
        vector = [1.0] + [0.0] * 383
        added = palace.add("The spare key is under the third stone.", wing="home", room="keys", embedding=vector)
        assert palace.get(added.id).text.startswith("The spare key")


def test_a_palace_without_an_address_is_the_one_that_this_terminal_names(
    service: RunningService, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHPALACE_NEO4J__DATA_DIR", environ["GRAPHPALACE_NEO4J__DATA_DIR"])
    monkeypatch.setenv("GRAPHPALACE_PALACE__NAME", "own_of_this_terminal")
    with Palace.connect() as palace, Palace.connect(name=service_palace(environ)) as usual:
        assert usual.wings() is not None
        with pytest.raises(NotFound, match="own_of_this_terminal"):
            palace.wings()
        palace.palaces.create("own_of_this_terminal")
        assert palace.wings() == []
        palace.palaces.drop("own_of_this_terminal")
    with Palace.connect(service.url, service.key) as of_service:
        assert of_service.taxonomy().palace == service_palace(environ)


async def test_the_event_loop_goes_on_while_a_palace_starts_its_service(
    environ: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = environ | {"GRAPHPALACE_NEO4J__DATA_DIR": str(tmp_path)}
    for name in own:
        if name.startswith("GRAPHPALACE_"):
            monkeypatch.setenv(name, own[name])
    turns = 0

    async def turn() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0.02)
            turns += 1

    turning = asyncio.create_task(turn())
    await asyncio.sleep(0)
    try:
        async with AsyncPalace.connect() as palace:
            listed = await asyncio.gather(palace.palaces.list(), palace.palaces.list())
        assert listed[0] == listed[1]
        assert turns > 20  # nearly all of its start, which takes seconds
    finally:
        turning.cancel()
        ended = await asyncio.to_thread(apart, own, tmp_path, "down")
    assert ended.out.startswith("service stopped")


def test_a_service_does_not_take_the_palace_and_the_choices_of_the_one_who_started_it(
    environ: dict[str, str], tmp_path: Path
) -> None:
    own = environ | {"GRAPHPALACE_NEO4J__DATA_DIR": str(tmp_path), "GRAPHPALACE_SERVICE__OPEN_ON_LOOPBACK": "true"}
    callers = {"GRAPHPALACE_PALACE__NAME": f"{service_palace(environ)}2", "GRAPHPALACE_MCP__READ_ONLY": "true"}

    def seen() -> tuple[str, bool]:
        with httpx.Client(base_url=service_file.running(tmp_path).url, timeout=60) as other:
            ask = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
            listed = other.post("/mcp", json=ask, headers={"Accept": "application/json, text/event-stream"})
            return other.get("/v1/mcmp/status").json()["palace"], "add_drawer" in listed.text

    try:
        ensured(own | callers)
        assert seen() == (service_palace(environ), True)
        assert apart(own | callers, tmp_path, "service", "restart").code == 0
        assert seen() == (callers["GRAPHPALACE_PALACE__NAME"], False)
    finally:
        dropped = apart(own, tmp_path, "palace", "drop", callers["GRAPHPALACE_PALACE__NAME"], "--yes")
        assert apart(own, tmp_path, "down").code == 0
    assert dropped.code == 0, dropped.err


@pytest.mark.chaos
async def test_the_mcp_server_starts_the_service_and_goes_on_after_it_restarted_or_died(
    environ: dict[str, str], tmp_path: Path
) -> None:
    own = environ | {"GRAPHPALACE_NEO4J__DATA_DIR": str(tmp_path)}
    words = ["mcp", "--profile", "core,admin"]
    transport = StdioTransport(GRAPHPALACE, words, env=own, cwd=str(tmp_path), keep_alive=False)
    assert service_file.read(tmp_path) is None
    try:
        async with Client(transport, init_timeout=120) as client:
            first = service_file.running(tmp_path)
            assert "search" in {tool.name for tool in await client.list_tools()}
            assert (await call(client, "palace_status"))["palace"] == service_palace(environ)
            assert (await asyncio.to_thread(apart, own, tmp_path, "service", "restart")).code == 0
            second = service_file.running(tmp_path)
            assert (second.key != first.key, second.pid != first.pid) == (True, True)
            assert (await call(client, "palace_status"))["palace"] == service_palace(environ)
            os.kill(second.pid, signal.SIGKILL)
            await asyncio.to_thread(until, partial(gone, second), seconds=20)
            assert (await call(client, "palace_status"))["palace"] == service_palace(environ)
            assert service_file.running(tmp_path).pid != second.pid
    finally:
        ended = await asyncio.to_thread(apart, own, tmp_path, "down")
    assert ended.out.startswith("service stopped")  # it has outlived the server that started it


def test_whoever_has_no_key_gets_nothing_but_the_page_and_health(
    service: RunningService, command: Callable[..., Ran]
) -> None:
    with httpx.Client(base_url=service.url) as stranger:
        for path in ("/v1/palaces", "/v1/search", "/docs", "/openapi.json", "/metrics", "/page/links"):
            assert stranger.post(path).status_code == 401, path
            assert stranger.get(path).status_code == 401, path
        assert stranger.post("/mcp", json={}).status_code == 401
        for path in ("/", "/health/live", "/health/ready?lenient"):
            assert stranger.get(path).status_code == 200, path
        key = command("key", "show").out.strip()
        assert stranger.get("/v1/palaces", headers={"Authorization": f"Bearer {key}"}).status_code == 200


def test_the_commands_show_the_service(service: RunningService, command: Callable[..., Ran], folder: Path) -> None:
    found = printed(command("service", "status", "--json"))
    assert (found["state"], found["url"], found["pid"]) == ("running", service.url, service.pid)
    assert 50 < found["memory_mib"] < 4000
    assert printed(command("status", "--json"))["service"]["pid"] == service.pid
    assert f"running, {service.url}, process {service.pid}" in command("doctor").out
    assert "GraphPalace serves" in command("service", "logs", "--lines", "1000").out
    link = command("page", "--print").out.strip()
    assert httpx.get(link, follow_redirects=True).text.count("<title>GraphPalace</title>") == 1


def test_a_second_service_for_the_same_home_is_refused_and_changes_nothing(
    service: RunningService, command: Callable[..., Ran], folder: Path
) -> None:
    ran = command("serve")
    assert ran.code == EXIT["CONFLICT"]
    assert f"already runs at {service.url} (process {service.pid})" in ran.err
    assert service_file.running(folder) == service


def test_a_service_of_an_earlier_version_is_replaced(
    service: RunningService, environ: dict[str, str], folder: Path
) -> None:
    service_file.write(folder, replace(service, version="0.0.1"))
    assert ensured(environ) != service.pid
    assert gone(service)
    assert service_file.running(folder).version == service.version
    assert (folder / "service.previous.log").exists()


@pytest.mark.chaos
def test_a_service_that_dies_in_the_middle_of_a_command_ends_it_and_comes_back_by_itself(
    service: RunningService, environ: dict[str, str], command: Callable[..., Ran], folder: Path, tmp_path: Path
) -> None:
    os.kill(service.pid, signal.SIGSTOP)  # it accepts a connection, and does not answer
    asked = subprocess.Popen(
        [GRAPHPALACE, "page", "--print"], env=environ, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE
    )
    until(lambda: _connected(asked.pid), seconds=30)
    os.kill(service.pid, signal.SIGKILL)
    _, said = asked.communicate(timeout=60)
    assert asked.returncode == EXIT["SERVICE_UNAVAILABLE"], said
    assert b"cannot be reached" in said
    until(partial(service_file.running_or_none, folder), seconds=60)
    assert service_file.running(folder).pid != service.pid
    assert "the service (process" in command("service", "logs", "--lines", "1000").out


@pytest.mark.chaos
def test_a_service_whose_keeper_died_too_is_told_and_started_again_by_the_next_command(
    service: RunningService, environ: dict[str, str], command: Callable[..., Ran], folder: Path
) -> None:
    keeper = psutil.Process(service.pid).parent()
    assert keeper is not None
    keeper.kill()
    os.kill(service.pid, signal.SIGKILL)
    until(partial(gone, service), seconds=20)
    assert "ended without being stopped" in command("service", "status").out
    assert command("key", "show").code == EXIT["SERVICE_UNAVAILABLE"]
    assert ensured(environ) == service_file.running(folder).pid != service.pid


def _connected(pid: int) -> bool:
    return any(one.status == psutil.CONN_ESTABLISHED for one in psutil.Process(pid).net_connections("tcp"))


def test_a_service_that_cannot_start_says_why_in_the_words_of_its_log(environ: dict[str, str], tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        own = environ | {"GRAPHPALACE_NEO4J__DATA_DIR": str(tmp_path / "own"), "GRAPHPALACE_SERVICE__PORT": str(port)}
        ran = apart(own, tmp_path, "page", "--print")
    assert ran.code == EXIT["SERVICE_UNAVAILABLE"]
    assert f"did not start: error SETTINGS_INVALID cannot listen on 127.0.0.1 port {port}" in ran.err
    assert f"process {os.getpid()}" in ran.err
    assert service_file.read(tmp_path / "own") is None


def test_without_autostart_nothing_is_started(environ: dict[str, str], tmp_path: Path) -> None:
    own = environ | {"GRAPHPALACE_NEO4J__DATA_DIR": str(tmp_path), "GRAPHPALACE_SERVICE__AUTOSTART": "false"}
    ran = apart(own, tmp_path, "page", "--print")
    assert ran.code == EXIT["SERVICE_UNAVAILABLE"]
    assert "start it with `graphpalace up`" in ran.err
    assert not (tmp_path / "service.log").exists()


def test_an_idle_service_ends_whoever_watches_its_health(environ: dict[str, str], tmp_path: Path) -> None:
    own = environ | {
        "GRAPHPALACE_NEO4J__DATA_DIR": str(tmp_path),
        "GRAPHPALACE_SERVICE__IDLE_STOP_MINUTES": "0.1",
        "GRAPHPALACE_SERVICE__OPEN_ON_LOOPBACK": "true",
    }
    ensured(own)
    service = service_file.running(tmp_path)

    def ended() -> bool:
        try:
            assert httpx.get(service.url + "/metrics").status_code == 200
        except httpx.TransportError:
            return gone(service)
        return False

    until(ended, seconds=90)
    assert service_file.read(tmp_path) is None
    log = [json.loads(line) for line in (tmp_path / "service.log").read_text().splitlines() if line.startswith("{")]
    assert "service_ends" in [line["event"] for line in log]


def test_restart_and_down_end_the_service_well(
    service: RunningService, command: Callable[..., Ran], folder: Path
) -> None:
    assert command("service", "restart").code == 0
    again = service_file.running(folder)
    assert gone(service)
    assert again.pid != service.pid
    assert again.key != service.key
    ran = command("down")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "service stopped")
    assert gone(again)
    assert service_file.read(folder) is None
    assert "Traceback" not in (folder / "service.log").read_text()
    assert command("down").out.startswith("the service was not running")


def test_a_client_of_a_home_without_a_service_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHPALACE_NEO4J__DATA_DIR", str(tmp_path))
    monkeypatch.setenv("GRAPHPALACE_SERVICE__AUTOSTART", "false")
    with Palace.connect() as palace, pytest.raises(ServiceUnavailable, match="no GraphPalace service runs"):
        palace.wings()


def test_a_session_of_an_agent_that_begins_without_the_service_starts_it_and_does_not_wait(
    service: RunningService, environ: dict[str, str], folder: Path
) -> None:
    os.kill(service.pid, signal.SIGTERM)
    until(partial(gone, service), seconds=60)
    hook = [str(Path(GRAPHPALACE).with_name("graphpalace-hook")), "--home", str(folder), "--deadline-s", "20"]

    def begin(**more: str) -> None:
        ran = subprocess.run(
            [*hook, "claude-code", "SessionStart"],
            env=environ | more,
            input="{}",
            capture_output=True,
            text=True,
            check=True,
        )
        assert (ran.stdout, ran.stderr) == ("", "")

    begin(GRAPHPALACE_SERVICE__AUTOSTART="false")
    begin()
    until(partial(service_file.running_or_none, folder), seconds=60)
    assert service_file.running(folder).pid != service.pid
    assert (folder / "service.log").read_text().count("GraphPalace serves http://") == 1
