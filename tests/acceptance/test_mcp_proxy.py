"""`graphpalace mcp` beside a running service: a thin proxy on standard input and output."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from pydantic import SecretStr

from graphpalace import __version__
from graphpalace.client import service_file
from graphpalace.client.service_file import RunningService
from graphpalace.settings.load import Settings
from tests.acceptance.commands import GRAPHPALACE
from tests.acceptance.served import changed, served, until
from tests.mcp_calls import call, text_of
from tests.spare_palaces import spare_name

KEY = "a secret of the tests"


@pytest.fixture(scope="module")
def own(settings: Settings) -> Settings:
    return changed(settings, palace={"name": spare_name()}, service={"api_key": SecretStr(KEY)})


@pytest.fixture(scope="module")
def http(own: Settings) -> Iterator[httpx.Client]:
    with served(own) as client:
        for number in range(30):
            line = {"text": f"ships sail the sea, line {number}", "wing": "nature"}
            client.post("/v1/drawers", json=line).raise_for_status()
        yield client
        client.delete(f"/v1/palaces/{own.palace.name}?confirm={own.palace.name}").raise_for_status()


def announce(folder: Path, url: str) -> None:
    """Write the service's file as the service itself does."""
    me = psutil.Process()
    service_file.write(folder, RunningService(url, KEY, me.pid, me.create_time(), __version__))


@pytest.fixture
def environ(http: httpx.Client, tmp_path: Path) -> dict[str, str]:
    """An environment in which the service is found; Neo4j is not, so that nothing but the proxy can answer."""
    announce(tmp_path, str(http.base_url).rstrip("/"))
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GRAPHPALACE_")}
    return clean | {"GRAPHPALACE_NEO4J__DATA_DIR": str(tmp_path), "GRAPHPALACE_NEO4J__URI": "bolt://127.0.0.1:1"}


def client_of(environ: dict[str, str], folder: Path, *words: str) -> Client[Any]:
    return Client(StdioTransport(GRAPHPALACE, ["mcp", *words], env=environ, cwd=str(folder), keep_alive=False))


async def test_tools_are_called_through_the_service(environ: dict[str, str], tmp_path: Path) -> None:
    async with client_of(environ, tmp_path, "--profile", "core,simulation") as client:
        assert (await call(client, "search", query="sea", top_k=3))["hits"][0]["place"] == "nature/general"
        assert {"search", "simulation_run"} <= {tool.name for tool in await client.list_tools()}
        assert "top_k is 0" in (await call(client, "search", query="sea", top_k=0))["error"]
    async with client_of(environ, tmp_path, "--answers", "text", "--read-only") as client:
        assert len((await text_of(client, "search", query="sea", top_k=3))["hits"]) == 3
        assert "read_only" in (await text_of(client, "add_drawer", text="no", wing="nature"))["error"]
    other = environ | {"GRAPHPALACE_PALACE__NAME": "nowhere"}
    async with client_of(other, tmp_path) as client:
        assert "nowhere" in (await call(client, "search", query="sea"))["error"]


async def test_every_tool_is_there_and_checks_its_arguments_over_both_transports(
    http: httpx.Client, environ: dict[str, str], tmp_path: Path
) -> None:
    headers = {"Authorization": f"Bearer {KEY}"}
    over_http = StreamableHttpTransport(str(http.base_url.join("/mcp?profile=all")), headers=headers)
    listed = []
    for client in (Client(over_http), client_of(environ, tmp_path, "--profile", "all")):
        async with client:
            tools = await client.list_tools()
            listed.append([tool.model_dump() for tool in tools])
            for tool in tools:
                answer = await call(client, tool.name, nonsense=1)
                assert "nonsense is no argument of this tool" in answer["error"]
    assert listed[0] == listed[1]
    assert len(listed[0]) > 35


class Talk:
    """The protocol, line by line."""

    def __init__(self, environ: dict[str, str], folder: Path, *words: str) -> None:
        self.process = subprocess.Popen(
            [GRAPHPALACE, "mcp", *words],
            env=environ,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def say(self, line: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        assert self.process.stdout
        return json.loads(self.process.stdout.readline())

    def ask(self, method: str, number: int, **params: Any) -> dict[str, Any]:
        self.say(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))
        answer = self.hear()
        assert answer["id"] == number
        return answer

    def greet(self, name: str = "test") -> dict[str, Any]:
        about = {"name": name, "version": "1"}
        return self.ask("initialize", 1, protocolVersion="2025-06-18", capabilities={}, clientInfo=about)["result"]

    def end(self) -> str:
        rest, logged = self.process.communicate(timeout=20)
        assert (self.process.returncode, logged) == (0, "")
        return rest


def test_progress_comes_and_a_cancelled_request_is_cancelled_in_the_service(
    http: httpx.Client, environ: dict[str, str], tmp_path: Path
) -> None:
    name = f"test {uuid.uuid4().hex[:8]}"

    def status() -> dict[str, Any]:
        return http.get("/v1/mcmp/status", params={"simulation": name}).json()

    talk = Talk(environ, tmp_path, "--profile", "simulation")
    talk.greet()
    given = {"name": name, "max_steps": 5000, "params": {"query": "sea", "stop_on_convergence": False}}
    asked = {"name": "simulation_run", "arguments": given, "_meta": {"progressToken": "mine"}}
    talk.say(json.dumps({"jsonrpc": "2.0", "id": "long", "method": "tools/call", "params": asked}))
    told = [talk.hear() for _ in range(3)]
    assert {one["method"] for one in told} == {"notifications/progress"}
    steps = [one["params"]["progress"] for one in told]
    assert steps == sorted(steps)
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "long"}}
    talk.say(json.dumps(cancel))
    until(lambda: status()["state"] == "stopped", seconds=20)
    assert 0 < status()["step"] < 5000
    talk.say(json.dumps({"jsonrpc": "2.0", "id": 9, "method": "ping", "params": {}}))
    while (heard := talk.hear()).get("method") == "notifications/progress":
        pass  # sent before the request was cancelled
    assert heard["id"] == 9  # a cancelled request is not answered
    assert talk.end() == ""


def test_the_first_answer_comes_at_once_and_the_proxy_is_small(environ: dict[str, str], tmp_path: Path) -> None:
    seconds = []
    for _ in range(3):
        talk = Talk(environ, tmp_path)
        assert talk.greet()["serverInfo"]["name"] == "GraphPalace"
        process = psutil.Process(talk.process.pid)
        used = process.cpu_times()  # on a quiet machine, nearly all of the time to the first answer
        seconds.append(used.user + used.system)
        assert process.memory_info().rss < 80 * 2**20
        assert talk.end() == ""
    assert min(seconds) < 0.5, seconds


def test_the_proxy_imports_neither_the_mcp_library_nor_a_model() -> None:
    program = (
        "import sys, graphpalace.serve.cli.commands.mcp, graphpalace.serve.mcp.stdio_proxy; "
        "print([name for name in ('fastmcp', 'mcp', 'pydantic', 'torch', 'neo4j', 'numpy') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_a_host_that_shows_only_text_gets_text(environ: dict[str, str], tmp_path: Path) -> None:
    talk = Talk(environ, tmp_path)
    talk.greet("claude-ai")
    answer = talk.ask("tools/call", 2, name="search", arguments={"query": "sea", "top_k": 1})["result"]
    assert "structuredContent" not in answer
    assert len(json.loads(answer["content"][0]["text"])["hits"]) == 1
    assert talk.end() == ""


def test_nonsense_is_answered_and_does_not_end_the_proxy(environ: dict[str, str], tmp_path: Path) -> None:
    talk = Talk(environ, tmp_path)
    talk.greet()
    talk.say("{nonsense")
    assert talk.hear()["error"]["code"] == -32700
    talk.say('"text"')
    talk.say("")
    assert "error" in talk.ask("no/such/method", 3)
    assert "result" in talk.ask("ping", 4)
    assert talk.end() == ""


def test_a_wrong_key_is_an_error_in_words(environ: dict[str, str], tmp_path: Path, http: httpx.Client) -> None:
    me = psutil.Process()
    wrong = RunningService(str(http.base_url).rstrip("/"), "another", me.pid, me.create_time(), __version__)
    service_file.write(tmp_path, wrong)
    talk = Talk(environ, tmp_path)
    answer = talk.ask("ping", 1)
    assert "Authorization" in answer["error"]["message"] or "key" in answer["error"]["message"]
    assert talk.end() == ""


def test_the_proxy_goes_on_when_its_service_restarts_elsewhere(
    own: Settings, environ: dict[str, str], tmp_path: Path, http: httpx.Client
) -> None:
    with served(own) as first:
        announce(tmp_path, str(first.base_url).rstrip("/"))
        talk = Talk(environ, tmp_path)
        talk.greet()
        assert "result" in talk.ask("tools/list", 2)
    later = threading.Timer(1, announce, (tmp_path, str(http.base_url).rstrip("/")))
    later.start()  # the file still names the first one for a while
    assert len(talk.ask("tools/list", 3)["result"]["tools"]) > 3
    assert later.finished.is_set()
    assert talk.end() == ""
