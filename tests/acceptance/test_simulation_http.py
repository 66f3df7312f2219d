"""The realtime interface of simulations, as clients see it: HTTP and WebSocket on a real service."""

from __future__ import annotations

import base64
import json
import socket
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from graphpalace.settings.load import Settings
from tests.acceptance.served import changed, failure, served, until
from tests.acceptance.simulation_socket import heard, watch
from tests.spare_palaces import spare_name

_DROPPED = "graphpalace_simulation_clients_dropped_total "
QUICK = {"num_agents": 10, "max_iterations": 30, "seed": 3, "max_steps_per_s": 0, "stop_on_convergence": False}


@pytest.fixture(scope="module")
def own(settings: Settings) -> Settings:
    return changed(
        settings,
        palace={"name": spare_name()},
        simulation={"client_timeout_s": 1.0, "frames_per_s": 60.0, "max_live": 8},
    )


@pytest.fixture(scope="module")
def http(own: Settings) -> Iterator[httpx.Client]:
    with served(own) as client:
        for number in range(24):
            text = f"{('ships sail the sea', 'bread needs flour', 'stars shine')[number % 3]}, line {number}"
            client.post("/v1/drawers", json={"text": text, "wing": "notes"}).raise_for_status()
        yield client
        client.delete(f"/v1/palaces/{own.palace.name}?confirm={own.palace.name}").raise_for_status()


@pytest.fixture
def name() -> str:
    return f"s{uuid.uuid4().hex[:8]}"


def ask(http: httpx.Client, method: str, path: str, name: str, **body: Any) -> dict[str, Any]:
    params = {"simulation": name}
    response = http.request(method, f"/v1/mcmp/{path}", params=params, json=body if method == "POST" else None)
    assert response.status_code == 200, response.text
    return response.json()


def ended(http: httpx.Client, name: str) -> dict[str, Any]:
    until(lambda: not ask(http, "GET", "status", name)["running"], seconds=30)
    return ask(http, "GET", "status", name)


def begun(http: httpx.Client, name: str, **body: Any) -> None:
    """Start a simulation and wait until its documents are read."""
    ask(http, "POST", "start", name, **body)
    until(lambda: ask(http, "GET", "status", name)["state"] != "loading", seconds=30)


def dropped(http: httpx.Client) -> float:
    """Return how many clients were dropped so far."""
    (line,) = [line for line in http.get("/metrics").text.splitlines() if line.startswith(_DROPPED)]
    return float(line.split()[1])


def test_a_run_from_start_to_results(http: httpx.Client, name: str) -> None:
    started = ask(http, "POST", "start", name, query="ships on the sea", **QUICK)
    assert started["status"] in ("loading", "running")
    assert (started["simulation"], started["docs"], started["agents"]) == (name, 24, 10)
    status = ended(http, name)
    assert (status["state"], status["step"], status["stopped_by"]) == ("stopped", 30, "max_iterations")
    assert set(status["metrics"]) == {"avg_rel", "max_rel", "trails", "avg_speed", "trail_mass"}
    results = ask(http, "GET", "results", name)["results"]
    assert "ships" in results[0]["snippet"]
    document = ask(http, "GET", f"doc/{results[0]['id']}", name)
    assert document["content"].startswith("ships sail the sea")
    assert document["relevance"] == pytest.approx(results[0]["score"])
    other = ask(http, "POST", "search", name, query="flour for bread", top_k=24)["results"]
    assert "bread" in max(other, key=lambda one: one["similarity"])["snippet"]
    page = ask(http, "GET", "corpus/list", name)
    assert (page["total"], page["page"], len(page["files"])) == (24, 1, 24)
    assert name in [one["simulation"] for one in ask(http, "GET", "simulations", name)["simulations"]]


def test_every_setting_is_described_with_its_range(http: httpx.Client, name: str) -> None:
    answer = ask(http, "GET", "settings", name)
    assert answer["settings"].keys() == answer["usage"].keys()
    agents = answer["usage"]["num_agents"]
    assert (agents["type"], agents["default"], agents["min"], agents["max"]) == ("integer", 200, 1, 10000)
    assert answer["usage"]["report_mode"]["choices"] == ["deep", "structure", "exploratory", "summary", "repair"]
    assert all(usage["description"] and usage["group"] for usage in answer["usage"].values())


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("num_agents", 0, "1 to 10000"),
        ("num_agents", 10_001, "1 to 10000"),
        ("num_agents", "200", "a whole number"),
        ("exploration_bonus", 1.5, "0.01 to 1"),
        ("pheromone_decay", 0.2, "0.5 to 0.999"),
        ("viz_dims", 4, "2 or 3"),
        ("report_mode", "poem", "'deep'"),
        ("windows", [0], "1 to 100000 lines"),
        ("no_such_setting", 1, "there is no such field"),
    ],
)
def test_a_wrong_setting_is_refused_by_name_and_nothing_of_the_request_applies(
    http: httpx.Client, name: str, field: str, value: Any, problem: str
) -> None:
    before = ask(http, "GET", "settings", name)
    for path in ("settings", "config", "start"):
        response = http.post(f"/v1/mcmp/{path}", params={"simulation": name}, json={"top_k": 77, field: value})
        message = failure(response, 422, "VALIDATION_ERROR")["message"]
        assert field in message
        assert problem in message
    assert ask(http, "GET", "settings", name) == before


def test_settings_are_kept_for_another_service(http: httpx.Client, own: Settings, name: str) -> None:
    ask(http, "POST", "settings", name, num_agents=33, kw_terms=["sea"], viz_dims=3)
    with served(own) as other:
        settings = ask(other, "GET", "settings", name)["settings"]
    assert (settings["num_agents"], settings["kw_terms"], settings["viz_dims"]) == (33, ["sea"], 3)


def test_pause_resume_agents_stop_and_reset(http: httpx.Client, name: str) -> None:
    begun(http, name, **QUICK | {"max_steps_per_s": 20, "max_iterations": 500})
    assert ask(http, "POST", "pause", name)["status"] == "paused"
    step = ask(http, "GET", "status", name)["step"]
    assert ask(http, "POST", "agents/add", name, n=4) == {"status": "paused", "added": 4, "agents": 14}
    assert ask(http, "POST", "agents/resize", name, count=6)["agents"] == 6
    assert ask(http, "GET", "status", name)["step"] == step
    assert ask(http, "POST", "resume", name)["status"] == "running"
    until(lambda: ask(http, "GET", "status", name)["step"] > step, seconds=10)
    assert ask(http, "POST", "stop", name)["status"] == "stopped"
    assert ask(http, "POST", "reset", name)["status"] == "reset"
    assert ask(http, "GET", "status", name)["state"] == "idle"
    failure(http.post("/v1/mcmp/pause", params={"simulation": name}), 409, "CONFLICT")
    failure(http.post("/v1/mcmp/stop", params={"simulation": "nobody"}), 404, "NOT_FOUND")


def test_a_watcher_is_greeted_and_sees_the_whole_course(http: httpx.Client, name: str) -> None:
    with watch(http, name) as client:
        hello = heard(client, "hello")
        assert hello["status"]["state"] == "idle"
        assert hello["settings"]["settings"].keys() == hello["settings"]["usage"].keys()
        ask(http, "POST", "start", name, query="stars", **QUICK | {"max_steps_per_s": 100})
        snapshot = heard(client, "snapshot")
        assert snapshot["dims"] == 2
        assert snapshot["shown"]["documents"] == len(snapshot["documents"]["meta"]) == 24
        assert snapshot["documents"]["meta"][0].keys() == {"id", "score", "visits", "snippet"}
        assert len(heard(client, "results")["results"]) == 10
        ended(http, name)
        until(lambda: heard(client, "metrics")["state"] == "stopped", seconds=10)


def test_who_comes_late_sees_where_it_stands(http: httpx.Client, name: str) -> None:
    ask(http, "POST", "start", name, query="stars", **QUICK)
    ended(http, name)
    with watch(http, name) as client:
        assert heard(client, "hello")["status"]["step"] == 30
        assert heard(client, "snapshot")["step"] == 30


def test_a_watcher_changes_the_picture_and_hears_what_is_wrong(http: httpx.Client, name: str) -> None:
    begun(http, name, **QUICK | {"max_steps_per_s": 30, "max_iterations": 600})
    with watch(http, name) as client:
        client.send(json.dumps({"type": "config", "settings": {"viz_dims": 3}}))
        until(lambda: heard(client, "snapshot")["dims"] == 3, seconds=10)
        for wrong, said in (
            ('{"type": "config", "settings": {"viz_dims": 9}}', "viz_dims is 9"),
            ('{"type": "dance"}', "may only send"),
            ("no json", "may only send"),
            (b'{"type": "config", "settings": {"viz_dims": 2}}', "as text"),
        ):
            client.send(wrong)
            line = heard(client, "log")
            assert line["level"] == "error"
            assert said in line["message"]
    assert ask(http, "GET", "settings", name)["settings"]["viz_dims"] == 3
    ask(http, "POST", "stop", name)


def test_a_simulation_of_another_service_is_watched_and_asked_and_begun_by_nobody_else(
    http: httpx.Client, own: Settings, name: str
) -> None:
    begun(http, name, query="ships", **QUICK | {"max_steps_per_s": 20, "max_iterations": 5000})
    with served(own) as other, watch(other, name) as client:
        hello = heard(client, "hello")["status"]
        assert (hello["state"], hello["running"], hello["here"]) == ("running", True, False)
        assert "process" in hello["owner"]
        step = heard(client, "snapshot")["step"]
        until(lambda: heard(client, "metrics")["step"] > step, seconds=20)
        for path, body in (("start", {}), ("config", {"top_k": 3}), ("agents/add", {"n": 2})):
            refused = other.post(f"/v1/mcmp/{path}", params={"simulation": name}, json=body)
            assert failure(refused, 409, "CONFLICT")["detail"]["owner"] == hello["owner"]
        assert ask(other, "POST", "pause", name)["status"] == "paused"
        assert ask(http, "GET", "status", name)["state"] == "paused"
        assert ask(other, "POST", "resume", name)["status"] == "running"
        assert ask(other, "POST", "stop", name)["status"] == "stopped"
        until(lambda: heard(client, "metrics")["state"] == "stopped", seconds=20)
    status = ask(http, "GET", "status", name)
    assert (status["state"], status["stopped_by"], status["owner"]) == ("stopped", "request", None)


def test_a_picture_is_drawn_anew_while_nothing_runs(http: httpx.Client, name: str) -> None:
    ask(http, "POST", "start", name, query="stars", **QUICK)
    ended(http, name)
    with watch(http, name) as client:
        assert heard(client, "snapshot")["dims"] == 2
        ask(http, "POST", "config", name, viz_dims=3)
        until(lambda: heard(client, "snapshot")["dims"] == 3, seconds=20)


def test_a_client_that_takes_nothing_is_dropped_and_the_others_go_on(http: httpx.Client, name: str) -> None:
    before = dropped(http)
    long = QUICK | {"max_iterations": 5000, "redraw_every": 1, "num_agents": 400}
    ask(http, "POST", "start", name, **long)
    with closing(socket.create_connection((str(http.base_url.host), http.base_url.port or 80))) as stalled:
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        key = base64.b64encode(b"sixteen bytes ok").decode()
        stalled.sendall(
            f"GET /v1/mcmp/ws?simulation={name} HTTP/1.1\r\nHost: localhost\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        assert b"101" in stalled.recv(12)

        with watch(http, name) as client:
            steps = [heard(client, "metrics")["step"] for _ in range(20)]
            assert steps == sorted(steps)
            until(lambda: client.recv() and dropped(http) > before, seconds=60)  # buffers of both ends fill first
            assert heard(client, "metrics")["step"] > steps[-1]
    ask(http, "POST", "stop", name)


def test_a_folder_that_is_not_allowed_is_not_read(http: httpx.Client, name: str) -> None:
    refused = http.post("/v1/mcmp/start", params={"simulation": name}, json={"root": "/etc", "windows": [10]})
    assert "[simulation] folders allows none" in failure(refused, 422, "VALIDATION_ERROR")["message"]
    listed = http.get("/v1/mcmp/corpus/list", params={"simulation": name, "root": "/etc"})
    assert "allows none" in failure(listed, 422, "VALIDATION_ERROR")["message"]


def test_a_web_socket_needs_the_key_and_no_other_site_may_open_one(http: httpx.Client, own: Settings) -> None:
    with served(changed(own, service={"api_key": SecretStr("open sesame")})) as guarded:
        for how in ({}, {"additional_headers": {"Authorization": "Bearer wrong"}}):
            with pytest.raises(InvalidStatus) as refused:
                watch(guarded, "default", **how)
            assert refused.value.response.status_code == 403
        encoded = base64.urlsafe_b64encode(b"open sesame").decode().rstrip("=")
        protocols = [Subprotocol("graphpalace"), Subprotocol(f"key.{encoded}")]
        with watch(guarded, "default", subprotocols=protocols) as client:
            assert client.subprotocol == "graphpalace"
            heard(client, "hello")
        with watch(guarded, "default", additional_headers={"Authorization": "Bearer open sesame"}) as client:
            heard(client, "hello")
    with pytest.raises(InvalidStatus):
        watch(http, "default", origin=Origin("http://elsewhere.example"))
    here = Origin(f"http://{http.base_url.host}:{http.base_url.port}")
    with watch(http, "default", origin=here) as client:
        heard(client, "hello")


def test_every_step_has_its_metrics_also_where_many_come_between_two_frames(http: httpx.Client, name: str) -> None:
    with watch(http, name) as client:
        heard(client, "hello")
        ask(http, "POST", "start", name, **QUICK)
        steps = []
        while (found := heard(client, "metrics"))["state"] != "stopped":
            steps.append(found["step"])
    assert [step for step in steps if step] == list(range(1, 31))


def test_an_unknown_setting_is_refused_with_those_that_there_are(http: httpx.Client, name: str) -> None:
    for path in ("start", "config", "settings", "jobs/start"):
        refused = http.post(f"/v1/mcmp/{path}", params={"simulation": name}, json={"agents": 5})
        message = failure(refused, 422, "VALIDATION_ERROR")["message"]
        assert message.startswith("agents is 5: there is no such field; there are query, num_agents, ")
    refused = http.post("/v1/search", json={"query": "ships", "topk": 5})
    assert (
        "topk is 5: there is no such field; there are query, " in failure(refused, 422, "VALIDATION_ERROR")["message"]
    )


def test_nothing_is_laid_on_a_palace_from_a_folder(http: httpx.Client, name: str) -> None:
    body = {"root": "/anything", "windows": [10], "deposit": True}
    refused = http.post("/v1/mcmp/start", params={"simulation": name}, json=body)
    assert "deposit is true" in failure(refused, 422, "VALIDATION_ERROR")["message"]


def test_folders_to_skip_stand_side_by_side_or_with_commas(own: Settings, name: str, tmp_path: Path) -> None:
    for folder in ("a", "b", "c"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "text.txt").write_text("a line")
    with served(changed(own, simulation={"folders": (str(tmp_path),)})) as http:
        for skipped in ([("exclude", "a,b")], [("exclude", "a"), ("exclude", " b ")]):
            params = [("root", str(tmp_path)), ("simulation", name), *skipped]
            assert http.get("/v1/mcmp/corpus/list", params=params).json()["files"] == ["c/text.txt"]


def test_after_a_reset_the_status_has_the_question_of_the_next_start(http: httpx.Client, name: str) -> None:
    ask(http, "POST", "start", name, query="stars", **QUICK)
    ended(http, name)
    ask(http, "POST", "reset", name)
    assert (ask(http, "GET", "status", name)["query"], ask(http, "GET", "status", name)["state"]) == ("stars", "idle")
    assert ask(http, "GET", "settings", name)["settings"]["query"] == "stars"
    ask(http, "POST", "start", name, **QUICK)
    assert ended(http, name)["query"] == "stars"


def test_a_name_that_cannot_be_one_closes_the_socket_with_the_reason(http: httpx.Client) -> None:
    with watch(http, "-") as client, pytest.raises(Exception, match="1 to 64 letters"):
        client.recv(timeout=5)
