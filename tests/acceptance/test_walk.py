"""Ways and explorations over HTTP and on the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from graphpalace.settings.load import Settings
from tests.acceptance.commands import environ_of, in_process
from tests.acceptance.served import changed, failure, served
from tests.spare_palaces import spare_name
from tests.walks import TEXTS


@pytest.fixture(scope="module")
def own(settings: Settings) -> Settings:
    return changed(settings, palace={"name": spare_name()})


@pytest.fixture(scope="module")
def http(own: Settings) -> Iterator[httpx.Client]:
    with served(own) as client:
        for (wing, room), texts in TEXTS.items():
            for text in texts:
                client.post("/v1/drawers", json={"text": text, "wing": wing, "room": room}).raise_for_status()
        yield client
        client.delete(f"/v1/palaces/{own.palace.name}?confirm={own.palace.name}").raise_for_status()


def _drawer(http: httpx.Client, text: str) -> dict[str, Any]:
    (hit,) = [hit for hit in http.post("/v1/search", json={"query": text}).json()["hits"] if hit["text"] == text]
    return hit


def test_the_way_from_a_wing_to_a_drawer(http: httpx.Client) -> None:
    drawer = _drawer(http, "knead the dough for ten minutes")
    way = http.post("/v1/navigate", json={"from": "kitchen", "to": drawer["id"]}).json()
    assert [leg["to"]["kind"] for leg in way["legs"]] == ["Room", "Closet", "Drawer"]
    assert way["start"] == {"kind": "Wing", "id": way["start"]["id"], "name": "kitchen"}
    assert way["cost"] == pytest.approx(sum(leg["cost"] for leg in way["legs"]))
    assert way["legs"][-1]["to"]["id"] == drawer["id"]
    recalled = http.post("/v1/navigate", json={"from": "kitchen", "to": drawer["id"], "context": "memory_recall"})
    assert recalled.json()["context"] == "memory_recall"
    assert recalled.json()["cost"] != way["cost"]


def test_a_way_that_is_not_there_is_a_clear_answer(http: httpx.Client) -> None:
    gone = http.post("/v1/navigate", json={"from": "kitchen", "to": "cellar"})
    assert "'cellar', which is not in palace" in failure(gone, 404, "NOT_FOUND")["message"]
    http.post("/v1/wings", json={"name": "island"}).raise_for_status()
    over = http.post("/v1/navigate", json={"from": "kitchen", "to": "island"}).json()
    assert [leg["type"] for leg in over["legs"]] == ["CONTAINS", "CONTAINS"]
    unclear = http.post("/v1/navigate", json={"from": "kitchen", "to": "tools"})
    assert "'garden/tools', 'kitchen/tools'" in failure(unclear, 422, "VALIDATION_ERROR")["message"]
    wrong = http.post("/v1/navigate", json={"from": "kitchen", "to": "garden", "context": "hope"})
    assert "it must be 'default'" in failure(wrong, 422, "VALIDATION_ERROR")["message"]


def test_an_exploration_reports_and_marks(http: httpx.Client) -> None:
    asked = {"query": "pruning roses", "agents": 20, "steps": 10, "seed": 3}
    dry = http.post("/v1/explore", json=asked | {"mark": False}).json()
    assert dry["marked"] == 0
    assert dry["found"][0]["path"][-1] == dry["found"][0]["id"]
    assert 0 < dry["drawer_coverage"] <= 1
    assert http.post("/v1/explore", json=asked | {"mark": False}).json() == dry
    marked = http.post("/v1/explore", json=asked).json()
    assert marked["marked"] == marked["nodes"] > 0
    failure(http.post("/v1/explore", json={"agents": 0}), 422, "VALIDATION_ERROR")
    failure(http.post("/v1/explore", json={"agent": 1}), 422, "VALIDATION_ERROR")
    rules = {"mix": {"exploiter": 1}, "temperatures": {"exploiter": 0.01}, "schedule": "constant", "floor": 0.5}
    assert http.post("/v1/explore", json=asked | rules | {"mark": False}).json()["found"] != marked["found"]
    for wrong in ({"mix": {"wanderer": 1}}, {"mix": {"explorer": -1}}, {"mix": {"explorer": 0}}, {"schedule": "x"}):
        failure(http.post("/v1/explore", json=asked | wrong), 422, "VALIDATION_ERROR")


def test_the_path_lane_can_be_asked_for(http: httpx.Client) -> None:
    body = {"query": "pruning roses", "lanes": ["fulltext", "semantic", "path"]}
    answer = http.post("/v1/search", json=body).json()
    assert {lane for hit in answer["hits"] for lane in hit["lanes"]} == {"fulltext", "semantic", "path"}
    assert "path" in answer["timings_ms"]
    plain = http.post("/v1/search", json={"query": "pruning roses"}).json()
    assert all(hit["trail"] == [] for hit in plain["hits"])
    failure(http.post("/v1/search", json={"query": "x", "lanes": ["hope"]}), 422, "VALIDATION_ERROR")


def test_the_commands_print_for_people_and_programs(
    tmp_path: Path,
    neo4j_settings: dict[str, object],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    environ = environ_of(neo4j_settings, spare_name())
    command = in_process(environ, tmp_path, monkeypatch, capsys)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "bread.md").write_text("# Bread\n\nKnead the dough for ten minutes.\n")

    def run(*words: str, code: int = 0) -> str:
        ran = command(*words)
        assert ran.code == code, ran
        return ran.out + ran.err

    run("ingest", "notes", "--wing", "kitchen")
    try:
        shown = run("navigate", "kitchen", "kitchen/general")
        assert "-HAS_ROOM->" in shown
        assert "1 step, cost 0." in shown
        assert json.loads(run("navigate", "kitchen", "general", "--json"))["legs"][0]["type"] == "HAS_ROOM"
        assert "which is not in palace" in run("navigate", "kitchen", "cellar", code=3)
        assert "visited" in run("explore", "--agents", "5", "--steps", "5", "--seed", "1")
        report = json.loads(run("explore", "--query", "dough", "--seed", "1", "--no-mark", "--json"))
        assert report["found"][0]["text"].endswith("Knead the dough for ten minutes.")
        assert "agents is 0; it must be 1 to 10000" in run("explore", "--agents", "0", code=2)
        assert "mix is 'explorer'; write it like explorer=2" in run("explore", "--mix", "explorer", code=2)
    finally:
        run("palace", "drop", environ["GRAPHPALACE_PALACE__NAME"], "--yes")
