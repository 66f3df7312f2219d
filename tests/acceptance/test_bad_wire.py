"""What users see of a database that is slow, hangs, is cut off, goes away or refuses writes: a clear error in bounded
time, nothing half written, and a service that goes on by itself afterwards."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from graphpalace import app as wiring
from graphpalace.settings.load import Settings
from tests.acceptance.served import changed, failure, served, until
from tests.slow_wire import SlowWire, slow_wire
from tests.spare_palaces import spare_name

_READ_S, _WRITE_S = 4.0, 6.0
_LATE_S = 6.0  # what an answer may take beyond its deadline on a machine with much else to do


@pytest.fixture(scope="module")
def section(settings: Settings) -> dict[str, Any]:
    """Address, user and password of the tests' server."""
    neo4j = settings.neo4j
    if neo4j.uri:
        return {"uri": neo4j.uri, "user": neo4j.user, "password": neo4j.password}
    server = wiring.managed_server(settings)
    return {"uri": server.uri, "user": server.user, "password": type(neo4j.password)(server.password)}


@pytest.fixture(scope="module")
def wire(section: dict[str, Any]) -> Iterator[SlowWire]:
    with slow_wire(int(section["uri"].rpartition(":")[2])) as wire:
        yield wire


@pytest.fixture(scope="module")
def behind(settings: Settings, section: dict[str, Any], wire: SlowWire) -> Iterator[httpx.Client]:
    """A service whose database is behind the wire."""
    own = changed(
        settings,
        palace={"name": spare_name()},
        neo4j=section | {"uri": f"bolt://127.0.0.1:{wire.port}"},
        service={"read_deadline_s": _READ_S, "write_deadline_s": _WRITE_S},
    )
    with served(own) as client:
        until(lambda: client.post("/v1/drawers", json=_drawer("bread needs flour")).is_success, seconds=60)
        until(lambda: client.post("/v1/search", json={"query": "flour"}).is_success, seconds=60)
        yield client
        client.delete(f"/v1/palaces/{own.palace.name}?confirm={own.palace.name}").raise_for_status()


@pytest.fixture
def http(behind: httpx.Client, wire: SlowWire) -> Iterator[httpx.Client]:
    """The service, which must be well again after each test without a restart."""
    yield behind
    wire.heal()
    until(lambda: behind.get("/health/ready").status_code == 200, seconds=30)
    assert behind.post("/v1/search", json={"query": "flour"}).json()["hits"]


def _drawer(text: str) -> dict[str, str]:
    return {"text": text, "wing": "w"}


def _refused(http: httpx.Client, method: str, path: str, body: Any, *, codes: set[str], within_s: float) -> None:
    began = time.monotonic()
    answer = http.request(method, path, json=body, headers={"Idempotency-Key": uuid.uuid4().hex})
    took = time.monotonic() - began
    code = answer.json()["error"]["code"]
    assert code in codes, answer.text
    failure(answer, 503, code)
    assert int(answer.headers["Retry-After"]) > 0
    assert took < within_s, f"{method} {path} took {took:.1f} s"


def _texts(http: httpx.Client) -> list[str]:
    return [drawer["text"] for drawer in http.get("/v1/drawers").raise_for_status().json()["drawers"]]


def test_a_slow_database_makes_answers_slow_and_not_wrong(http: httpx.Client, wire: SlowWire) -> None:
    wire.delay_s = 0.05
    began = time.monotonic()
    assert http.post("/v1/drawers", json=_drawer("salt is for the soup")).status_code == 201
    assert http.post("/v1/search", json={"query": "soup"}).json()["hits"][0]["text"] == "salt is for the soup"
    print(f"50 ms on each answer of Neo4j: a write and a search took {time.monotonic() - began:.2f} s")


@pytest.mark.parametrize("how", ["hangs", "is far too slow"])
def test_a_database_that_does_not_answer_costs_a_request_its_deadline_and_no_more(
    http: httpx.Client, wire: SlowWire, how: str
) -> None:
    before = _texts(http)
    wire.hang() if how == "hangs" else setattr(wire, "delay_s", 20.0)
    late = {"TOOK_TOO_LONG", "DATABASE_UNAVAILABLE", "DATABASE_BUSY"}
    _refused(http, "POST", "/v1/drawers", _drawer(f"it {how}"), codes=late, within_s=_WRITE_S + _LATE_S)
    _refused(http, "GET", "/v1/drawers", None, codes=late, within_s=_READ_S + _LATE_S)
    _refused(http, "POST", "/v1/search", {"query": "flour"}, codes=late, within_s=_READ_S + _LATE_S)
    assert http.get("/health/live").status_code == 200
    ready = http.get("/health/ready")
    assert (ready.status_code, ready.json()["database"]) == (503, "down")
    assert "did not answer within" in ready.json()["reason"] or "cannot be reached" in ready.json()["reason"]
    wire.heal()
    until(lambda: http.get("/health/ready").status_code == 200, seconds=30)
    # What was refused may have been sent on by the wire, but never in half.
    assert set(_texts(http)) - set(before) <= {f"it {how}"}


def test_cut_connections_are_opened_again_and_nobody_notices(http: httpx.Client, wire: SlowWire) -> None:
    for number in range(3):
        wire.cut()
        added = http.post("/v1/drawers", json=_drawer(f"cut {number}"), headers={"Idempotency-Key": f"cut-{number}"})
        assert added.status_code == 201, added.text
        wire.cut()
        assert http.post("/v1/search", json={"query": "flour"}).json()["hits"]
    assert sorted(text for text in _texts(http) if text.startswith("cut")) == ["cut 0", "cut 1", "cut 2"]


def test_a_database_that_has_gone_away_is_named_at_once_and_found_again(http: httpx.Client, wire: SlowWire) -> None:
    wire.go_away()
    gone = {"DATABASE_UNAVAILABLE"}
    _refused(http, "POST", "/v1/drawers", _drawer("away"), codes=gone, within_s=5 + _LATE_S)
    _refused(http, "GET", "/v1/drawers", None, codes=gone, within_s=5 + _LATE_S)
    assert http.get("/health/ready").json()["database"] == "down"
    wire.heal()
    until(lambda: http.post("/v1/drawers", json=_drawer("away")).is_success, seconds=10)
    assert _texts(http).count("away") == 1
