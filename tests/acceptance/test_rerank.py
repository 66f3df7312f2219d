"""Rerank over HTTP: the contract of seed 001, its errors, and a service that answers others meanwhile."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from graphpalace.error_codes import STATUS
from graphpalace.operations.rerank import rerank as operation
from graphpalace.settings.load import Settings
from graphpalace.settings.sections.learning import RerankSettings
from tests.acceptance.served import changed, failure, served
from tests.spare_palaces import spare_name

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "rerank.md"
BREAD, ROSES = "knead the dough for bread", "prune the roses in spring"
DOCUMENTS = [{"id": "r", "text": ROSES}, {"id": "b", "text": BREAD, "metadata": {"page": 3, "tags": ["é", None]}}]


@pytest.fixture(scope="module")
def own(settings: Settings) -> Settings:
    """Settings whose palace is used by these tests alone."""
    return changed(settings, palace={"name": spare_name()}, decay={"enabled": False})


@pytest.fixture(scope="module")
def http(own: Settings) -> Iterator[httpx.Client]:
    with served(own) as client:
        yield client
        client.delete(f"/v1/palaces/{own.palace.name}?confirm={own.palace.name}").raise_for_status()


@pytest.fixture(scope="module")
def drawers(http: httpx.Client) -> list[str]:
    return [
        http.post("/v1/drawers", json={"text": text, "wing": "home", "room": "notes"}).json()["id"]
        for text in (BREAD, ROSES)
    ]


def rerank(http: httpx.Client, **body: Any) -> dict[str, Any]:
    response = http.post("/v1/rerank", json=body)
    assert response.status_code == 200, response.text
    return response.json()


def test_a_rerank_is_taught_as_seed_001_says(http: httpx.Client) -> None:
    def oven(**more: Any) -> dict[str, Any]:
        answer = rerank(http, query="bread dough", documents=DOCUMENTS, namespace="taught", **more)
        return {"run": answer["run"]} | next(one["components"] for one in answer["results"] if one["id"] == "b")

    first = oven()
    assert first["run"].startswith("rerank-")
    assert (first["narrative"], first["pheromone"]) == (0, 0)
    given = http.post("/v1/feedback", json={"run": first["run"], "selected_ids": ["b"], "success": 0.5}).json()
    assert (given["fresh"], given["useful"], given["useless"]) == (True, 1, 0)
    taught = oven()
    assert taught["narrative"] == pytest.approx(0.3 * 0.5 * 0.7)
    assert taught["pheromone"] == pytest.approx(0.2 * 0.5)
    blamed = {"query": "bread dough", "namespace": "taught", "selected_ids": ["b"], "success": 0.0}
    assert http.post("/v1/feedback", json=blamed).json()["useless"] == 1
    assert oven()["pheromone"] == pytest.approx(0.2 * 0.5 - 0.5 * 0.2)
    for row in http.get("/v1/feedback").json():
        assert row["documents"][0]["id"] == "b"
        assert http.delete(f"/v1/feedback/{row['id']}").status_code == 204
    assert oven() | {"run": ""} == first | {"run": ""}
    for body, said in (
        ({"run": first["run"], "selected_ids": ["b"], "success": -50}, "success is -50"),
        ({"run": first["run"], "selected_ids": ["b"], "success": True}, "success is True"),
        ({"run": first["run"], "success": 0.5}, "success needs selected_ids, which is empty"),
        ({"run": first["run"], "selected_ids": ["b"], "useful": ["b"]}, "useful has b twice"),
    ):
        assert said in failure(http.post("/v1/feedback", json=body), 422, "VALIDATION_ERROR")["message"]
    unknown = {"run": first["run"], "selected_ids": ["z"]}
    assert "useful names 'z'" in failure(http.post("/v1/feedback", json=unknown), 404, "NOT_FOUND")["message"]


def test_documents_come_back_in_order_with_components_and_what_was_done(http: httpx.Client) -> None:
    answer = rerank(http, query="bread dough", documents=DOCUMENTS, deterministic=True, mmr_lambda=9)
    first, second = answer["results"]
    assert (first["id"], first["text"], first["metadata"]) == ("b", BREAD, DOCUMENTS[1]["metadata"])
    assert (second["id"], second["metadata"]) == ("r", {})
    parts = first["components"]
    assert parts.keys() == {"dense", "narrative", "pheromone"}
    weights = answer["debug"]["weights"]
    assert weights == {"dense": 1.0, "narrative": 0.6, "pheromone": 0.3}
    assert first["score"] == pytest.approx(sum(weights[name] * part for name, part in parts.items()))
    debug = answer["debug"]
    assert (debug["deterministic"], debug["epsilon_used"], debug["mmr_lambda_used"]) == (True, 0, 1)
    assert debug["explored"] == []
    gating = debug["gating"]
    assert [reason.keys() for reason in gating.pop("reasons")] == [{"code", "message"}] * 2
    assert 0 <= gating.pop("uncertainty") <= 1
    assert gating.pop("candidate_count") >= 100
    assert gating == {"mode": "auto", "use_gating": False, "effective_candidate_count": 2, "total_candidates": 2}


def test_drawers_come_with_text_and_place(http: httpx.Client, drawers: list[str]) -> None:
    answer = rerank(http, query="roses", drawer_ids=drawers, top_k=1)
    (result,) = answer["results"]
    assert (result["id"], result["text"]) == (drawers[1], ROSES)
    assert (result["metadata"]["wing"], result["metadata"]["room"]) == ("home", "notes")
    assert answer["debug"]["epsilon_used"] == 0.05


def test_the_gate_keeps_few_where_one_match_is_clear_and_more_where_none_is(http: httpx.Client) -> None:
    axes = np.eye(384).tolist()
    clear = [{"id": f"{at:03}", "embedding": axes[at]} for at in range(300)]
    flat = [one | {"embedding": axes[300]} for one in clear]
    counts = {}
    for name, documents in (("clear", clear), ("flat", flat)):
        for mode in ("off", "auto", "on"):
            body = {"query_embedding": axes[0], "documents": documents, "gating_mode": mode}
            gating = rerank(http, **body)["debug"]["gating"]
            counts[name, mode] = gating["effective_candidate_count"]
            assert (gating["mode"], gating["total_candidates"]) == (mode, 300)
    assert counts == {
        ("clear", "off"): 300,
        ("clear", "auto"): 101,
        ("clear", "on"): 100,  # one is above .7; the fewest stay
        ("flat", "off"): 300,
        ("flat", "auto"): 300,
        ("flat", "on"): 100,
    }


@pytest.mark.parametrize("temperature", [5e-324, 0.001, 1, 1e6])
def test_every_temperature_in_range_gives_numbers(http: httpx.Client, temperature: float) -> None:
    answer = rerank(http, query="bread", documents=DOCUMENTS, gating_entropy_temp=temperature)
    assert 0 <= answer["debug"]["gating"]["uncertainty"] <= 1


def test_exploration_is_told(own: Settings) -> None:
    bold = changed(own, rerank={"epsilon": 1.0})
    documents = [{"id": str(at), "text": "bread " * at + "roses"} for at in range(20)]
    with served(bold) as client:
        found = [
            rerank(client, query="bread", documents=documents, mmr_lambda=1, deterministic=steady)
            for steady in (False, True)
        ]
    moved = found[0]["debug"]["explored"]
    assert moved
    assert all(one["from_rank"] == one["to_rank"] + 1 for one in moved)
    plain = [one["id"] for one in found[1]["results"]]
    shown = [one["id"] for one in found[0]["results"]]
    assert shown != plain
    assert all(shown[one["to_rank"] - 1] == one["id"] for one in moved)


def test_a_batch_answers_or_refuses_each_in_its_place(http: httpx.Client, drawers: list[str]) -> None:
    batch = [
        {"query": "bread", "documents": DOCUMENTS, "top_k": 1},
        {"query": "bread", "documents": DOCUMENTS, "top_k": -1},
        {"query": "bread", "drawer_ids": ["nosuch"]},
        {"query": "bread", "documents": DOCUMENTS, "top_k": 201},
        {"query": "bread", "documents": DOCUMENTS, "palace": "No"},
        {},
        {"query": "roses", "drawer_ids": drawers, "top_k": 1},
    ]
    response = http.post("/v1/rerank/batch", json=batch)
    assert response.status_code == 200, response.text
    answers = response.json()
    assert [one["error"]["code"] if "error" in one else one["results"][0]["id"] for one in answers] == [
        "b",
        "VALIDATION_ERROR",
        "NOT_FOUND",
        "BAD_REQUEST",
        "VALIDATION_ERROR",
        "EMPTY_QUERY",
        drawers[1],
    ]
    assert answers[1]["error"]["message"].startswith("top_k is -1")
    assert answers[1]["error"]["detail"][0]["field"] == "top_k"
    assert answers[0].keys() == {"run", "results", "debug"}


def test_a_batch_is_bounded(http: httpx.Client) -> None:
    one = {"query": "bread", "documents": DOCUMENTS}
    assert http.post("/v1/rerank/batch", json=[]).json() == []
    error = failure(http.post("/v1/rerank/batch", json=[one] * 17), 400, "BAD_REQUEST")
    assert "17 items; at most 16" in error["message"]
    failure(http.post("/v1/rerank/batch", json=[3]), 422, "VALIDATION_ERROR")
    failure(http.post("/v1/rerank/batch", json=one), 422, "VALIDATION_ERROR")


MISTAKES: list[tuple[dict[str, Any], int, str, str]] = [
    ({"top_k": 201}, 400, "BAD_REQUEST", "top_k is 201; at most 200"),
    (
        {"documents": [{"id": f"{at}", "text": "x"} for at in range(2001)]},
        400,
        "BAD_REQUEST",
        "2001 items; at most 2000",
    ),
    ({"palace": "nosuch"}, 404, "NOT_FOUND", "there is no palace 'nosuch'"),
    ({"documents": [{"id": "a", "text": "x", "drawer_id": "no"}]}, 404, "NOT_FOUND", "drawer 'no' is not in palace"),
    ({"documents": [{"id": "a", "text": "x" * 20_001}]}, 413, "ENTITY_TOO_LARGE", "documents.0.text has 20001"),
    ({"documents": None}, 422, "VALIDATION_ERROR", "give documents or drawer_ids"),
    ({"documents": [{"id": "", "text": "x"}]}, 422, "VALIDATION_ERROR", "documents.0.id is ''"),
    ({"documents": [{"id": "a"}]}, 422, "VALIDATION_ERROR", "documents.0.text is blank"),
    (
        {"documents": [{"id": "a", "text": "x", "embedding": [1]}]},
        422,
        "WRONG_DIMENSION",
        "documents.0.embedding has 1",
    ),
    ({"query": ""}, 422, "EMPTY_QUERY", "query is empty"),
    ({"top_k": 0}, 422, "VALIDATION_ERROR", "top_k is 0"),
    ({"gating_mode": "maybe"}, 422, "VALIDATION_ERROR", "gating_mode is 'maybe'"),
    ({"gating_entropy_temp": 0}, 422, "VALIDATION_ERROR", "gating_entropy_temp is 0"),
    ({"gating_threshold": 1.5}, 422, "VALIDATION_ERROR", "gating_threshold is 1.5"),
    (
        {"gating_min_candidates": 9, "gating_max_candidates": 8},
        422,
        "VALIDATION_ERROR",
        "gating_max_candidates is 8; it must be from min_candidates, 9",
    ),
    ({"narrative": 1}, 422, "VALIDATION_ERROR", "narrative is 1"),
]


@pytest.mark.parametrize(("body", "status", "code", "said"), MISTAKES, ids=[f"{one[2]} {one[3]}" for one in MISTAKES])
def test_what_cannot_be_ranked_is_refused_with_field_and_value(
    http: httpx.Client, body: dict[str, Any], status: int, code: str, said: str
) -> None:
    given = {"query": "bread", "documents": DOCUMENTS} | body
    error = failure(http.post("/v1/rerank", json={k: v for k, v in given.items() if v is not None}), status, code)
    assert said in error["message"]


RAW_MISTAKES = [
    b'{"query": "x", "documents": [{"id": "a", "text": "y", "metadata": {"a": NaN}}]}',
    b'{"query": "x", "documents": [{"id": "a", "text": "y", "metadata": {"\\ud800": 1}}]}',
    b'{"query": "x", "documents": [{"id": "\\ud800", "text": "y"}]}',
    b'{"query": "\\ud800", "documents": [{"id": "a", "text": "y"}]}',
    b'{"query": "x", "documents": [{"id": "a", "text": "y"}], "mmr_lambda": NaN}',
    b'{"query": "x", "documents": [{"id": "a", "text": "y"}], "gating_max_candidates": 1' + b"0" * 400 + b"}",
    b'{"query": "x", "documents": [{"id": "a", "embedding": [1e39]}]}',
]


@pytest.mark.parametrize("body", RAW_MISTAKES, ids=[repr(body[:70]) for body in RAW_MISTAKES])
def test_what_could_not_be_sent_back_is_refused_alone_and_in_a_batch(http: httpx.Client, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    response = http.post("/v1/rerank", content=body, headers=headers)
    failure(response, 422, response.json()["error"]["code"])
    batch = http.post("/v1/rerank/batch", content=b"[" + body + b"]", headers=headers)
    assert batch.status_code == 200, batch.text
    assert batch.json()[0]["error"]["code"] == response.json()["error"]["code"]


def test_a_key_is_needed_where_one_is_set_and_a_client_may_not_ask_too_often(own: Settings) -> None:
    body = {"query": "bread", "documents": DOCUMENTS}
    with served(
        changed(own, service={"api_key": type(own.service.api_key)("k")}, rerank={"rate_limit_per_minute": 2})
    ) as (client):
        failure(httpx.post(f"{client.base_url}/v1/rerank", json=body), 401, "UNAUTHORIZED")
        rerank(client, **body)
        assert client.post("/v1/rerank/batch", json=[body]).status_code == 200
        for path, sent in (("/v1/rerank", body), ("/v1/rerank/batch", [body])):
            refused = client.post(path, json=sent)
            assert "more than 2 requests in a minute" in failure(refused, 429, "RATE_LIMITED")["message"]
            assert 1 <= int(refused.headers["Retry-After"]) <= 60
        assert client.get("/v1/wings").status_code == 200  # only the rerank is limited


def test_the_documentation_says_what_the_service_does(http: httpx.Client) -> None:
    text = PAGE.read_text("utf-8")
    example = re.search(r"-d '(\{.*?\})'", text, re.DOTALL)
    assert example
    assert {one["id"] for one in rerank(http, **json.loads(example[1]))["results"]} == {"a", "b"}
    statuses = {
        code: int(status)
        for codes, status in re.findall(r"^\| ([A-Z_`, ]+) \| (\d+) \|", text, re.MULTILINE)
        for code in re.findall(r"[A-Z_]+", codes)
    }
    assert len(statuses) == 9
    assert statuses == {code: STATUS[code] for code in statuses}
    defaults = RerankSettings()  # pyright: ignore[reportCallIssue]
    limits = re.findall(r"`(max_\w+)` \((\d+)\)", text)
    assert {name: int(value) for name, value in limits} == {
        name: getattr(defaults, name) for name in ("max_top_k", "max_documents", "max_batch", "max_text_chars")
    }
    weights = re.findall(r"^\| (dense|narrative|pheromone) \|.*\| ([\d.]+) \|$", text, re.MULTILINE)
    assert {name: float(value) for name, value in weights} == defaults.weights.model_dump()


@pytest.mark.parametrize(("holder", "stage"), [(operation, "_vectors"), (operation, "ordered")])
def test_others_are_answered_while_documents_are_embedded_and_while_they_are_ranked(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch, holder: Any, stage: str
) -> None:
    begun, answered = threading.Event(), threading.Event()
    plain = getattr(holder, stage)

    def held(*args: Any, **kwargs: Any) -> Any:
        begun.set()
        assert answered.wait(30)
        return plain(*args, **kwargs)

    monkeypatch.setattr(holder, stage, held)
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(http.post, "/v1/rerank", json={"query": "bread", "documents": DOCUMENTS})
        assert begun.wait(30)
        with httpx.Client(base_url=http.base_url, timeout=10) as other:
            other.get("/health/live").raise_for_status()
        answered.set()
        assert asked.result().raise_for_status().json()["results"][0]["id"] == "b"
