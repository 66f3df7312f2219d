"""Each request and each piece of background work has an id, which goes with its context."""

from __future__ import annotations

import asyncio
import gc
import json
import re

import pytest
import structlog
from fastapi import FastAPI, HTTPException, WebSocket
from fastapi.testclient import TestClient
from tests.traces import kept_traces

from graphpalace.serve import logs
from graphpalace.serve.http.request_log import RequestIds, RequestLog
from graphpalace.telemetry.spans import span
from graphpalace.telemetry.work_ids import background, background_task, current_id, id_of_request, working_as

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
TRACEPARENT = f"00-{TRACE}-00f067aa0ba902b7-01"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"x-request-id": "order-7.a"}, "order-7.a"),
        ({"x-request-id": "order-7.a", "traceparent": TRACEPARENT}, "order-7.a"),
        ({"traceparent": TRACEPARENT}, TRACE),
        ({"x-request-id": "two words", "traceparent": TRACEPARENT}, TRACE),
        ({"traceparent": TRACEPARENT.replace("00-", "cc-", 1) + "-more"}, TRACE),  # of a later version
    ],
)
def test_the_id_of_a_request_is_that_of_its_sender(given: dict[str, str], expected: str) -> None:
    assert id_of_request({name.encode(): value.encode() for name, value in given.items()}) == expected


@pytest.mark.parametrize(
    "given",
    [
        {"x-request-id": "é" * 3},
        {"x-request-id": "a" * 129},
        {"x-request-id": "a\r\nb"},
        {"x-request-id": ""},
        {"traceparent": f"ff-{TRACE}-00f067aa0ba902b7-01"},
        {"traceparent": f"00-{'0' * 32}-00f067aa0ba902b7-01"},
        {"traceparent": f"00-{TRACE}-{'0' * 16}-01"},
        {"traceparent": f"00-{TRACE.upper()}-00f067aa0ba902b7-01"},
        {},
    ],
)
def test_a_malformed_id_is_replaced_by_a_new_one(given: dict[str, str]) -> None:
    headers = {name.encode(): value.encode("latin-1") for name, value in given.items()}
    first, second = id_of_request(headers), id_of_request(headers)
    assert first != second
    assert re.fullmatch("[0-9a-f]{32}", first)


def test_a_request_that_begins_a_trace_has_the_id_of_the_trace() -> None:
    app = FastAPI()

    @app.get("/v1/palaces/{palace}")
    async def route(palace: str) -> str:
        return current_id()

    with kept_traces() as kept, TestClient(RequestIds(app)) as client:
        answer = client.get("/v1/palaces/secret-name?q=secret-question")
        (span,) = kept.get_finished_spans()
    assert span.context
    assert answer.headers["x-request-id"] == answer.json() == format(span.context.trace_id, "032x")
    assert span.name == "GET /v1/palaces/{palace}"
    assert span.attributes == {
        "http.request.method": "GET",
        "http.route": "/v1/palaces/{palace}",
        "http.response.status_code": 200,
        "graphpalace.request_id": answer.json(),
    }


def test_every_line_of_the_log_and_an_unexpected_error_have_the_id(capsys: pytest.CaptureFixture[str]) -> None:
    app = FastAPI()
    logs.configure("json")

    @app.get("/boom")
    async def boom() -> None:
        structlog.get_logger("graphpalace.test").info("looking")
        await asyncio.to_thread(structlog.get_logger("graphpalace.test").info, "looking in a thread")
        raise RuntimeError

    app.add_middleware(RequestLog)
    app.add_middleware(RequestIds)
    with TestClient(app, raise_server_exceptions=False) as client:
        answer = client.get("/boom", headers={"X-Request-Id": "boom-1"})
    assert answer.json()["error"]["request_id"] == answer.headers["x-request-id"] == "boom-1"
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(line["event"], line["request_id"]) for line in lines if "request_id" in line] == [
        (event, "boom-1") for event in ("looking", "looking in a thread", "unexpected_error", "request")
    ]


def test_a_websocket_has_an_id_too() -> None:
    app = FastAPI()

    @app.websocket("/v1/watch")
    async def watch(socket: WebSocket) -> None:
        await socket.accept()
        await socket.send_text(current_id())

    with (
        TestClient(RequestIds(app)) as client,
        client.websocket_connect("/v1/watch", headers={"X-Request-Id": "watch-1"}) as socket,
    ):
        assert socket.receive_text() == "watch-1"
        assert (b"x-request-id", b"watch-1") in (socket.extra_headers or ())


def test_a_request_that_the_service_fails_is_marked_in_its_trace() -> None:
    app = FastAPI()

    @app.get("/v1/{status}")
    async def route(status: int) -> None:
        raise HTTPException(status)

    with kept_traces() as kept, TestClient(RequestIds(app)) as client:
        for status in (404, 503):
            client.get(f"/v1/{status}")
        refused, failed = kept.get_finished_spans()
    assert (refused.status.status_code.name, failed.status.status_code.name) == ("UNSET", "ERROR")
    assert failed.attributes and failed.attributes["error.type"] == "503"


async def test_background_work_that_a_request_starts_has_an_id_of_its_own() -> None:
    async def work() -> list[str]:
        found = [current_id()]
        for kept in ("", "job-7"):
            with background("settle", work_id=kept):
                found.append(current_id())
        return found

    with working_as("request-1"):
        task = background_task("settler", work())
        assert current_id() == "request-1"
    task_id, settle_id, job_id = await task
    assert re.fullmatch("settler-[0-9a-f]{12}", task_id)
    assert re.fullmatch("settle-[0-9a-f]{12}", settle_id)
    assert job_id == "job-7"
    assert current_id() == ""


@pytest.mark.parametrize("headers", [{}, {"traceparent": TRACEPARENT}])
def test_what_a_route_does_is_below_its_request(headers: dict[str, str]) -> None:
    app = FastAPI()
    app.add_middleware(RequestIds)

    @app.get("/v1/palaces")
    async def route() -> None:
        with span("query", leaf=True):
            pass

    with kept_traces() as kept, TestClient(app) as client:
        client.get("/v1/palaces", headers=headers)
        query, request = kept.get_finished_spans()
    assert (query.name, request.name) == ("query", "GET /v1/palaces")
    assert query.parent and request.context and query.parent.span_id == request.context.span_id


async def test_a_task_that_is_cancelled_before_it_begins_leaves_no_warning(recwarn: pytest.WarningsRecorder) -> None:
    async def work() -> None:
        raise AssertionError("it never begins")

    task = background_task("test", work())
    task.cancel()
    await asyncio.wait({task})
    gc.collect()
    assert not [str(one.message) for one in recwarn]
