"""The MCP tools, as a client of the protocol meets them: in memory, on standard input and output, and over HTTP."""

from __future__ import annotations

import asyncio
import json
import subprocess
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from pydantic import SecretStr

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.operations.simulation import session as course
from graphpalace.settings.load import Settings
from tests.acceptance.commands import GRAPHPALACE, apart, environ_of
from tests.acceptance.served import changed, failure, served
from tests.mcp_calls import call, server_of
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder

TOPICS = ("apples grow on trees", "ships sail the sea", "bread is baked from flour", "stars shine at night")
FIELDS = {"status", "steps_completed", "config", "simulation_status"}


@pytest.fixture(scope="module")
async def topics(app: GraphPalace) -> AsyncIterator[str]:
    """A palace of forty lines about four things; no test changes its drawers."""
    name = spare_name()
    await app.create_palace(name)
    for number in range(40):
        text = f"{TOPICS[number % 4]}, line {number}"
        await app.drawers.add(name, NewDrawer(text=text, wing="nature" if number % 4 < 2 else "home"))
    yield name
    await app.drop_palace(name)


@pytest.fixture
async def client(app: GraphPalace) -> AsyncIterator[Client[Any]]:
    async with Client(server_of(app)) as connected:
        yield connected


@pytest.fixture
def name() -> str:
    return f"test {uuid.uuid4().hex[:8]}"


async def run(client: Client[Any], name: str, palace: str, /, seed: int | None = 42, **params: Any) -> dict[str, Any]:
    params = {"palace": palace, "query": "ships sea", "population": 12} | params
    return await call(client, "simulation_run", name=name, max_steps=10, seed=seed, params=params)


async def test_the_tools_say_what_they_take_as_the_specification_does(client: Client[Any]) -> None:
    tools = {tool.name: tool for tool in await client.list_tools()}
    assert {"simulation_run", "simulation_get_results", "simulation_findings", "search"} <= set(tools)
    taken = tools["simulation_run"].input_schema["properties"]
    assert {name: one["default"] for name, one in taken.items()} == {
        "name": "default_simulation",
        "max_steps": 1000,
        "seed": None,
        "params": {},
    }
    assert (taken["name"]["type"], taken["max_steps"]["type"], taken["params"]["type"]) == (
        "string",
        "integer",
        "object",
    )
    assert tools["simulation_get_results"].input_schema["required"] == ["name"]


async def test_a_run_answers_with_the_four_fields(client: Client[Any], topics: str, name: str) -> None:
    answer = await run(client, name, topics)
    assert answer == {
        "status": "success",
        "steps_completed": 10,
        "config": name,
        "simulation_status": "completed",
    }
    assert await call(client, "simulation_get_results", name=name) == answer
    found = await call(client, "simulation_findings", name=name)
    assert (found["config"], found["query"], found["seed"]) == (name, "ships sea", 42)
    assert [set(one) for one in found["findings"]] == [{"id", "score", "path", "snippet"}] * 10
    assert all("ships sail the sea" in one["snippet"] for one in found["findings"][:5])


async def test_params_that_the_swarm_does_not_know_are_kept_and_named_as_not_used(
    client: Client[Any], settings: Settings, topics: str, name: str
) -> None:
    answer = await run(client, name, topics, learning_rate=0.01, model={"layers": [2, 3]})
    unused = {"learning_rate": 0.01, "model": {"layers": [2, 3]}}
    assert (answer["status"], answer["params_not_used"]) == ("success", unused)
    async with (
        wiring.opened(settings, embedder=WordEmbedder()) as other,
        Client(server_of(other)) as later,
    ):
        assert await call(later, "simulation_get_results", name=name) == answer
    assert "params_not_used" not in await run(client, name, topics)


async def test_nothing_has_to_be_given(app: GraphPalace, topics: str, settings: Settings) -> None:
    own = changed(settings, palace={"name": topics}, simulation={"defaults": {"num_agents": 5}})
    async with wiring.opened(own, embedder=WordEmbedder()) as wired, Client(server_of(wired)) as client:
        answer = await call(client, "simulation_run")
        assert set(answer) == FIELDS
        assert (answer["status"], answer["config"]) == ("success", "default_simulation")
        assert 0 < answer["steps_completed"] <= 1000
        status = await wired.simulations.views.status("default_simulation")
        assert (status["palace"], status["agents"], status["query"]) == (topics, 5, "")


async def test_the_same_seed_and_params_give_the_same_results(client: Client[Any], topics: str, name: str) -> None:
    async def findings(called: str, seed: int) -> list[dict[str, Any]]:
        await run(client, called, topics, seed=seed, top_k=40)
        return (await call(client, "simulation_findings", name=called))["findings"]

    first = await findings(name, 42)
    assert await findings(name, 42) == first
    assert await findings(f"{name} b", 42) == first
    assert await findings(name, 43) != first


async def test_what_was_asked_before_under_a_name_is_forgotten(
    app: GraphPalace, client: Client[Any], topics: str, name: str
) -> None:
    await run(client, name, topics, kw_lambda=2.0, kw_terms=["bread"], wing="home")
    assert (await app.simulations.views.status(name))["docs"] == 20
    await run(client, name, topics)
    assert (await app.simulations.views.status(name))["docs"] == 40
    assert (await app.simulations.views.settings(name)).kw_terms == ()


async def test_spaces_around_a_name_do_not_count(client: Client[Any], topics: str, name: str) -> None:
    assert (await run(client, f" {name} ", topics))["config"] == name
    assert (await call(client, "simulation_get_results", name=f"{name} "))["config"] == name


async def test_the_aliases_of_the_specification_are_settings(
    app: GraphPalace, client: Client[Any], topics: str, name: str
) -> None:
    await run(client, name, topics, population=7, decay_rate=0.5)
    settings = await app.simulations.views.settings(name)
    assert (settings.num_agents, settings.pheromone_decay, settings.max_iterations) == (7, 0.5, 10)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"max_steps": 0}, "max_steps is 0; it must be above 0 and at most 5000"),
        ({"max_steps": -5}, "max_steps is -5; it must be above 0 and at most 5000"),
        ({"max_steps": True}, "max_steps is True; it must be a whole number"),
        ({"max_steps": "ten"}, "max_steps is 'ten'; it must be a whole number"),
        ({"max_steps": "10"}, "max_steps is '10'; it must be a whole number"),
        ({"max_steps": 6000}, "max_steps is 6000; it must be above 0 and at most 5000"),
        ({"max_steps": None}, "max_steps is None; it must be a whole number"),
        ({"name": ""}, "simulation name is ''; it must be 1 to 64 letters"),
        ({"name": "  "}, "simulation name is ''; it must be 1 to 64 letters"),
        ({"name": 5}, "name is 5; it must be text"),
        ({"name": "a/b"}, "simulation name is 'a/b'"),
        ({"seed": "x"}, "seed is 'x'; it must be a whole number"),
        ({"seed": -1}, "seed is -1; it must be 0 to 9223372036854775807"),
        ({"seed": 1.5}, "seed is 1.5; it must be a whole number"),
        ({"seed": True}, "seed is True; it must be a whole number"),
        ({"params": "fast"}, "params is 'fast'; it must be an object"),
        ({"params": [1]}, "params is [1]; it must be an object"),
        ({"params": {"population": 0}}, "num_agents is 0"),
        ({"params": {"population": "many"}}, "num_agents is 'many'"),
        ({"params": {"population": 5, "num_agents": 6}}, "params has 'num_agents' twice"),
        ({"params": {"max_iterations": 5}}, "use the argument max_steps"),
        ({"params": {"seed": 5}}, "use the argument seed"),
        ({"params": {"palace": 5}}, "params: palace is 5; it must be text"),
        ({"params": {"drawers": "all"}}, "params: drawers is 'all'; it must be a list"),
        ({"params": {"drawers": []}}, "drawers is empty"),
        ({"params": {"palace": "nowhere"}}, "palace 'nowhere'"),
        ({"params": {"root": "/etc", "windows": [9]}}, "root is '/etc'; [simulation] folders allows none"),
        ({"steps": 5}, "steps is no argument of this tool"),
    ],
)
async def test_what_is_wrong_is_an_error_in_words_and_nothing_is_kept(
    app: GraphPalace, client: Client[Any], name: str, arguments: dict[str, Any], reason: str
) -> None:
    before = await app.simulations.views.every_status()
    answer = await call(client, "simulation_run", **{"name": name} | arguments)
    assert set(answer) == {"error"}
    assert reason in answer["error"]
    assert await app.simulations.views.every_status() == before


@pytest.mark.parametrize("tool", ["simulation_get_results", "simulation_findings"])
async def test_a_simulation_that_is_not_there_is_an_error(client: Client[Any], name: str, tool: str) -> None:
    answer = await call(client, tool, name=name)
    assert answer == {"error": f"there is no simulation {name!r}: start it with simulation_run"}
    assert "1 to 64" in (await call(client, tool, name=" "))["error"]
    assert (await call(client, tool, name=7))["error"] == "name is 7; it must be text"
    assert (await call(client, tool))["error"] == "name is missing"


async def test_results_are_there_after_a_restart(
    client: Client[Any], settings: Settings, topics: str, name: str
) -> None:
    answer = await run(client, name, topics)
    found = await call(client, "simulation_findings", name=name)
    async with (
        wiring.opened(settings, embedder=WordEmbedder()) as again,
        Client(server_of(again)) as other,
    ):
        assert await call(other, "simulation_get_results", name=name) == answer
        assert await call(other, "simulation_findings", name=name) == found


async def test_a_step_that_fails_is_named_with_its_reason(
    client: Client[Any], topics: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = course.next_step

    def breaking(swarm: Any, *args: Any, **kwargs: Any) -> Any:
        if swarm.step == 3:
            raise RuntimeError("the device is gone")
        return whole(swarm, *args, **kwargs)

    monkeypatch.setattr(course, "next_step", breaking)
    expected = {"error": f"simulation {name!r} failed at step 4: RuntimeError('the device is gone')"}
    assert await run(client, name, topics) == expected
    assert await call(client, "simulation_get_results", name=name) == expected
    monkeypatch.undo()
    assert (await run(client, name, topics))["status"] == "success"


async def test_a_run_under_way_is_seen_refused_twice_reported_and_can_be_given_up(
    app: GraphPalace, client: Client[Any], topics: str, name: str
) -> None:
    told: list[tuple[float, float | None]] = []

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total))

    long = {"palace": topics, "query": "bread", "stop_on_convergence": False}
    given: dict[str, Any] = {"name": name, "max_steps": 5000, "params": long}
    going = asyncio.create_task(client.call_tool("simulation_run", given, progress_handler=tell, timeout=5))
    await _until(lambda: len(told) > 2)
    answer = await call(client, "simulation_get_results", name=name)
    assert (answer["status"], answer["simulation_status"]) == ("success", "running")
    assert (await call(client, "simulation_run", **given))["error"].startswith(f"simulation {name!r} is running")
    with pytest.raises(Exception, match=r"(?i)timed out"):
        await going
    await _until(lambda: app.simulations._live._live[name].state != "running")
    answer = await call(client, "simulation_get_results", name=name)
    assert answer["simulation_status"] == "completed"
    assert 0 < answer["steps_completed"] < 5000
    assert told == sorted(told)
    assert {total for _, total in told} == {5000}


async def test_a_search_finds_what_was_stored(client: Client[Any], topics: str) -> None:
    answer = await call(client, "search", query="apples on trees", palace=topics, top_k=3, detail=True)
    assert (answer["palace"], answer["count"]) == (topics, 3)
    assert all(hit["text"].startswith("apples grow") for hit in answer["hits"])
    brief = await call(client, "search", query="bread", palace=topics, wing="nature")
    assert all(hit["place"] == "nature/general" for hit in brief["hits"])
    for wrong, reason in (
        ({"query": ""}, "query is empty"),
        ({"query": "a", "top_k": 0}, "top_k is 0"),
        ({"query": "a", "palace": "nowhere"}, "nowhere"),
    ):
        answer = await call(client, "search", **wrong)
        assert set(answer) == {"error"}
        assert reason in answer["error"]


@pytest.fixture(scope="module")
def environ(neo4j_settings: dict[str, object], commands_palace: str) -> dict[str, str]:
    """The tests' server, and a palace of its own, for processes with the real embedding model."""
    return environ_of(neo4j_settings, commands_palace) | {"GRAPHPALACE_SERVICE__AUTOSTART": "false"}


async def test_a_client_on_standard_input_and_output(environ: dict[str, str], tmp_path: Path, name: str) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for number in range(4):
        (notes / f"note{number}.md").write_text(f"{TOPICS[number]}\n" * 3)
    environ = environ | {"GRAPHPALACE_SIMULATION__FOLDERS": json.dumps([str(notes)])}
    asked = {"root": str(notes), "windows": [10], "query": "sailing on the ocean", "population": 10}
    given = {"name": name, "max_steps": 5, "seed": 42, "params": asked}
    answers = []
    for _ in range(2):  # the second is a process that knows nothing of the first but what is in the database
        transport = StdioTransport(
            GRAPHPALACE, ["mcp", "--profile", "simulation"], env=environ, cwd=str(tmp_path), keep_alive=False
        )
        async with Client(transport, init_timeout=120) as client:
            if not answers:
                assert (await call(client, "simulation_run", **given))["steps_completed"] == 5
            answers.append(await call(client, "simulation_findings", name=name))
    assert answers[0] == answers[1]
    assert answers[0]["findings"][0]["path"] == "note1.md"


def test_standard_output_carries_nothing_but_the_protocol(environ: dict[str, str], tmp_path: Path) -> None:
    def message(method: str, params: dict[str, Any], **more: Any) -> str:
        return json.dumps({"jsonrpc": "2.0", "method": method, "params": params} | more) + "\n"

    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    process = subprocess.Popen(
        [GRAPHPALACE, "mcp"],
        env=environ,
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin and process.stdout
    process.stdin.write(message("initialize", about, id=1) + message("notifications/initialized", {}))
    process.stdin.flush()
    first = process.stdout.readline()
    asked = {"name": "search", "arguments": {"query": "anything"}}
    process.stdin.write(message("tools/call", asked, id=2))
    process.stdin.flush()
    second = process.stdout.readline()
    rest, logged = process.communicate(timeout=60)  # closes standard input, which ends it
    assert process.returncode == 0, logged
    assert rest == ""
    assert json.loads(first)["result"]["serverInfo"]["name"] == "GraphPalace"
    assert json.loads(second)["result"]["structuredContent"]["hits"] == []
    assert '"event": "tool_ended"' in logged


def test_without_a_database_the_command_says_so(tmp_path: Path) -> None:
    environ = environ_of({"uri": "bolt://127.0.0.1:1", "password": "x" * 8})
    ran = apart(environ | {"GRAPHPALACE_SERVICE__AUTOSTART": "false"}, tmp_path, "mcp")
    assert (ran.code, ran.out) == (6, "")
    assert "DATABASE_UNAVAILABLE" in ran.err


@pytest.fixture(scope="module", params=["", "a secret of the tests"], ids=["open", "with a key"])
def http(request: pytest.FixtureRequest, settings: Settings) -> Iterator[httpx.Client]:
    own = changed(
        settings,
        palace={"name": spare_name()},
        service={"api_key": SecretStr(request.param)},
    )
    with served(own) as client:
        for text in TOPICS:
            client.post("/v1/drawers", json={"text": text, "wing": "all"}).raise_for_status()
        yield client
        client.delete(f"/v1/palaces/{own.palace.name}?confirm={own.palace.name}").raise_for_status()


async def test_a_client_over_http(http: httpx.Client, name: str) -> None:
    headers = {"Authorization": http.headers["Authorization"]} if "Authorization" in http.headers else {}
    told: list[float] = []

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        told.append(progress)

    transport = StreamableHttpTransport(str(http.base_url.join("/mcp?profile=simulation")), headers=headers)
    async with Client(transport) as client:
        params = {"query": "ships sea", "population": 10}
        given = {"name": name, "max_steps": 30, "seed": 1, "params": params}
        answer = (await client.call_tool("simulation_run", given, progress_handler=tell)).structured_content
        assert answer is not None
        assert (answer["status"], answer["simulation_status"]) == ("success", "completed")
        assert await call(client, "simulation_get_results", name=name) == answer
        assert set(await call(client, "simulation_run", max_steps=0)) == {"error"}
    assert told
    # The same simulations at both doors.
    shown = (await asyncio.to_thread(http.get, "/v1/mcmp/status", params={"simulation": name})).json()
    assert (shown["state"], shown["step"]) == ("stopped", answer["steps_completed"])


def _post(http: httpx.Client, **headers: str) -> httpx.Response:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accepted = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
    return http.post("/mcp", json=body, headers=accepted | headers)


def test_only_who_has_the_key_is_let_in(http: httpx.Client) -> None:
    assert _post(http).status_code == 200
    if "Authorization" in http.headers:
        failure(_post(http, Authorization="Bearer another"), 401, "UNAUTHORIZED")
        failure(_post(http, Authorization=""), 401, "UNAUTHORIZED")


def test_a_page_of_another_host_is_refused(http: httpx.Client) -> None:
    assert _post(http, Origin=str(http.base_url)).status_code == 200
    failure(_post(http, Origin="http://elsewhere.example"), 403, "FORBIDDEN")
    failure(_post(http, Origin="null"), 403, "FORBIDDEN")
    rebound = _post(http, Host="elsewhere.example", Origin="http://elsewhere.example")  # a name led to this machine
    failure(rebound, 421, "MISDIRECTED")


async def _until(holds: Callable[[], Any]) -> None:
    for _ in range(1000):
        if holds():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("still not so after 10 s")
