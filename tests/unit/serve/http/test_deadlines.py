"""A request is answered in time, with its result or with 503."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from graphpalace.domain.deadline import current_deadline
from graphpalace.serve.http.limits.deadlines import Deadlines


async def asked(app: Any, request_line: str) -> list[Message]:
    """Return what an application sends."""
    method, path = request_line.split()
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    await app({"type": "http", "method": method, "path": path, "headers": []}, receive, send)
    return sent


def guarded(app: Any, *, read: float = 60, write: float = 60) -> Deadlines:
    return Deadlines(app, seconds={"read": read, "write": write})


@pytest.mark.parametrize(("line", "setting"), [("GET /v1/stats", "read"), ("POST /v1/drawers", "write")])
async def test_work_that_takes_too_long_is_cancelled_and_answered_with_503(line: str, setting: str) -> None:
    cancelled = asyncio.Event()

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            cancelled.set()
            raise

    start, body = await asked(guarded(slow, read=0.01, write=0.01), line)
    assert (start["status"], dict(start["headers"])[b"retry-after"]) == (503, b"2")
    error = json.loads(body["body"])["error"]
    assert error["code"] == "TOOK_TOO_LONG"
    assert f"[service] {setting}_deadline_s" in error["message"]
    assert cancelled.is_set()


async def test_an_answer_that_has_begun_is_sent_to_its_end() -> None:
    async def streaming(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.sleep(0.05)  # longer than the request may take
        await send({"type": "http.response.body", "body": b"done"})

    assert (await asked(guarded(streaming, read=0.02), "GET /v1/stats"))[-1]["body"] == b"done"


async def test_each_kind_of_request_has_its_time_or_as_much_as_it_needs() -> None:
    found: dict[str, float | None] = {}

    async def look(scope: Scope, receive: Receive, send: Send) -> None:
        deadline = current_deadline()
        found[scope["path"]] = deadline and deadline.seconds

    app = guarded(look, read=5, write=10)
    for line in ("POST /v1/search", "POST /v1/drawers", "POST /v1/ingest", "GET /health/ready"):
        await asked(app, line)
    assert found == {"/v1/search": 5, "/v1/drawers": 10, "/v1/ingest": None, "/health/ready": None}


async def test_another_time_limit_of_the_work_is_not_taken_for_the_deadline() -> None:
    async def late(scope: Scope, receive: Receive, send: Send) -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        await asked(guarded(late), "GET /v1/stats")
