"""What operators see of a service: a request's id from the door to Neo4j, its spans, and the metrics."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from graphpalace.app import GraphPalace
from graphpalace.serve.http.app import local_api
from graphpalace.serve.http.request_log import RequestIds
from graphpalace.serve.mcp.server import make_server
from graphpalace.settings.load import Settings
from graphpalace.telemetry.work_ids import background
from tests.acceptance.served import changed, served, until
from tests.spare_palaces import spare_name
from tests.traces import kept_traces

SECRET = "zanzibar"  # a word of the texts and of the question, which nobody who watches may see


@pytest.fixture(scope="module")
def own(settings: Settings) -> Settings:
    return changed(settings, palace={"name": spare_name()})


@pytest.fixture(scope="module")
def filled(own: Settings) -> str:
    return own.palace.name


@pytest.fixture(scope="module")
def http(own: Settings, filled: str) -> Iterator[httpx.Client]:
    with served(own) as client:
        for text in (f"{SECRET} has spices", "bread is baked from flour"):
            client.post("/v1/drawers", json={"text": text, "wing": "w"}).raise_for_status()
        yield client
        client.delete(f"/v1/palaces/{filled}?confirm={filled}").raise_for_status()


async def test_neo4j_shows_for_which_request_a_transaction_is(app: GraphPalace) -> None:
    class Supervised:
        def operations(self) -> GraphPalace:
            return app

    api: FastAPI = local_api(app.settings, Supervised())

    @api.get("/v1/transactions")
    async def transactions() -> list[dict[str, Any]]:
        async def in_transaction(tx: Any) -> list[dict[str, Any]]:
            return await tx.run("tests/show_transactions")

        read = await app.database.read(None, "tests/show_transactions")
        return read + await app.database.transaction(None, in_transaction)

    transport = httpx.ASGITransport(RequestIds(api))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        answer = await client.get("/v1/transactions", headers={"X-Request-Id": "order-7"})
    shown = [row["metadata"] for row in answer.json() if row["query"] and "SHOW TRANSACTIONS" in row["query"]]
    told = {"app": "graphpalace", "request_id": "order-7"}
    assert shown == [told | {"graphpalace": "reads"}, told]


async def test_neo4j_shows_background_work_too(app: GraphPalace) -> None:
    with background("settle", work_id="settle-1"):
        rows = await app.database.read(None, "tests/show_transactions")
    told = {"app": "graphpalace", "request_id": "settle-1", "graphpalace": "reads"}
    assert told in [row["metadata"] for row in rows]


def test_a_tool_of_mcp_answers_with_the_id_of_its_request_which_its_log_lines_have(
    http: httpx.Client, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = _called(http, "search", {"query": "bread"}, {"X-Request-Id": "tool-7"})
    assert answer.headers["x-request-id"] == "tool-7"
    assert _result(answer)["_meta"]["requestId"] == "tool-7"
    of_tool: list[str] = []

    def done() -> bool:  # the request is logged when its answer has been sent
        lines = [json.loads(line) for line in capsys.readouterr().err.splitlines() if line.startswith("{")]
        mine = [line for line in lines if line.get("request_id") == "tool-7"]
        of_tool.extend(line["event"] for line in mine if line["logger"].startswith("graphpalace."))
        return "request" in of_tool

    until(done, seconds=10)
    assert of_tool == ["tool_started", "tool_ended", "request"]


async def test_a_tool_over_stdio_has_an_id_too(app: GraphPalace) -> None:
    from fastmcp import Client

    async with Client(make_server(app.settings, lambda: app)) as client:
        result = await client.call_tool("search", {"query": "bread", "wing": "none"}, raise_on_error=False)
    assert result.is_error
    assert re.fullmatch("tool-[0-9a-f]{12}", str((result.meta or {})["requestId"]))


def test_a_search_has_a_span_for_each_lane_query_and_call_of_a_model_and_no_text(
    http: httpx.Client, filled: str
) -> None:
    with kept_traces() as kept:
        found = http.post("/v1/search", json={"query": f"spices of {SECRET}"}).raise_for_status()
        assert found.json()["hits"]
        spans = {span.context.span_id: span for span in _ended(kept, "POST /v1/search") if span.context}

    def path(span: Any) -> tuple[str, ...]:
        return (*(path(spans[span.parent.span_id]) if span.parent else ()), span.name)

    mine = [span for span in spans.values() if path(span)[0] == "POST /v1/search"]
    paths = {path(span) for span in mine}
    assert {
        ("POST /v1/search",),
        ("POST /v1/search", "search embed", "model"),
        ("POST /v1/search", "search semantic"),
        ("POST /v1/search", "search fulltext"),
        ("POST /v1/search", "search read", "query"),
    } <= paths
    (model,) = [span.attributes for span in mine if span.name == "model"]
    assert model == {"graphpalace.model": "words", "graphpalace.kind": "questions", "graphpalace.texts": 1}
    for query in (span.attributes for span in mine if span.name == "query"):
        assert query.keys() == {"graphpalace.query", "graphpalace.palace", "graphpalace.rows"}
        assert query["graphpalace.palace"] == filled
    assert len({span.context.trace_id for span in mine if span.context}) == 1
    assert SECRET not in str([span.to_json() for span in spans.values()])


def test_a_tool_is_a_span_below_its_request(http: httpx.Client) -> None:
    with kept_traces() as kept:
        _called(http, "search", {"query": f"spices of {SECRET}"}, {})
        spans = _ended(kept, "POST /mcp")
    by_id = {span.context.span_id: span for span in spans if span.context}
    (tool,) = [span for span in spans if span.name == "tool search"]
    (lane,) = [span for span in spans if span.name == "search fulltext"]
    assert tool.parent and by_id[tool.parent.span_id].name == "POST /mcp"
    assert lane.parent and by_id[lane.parent.span_id].name == "tool search"
    assert SECRET not in str([span.to_json() for span in spans])


def test_the_metrics_tell_of_requests_searches_queries_models_and_memory(http: httpx.Client, filled: str) -> None:
    http.post("/v1/search", json={"query": f"spices of {SECRET}"}).raise_for_status()
    text = http.get("/metrics").text
    for line in (
        r'graphpalace_http_requests_total{method="POST",route="/v1/search",status="200"} [1-9]',
        r'graphpalace_http_request_seconds_bucket{le="10.0",method="POST",route="/v1/search"} [1-9]',
        r'graphpalace_search_stage_seconds_count{stage="fulltext"} [1-9]',
        r'graphpalace_query_seconds_count{query="search/[a-z_]+"} [1-9]',
        r'graphpalace_query_rows_total{query="search/[a-z_]+"} [1-9]',
        r'graphpalace_model_texts_total{kind="questions",model="words"} [1-9]',
        r'graphpalace_neo4j_connections{state="(idle|in_use)"} [1-9]',
        rf'graphpalace_replica_drawers{{palace="{filled}"}} 2.0',
        rf'graphpalace_replica_vectors_bytes{{palace="{filled}"}} [1-9]',
        rf'graphpalace_replica_lag_revisions{{palace="{filled}"}} 0.0',
        r"graphpalace_database_reached 1.0",
        r"graphpalace_jobs_under_way 0.0",
        r"graphpalace_simulations_running 0.0",
        r'graphpalace_build_info{version="[0-9.]+"} 1.0',
    ):
        assert re.search(f"^{line}", text, re.MULTILINE), line
    assert SECRET not in text
    assert "_created" not in text


def test_a_decay_shows_when_it_ran_until_its_palace_is_gone(http: httpx.Client) -> None:
    name = spare_name()
    http.post("/v1/palaces", json={"name": name}).raise_for_status()
    http.post("/v1/decay", json={"palace": name}).raise_for_status()
    shown = f'graphpalace_decay_last_run_timestamp_seconds{{palace="{name}"}} 1.'
    assert shown in http.get("/metrics").text
    http.delete(f"/v1/palaces/{name}?confirm={name}").raise_for_status()
    assert f'"{name}"' not in http.get("/metrics").text


def test_before_the_database_is_reached_there_are_metrics(settings: Settings) -> None:
    with served(changed(settings, neo4j={"uri": "bolt://127.0.0.1:9"}), ready=False) as client:
        assert "graphpalace_database_reached 0.0" in client.get("/metrics").raise_for_status().text


def _ended(kept: InMemorySpanExporter, name: str) -> tuple[ReadableSpan, ...]:
    """Return all spans, once that of a name has ended, which is when its answer has been sent."""
    until(lambda: any(span.name == name for span in kept.get_finished_spans()), seconds=10)
    return kept.get_finished_spans()


def _called(http: httpx.Client, tool: str, arguments: dict[str, Any], headers: dict[str, str]) -> httpx.Response:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    accepted = {"Accept": "application/json, text/event-stream"}
    return http.post("/mcp", json=asked, headers=accepted | headers).raise_for_status()


def _result(answer: httpx.Response) -> dict[str, Any]:
    lines = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: ")]
    return json.loads(lines[-1] if lines else answer.text)["result"]
