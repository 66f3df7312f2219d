from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send
from tests.words import WordEmbedder

from graphpalace.errors import Overloaded
from graphpalace.serve.http.app import create_app
from graphpalace.serve.http.limits.admission import Admission, TurnQueue
from graphpalace.serve.http.limits.deadlines import kind_of
from graphpalace.serve.http.limits.whole_body import WholeBody
from graphpalace.settings.load import Settings


@pytest.fixture(scope="module")
def described() -> list[tuple[str, str]]:
    """Method and path of every route that is described."""
    paths = create_app(Settings(), embedder=WordEmbedder()).openapi()["paths"]
    return [(method.upper(), path) for path, ways in paths.items() for method in ways]


@pytest.mark.parametrize(
    ("request_line", "kind"),
    [
        ("POST /v1/search", "searches"),
        ("POST /v1/navigate", "searches"),
        ("POST /v1/runs/multilane", "searches"),
        ("POST /v1/mcmp/search", "searches"),
        ("GET /v1/drawers/drawer-1", "reads"),
        ("POST /v1/drawers", "writes"),
        ("DELETE /v1/wings/a/b", "writes"),
        ("POST /v1/feedback", "writes"),
        ("POST /v1/rerank", "heavy"),
        ("POST /v1/rerank/batch", "heavy"),
        ("POST /v1/explore", "heavy"),
        ("POST /v1/decay", "heavy"),
        ("POST /v1/ingest", "heavy"),
        ("POST /v1/drawers/batch", "writes"),
        ("POST /v1/mcmp/start", "heavy"),
        ("POST /v1/mcmp/resume", "heavy"),
        ("POST /v1/mcmp/jobs/start", "heavy"),
        ("POST /v1/mcmp/stop", "writes"),
        ("DELETE /v1/palaces/lab", "heavy"),
        ("POST /mcp", "tools"),
        ("GET /health/live", None),
        ("GET /health/ready", None),
        ("GET /metrics", None),
        ("GET /", None),
        ("GET /web/js/app.js", None),
    ],
)
def test_each_request_is_of_a_kind(request_line: str, kind: str | None, described: list[tuple[str, str]]) -> None:
    method, path = request_line.split()
    found = kind_of(method, path)
    assert (found and found.turns) == kind
    if path.startswith("/v1"):
        there = [way for way, known in described if re.fullmatch(re.sub("{.*?}", ".+", known), path)]
        assert method in there, "there is no such route"


@pytest.mark.parametrize(
    ("request_line", "deadline"),
    [
        ("POST /v1/search", "read"),
        ("POST /v1/runs/multilane", "read"),
        ("GET /v1/drawers/drawer-1", "read"),
        ("POST /v1/drawers", "write"),
        ("POST /v1/pheromones/deposit", "write"),
        ("POST /v1/decay", "write"),
        ("PATCH /v1/drawers/drawer-1", "write"),
        ("POST /v1/drawers/batch", None),
        ("POST /v1/ingest", None),
        ("POST /v1/mcmp/jobs/start", None),
        ("POST /v1/import/rows", None),
        ("POST /v1/rerank", None),
        ("DELETE /v1/wings/a/b", None),
        ("POST /mcp", None),
    ],
)
def test_what_takes_as_long_as_it_is_given_has_no_deadline(request_line: str, deadline: str | None) -> None:
    found = kind_of(*request_line.split())
    assert found and found.deadline == deadline


def test_no_route_under_v1_is_without_a_limit(described: list[tuple[str, str]]) -> None:
    limits = Settings().service.at_once()
    limited = [kind.turns for method, path in described if path.startswith("/v1") and (kind := kind_of(method, path))]
    assert len(limited) > 40
    assert set(limited) == limits.keys() - {"tools"}


def turns(at_once: int, waiting: int, wait_s: float = 10) -> TurnQueue:
    return TurnQueue("tests", at_once=at_once, most_waiting=waiting, wait_s=wait_s)


async def never() -> Message:
    return await asyncio.get_running_loop().create_future()


async def gone() -> Message:
    return {"type": "http.disconnect"}


async def waiting(of: TurnQueue, *receives: Receive) -> list[asyncio.Task[bool]]:
    tasks = [asyncio.create_task(of.take(receive)) for receive in receives]
    await asyncio.sleep(0)
    return tasks


async def test_turns_go_to_those_who_waited_in_their_order_and_the_rest_come_again() -> None:
    two = turns(2, 2)
    assert [await two.take(never), await two.take(never)] == [True, True]
    first, second = await waiting(two, never, never)
    with pytest.raises(Overloaded, match=r"2 tests are in progress and 2 are waiting") as refused:
        await two.take(never)
    assert refused.value.retry_after_s == 1
    two.give_back()
    assert await first
    assert not second.done()
    two.give_back()
    assert await second
    two.give_back()
    two.give_back()
    assert [await two.take(never), await two.take(never)] == [True, True]  # all turns are free again


async def test_nobody_waits_for_longer_than_is_allowed() -> None:
    one = turns(1, 1, wait_s=0.01)
    await one.take(never)
    with pytest.raises(Overloaded, match=r"1 tests are in progress for more than 0.01 s"):
        await one.take(never)
    one.give_back()
    assert await one.take(never)


async def test_a_client_that_leaves_and_a_task_that_is_cancelled_leave_their_places_to_others() -> None:
    one = turns(1, 2)
    await one.take(never)
    (left,) = await waiting(one, gone)
    assert not await left
    first, second = await waiting(one, never, never)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    one.give_back()
    assert await second
    (third,) = await waiting(one, never)
    one.give_back()
    third.cancel()  # it has the turn already, and has not heard of it
    await asyncio.gather(third, return_exceptions=True)
    assert await one.take(never)


class Client:
    """Sends a request to an application, part by part, and keeps what it answers."""

    def __init__(self, *parts: bytes, path: str = "/v1/search") -> None:
        self._parts = list(parts)
        headers: list[tuple[bytes, bytes]] = []
        self.scope: Scope = {"type": "http", "method": "POST", "path": path, "headers": headers}
        self.sent: list[Message] = []

    async def receive(self) -> Message:
        if not self._parts:
            return await never()
        part = self._parts.pop(0)
        return {"type": "http.request", "body": part, "more_body": part != b""}

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    @property
    def status(self) -> int:
        return self.sent[0]["status"]

    @property
    def headers(self) -> dict[bytes, bytes]:
        return dict(self.sent[0]["headers"])


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    body = (await receive())["body"]
    await send({"type": "http.response.start", "status": 200, "headers": [(b"echo", body)]})


async def asked(app: Any, client: Client) -> Client:
    await app(client.scope, client.receive, client.send)
    return client


async def test_a_body_comes_whole_through_both() -> None:
    app = WholeBody(Admission(echo, at_once={"searches": 1}, most_waiting=0, wait_s=1), most_bytes=10, timeout_s=5)
    for _ in range(2):  # the turn and the store are given back
        client = await asked(app, Client(b"half ", b"whole", b""))
        assert (client.status, client.headers[b"echo"]) == (200, b"half whole")
    client = await asked(app, Client(b"more than ten", b""))
    assert client.status == 413


async def test_a_body_that_does_not_come_is_given_up_and_the_connection_closed() -> None:
    app = WholeBody(echo, most_bytes=10, timeout_s=0.01)
    client = await asked(app, Client(b"half "))
    assert (client.status, client.headers[b"connection"]) == (408, b"close")


async def test_bodies_are_kept_within_a_store_for_all_of_them() -> None:
    app = WholeBody(echo, most_bytes=10, timeout_s=5)
    slow = [asyncio.create_task(asked(app, Client(b"ten bytes "))) for _ in range(8)]
    await asyncio.sleep(0)
    refused = await asked(app, Client(b"x", b""))
    assert (refused.status, refused.headers[b"retry-after"]) == (503, b"1")
    for task in slow:
        task.cancel()
    await asyncio.gather(*slow, return_exceptions=True)
    assert (await asked(app, Client(b"x", b""))).status == 200


async def test_a_time_limit_of_the_work_is_not_taken_for_one_of_the_body() -> None:
    async def late(scope: Scope, receive: Receive, send: Send) -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        await asked(WholeBody(late, most_bytes=10, timeout_s=5), Client(b""))
