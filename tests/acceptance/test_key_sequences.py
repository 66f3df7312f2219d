"""A key from its making to its end, at two services of one database, and what it sees of others meanwhile."""

from __future__ import annotations

import base64
import json
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from pydantic import SecretStr
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Subprotocol

from graphpalace.domain.access.api_key import new_key
from graphpalace.settings.load import Settings
from tests.acceptance.served import changed, failure, served, until
from tests.acceptance.simulation_socket import heard, watch
from tests.spare_palaces import spare_name


@pytest.fixture(scope="module")
def own(settings: Settings) -> Settings:
    """Settings with a key, whose palace is used by these tests alone."""
    key = {"api_key": SecretStr("sesame")}
    return changed(settings, palace={"name": spare_name()}, decay={"enabled": False}, service=key)


@pytest.fixture(scope="module")
def filled(own: Settings) -> str:
    """The name of the palace."""
    return own.palace.name


@pytest.fixture(scope="module")
def other(own: Settings, http: httpx.Client) -> Iterator[httpx.Client]:
    """Another service of the same database."""
    with served(own) as client:
        yield client


def make(http: httpx.Client, *grants: str, **more: Any) -> tuple[str, dict[str, str]]:
    """Make a key; return its id and the headers that send it."""
    made = http.post("/v1/keys", json={"name": "Anna", "grants": grants} | more)
    assert made.status_code == 201, made.text
    return made.json()["id"], {"Authorization": f"Bearer {made.json()['key']}"}


def test_a_key_works_everywhere_at_once_and_ends_everywhere(
    http: httpx.Client, other: httpx.Client, filled: str
) -> None:
    own, key = make(http, f"read:{filled}")
    for service in (other, http):
        assert service.get("/v1/wings", headers=key).status_code == 200

    def last_used() -> Any:
        return next(one["last_used_at"] for one in http.get("/v1/keys").json() if one["id"] == own)

    until(last_used, seconds=10)
    assert "hash" not in http.get("/v1/keys").text
    assert http.delete(f"/v1/keys/{own}").status_code == 204
    failure(http.get("/v1/wings", headers=key), 401, "UNAUTHORIZED")
    until(lambda: other.get("/v1/wings", headers=key).status_code == 401, seconds=5)
    failure(http.delete(f"/v1/keys/{own}"), 404, "NOT_FOUND")
    assert failure(http.delete("/v1/keys/anna"), 422, "VALIDATION_ERROR")["detail"]["field"] == "key"


def test_a_key_expires(http: httpx.Client, filled: str) -> None:
    soon = datetime.now(UTC) + timedelta(seconds=2)
    own, key = make(http, f"read:{filled}", expires_at=soon.isoformat())
    assert http.get("/v1/wings", headers=key).status_code == 200
    until(lambda: http.get("/v1/wings", headers=key).status_code == 401, seconds=10)
    assert time.time() >= soon.timestamp()
    assert own in failure(http.get("/v1/wings", headers=key), 401, "UNAUTHORIZED")["message"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": "", "grants": ["read:*"]}, "name"),
        ({"name": "a", "grants": []}, "grants"),
        ({"name": "a", "grants": ["reader:notes"]}, "grants"),
        ({"name": "a", "grants": ["read:*"], "expires_at": "2020-01-01T00:00:00Z"}, "expires_at"),
    ],
)
def test_a_wrong_key_is_not_made(http: httpx.Client, body: dict[str, Any], field: str) -> None:
    before = http.get("/v1/keys").json()
    assert field in str(failure(http.post("/v1/keys", json=body), 422, "VALIDATION_ERROR")["detail"])
    assert http.get("/v1/keys").json() == before


def test_a_key_for_a_wing_sees_nothing_of_the_others(http: httpx.Client, filled: str) -> None:
    for wing, text in (("anna", "Anna keeps radishes."), ("bob", "Bob keeps radishes and a secret.")):
        http.post("/v1/drawers", json={"text": text, "wing": wing}).raise_for_status()
    _, key = make(http, f"write:{filled}/anna", f"read:{filled}/missing")
    found = http.post("/v1/search", json={"query": "radishes secret", "wing": "anna"}, headers=key).raise_for_status()
    assert [hit["wing"] for hit in found.json()["hits"]] == ["anna"]
    seen = [
        found,
        http.get("/v1/taxonomy", headers=key),
        http.get("/v1/wings", headers=key),
        http.get("/v1/rooms", params={"wing": "anna"}, headers=key),
        http.get("/v1/palaces", headers=key),
        http.post("/v1/search", json={"query": "x", "wing": "missing"}, headers=key),
    ]
    for answer in seen:
        assert "bob" not in answer.text.lower()
    (palace,) = seen[4].json()
    assert (palace["name"], palace["wings"], palace["drawers"]) == (filled, 1, 1)
    failure(seen[5], 404, "NOT_FOUND")
    two = [{"text": "one", "wing": "anna"}, {"text": "two", "wing": "bob"}]
    failure(http.post("/v1/drawers/batch", json={"drawers": two}, headers=key), 403, "FORBIDDEN")
    assert "two" not in http.get("/v1/drawers", params={"wing": "bob"}).text


def test_a_key_for_a_wing_judges_only_what_was_shown_in_its_wing(http: httpx.Client, filled: str) -> None:
    mine, other = (
        http.post("/v1/drawers", json={"text": f"{wing} waters the figs", "wing": wing}).raise_for_status().json()["id"]
        for wing in ("anna", "bob")
    )
    _, key = make(http, f"write:{filled}/anna")

    def asked(**where: str) -> str:
        return http.post("/v1/search", json={"query": "figs"} | where).raise_for_status().json()["run"]

    for run in (asked(wing="bob"), asked()):
        failure(http.post("/v1/feedback", json={"run": run, "useful": [mine]}, headers=key), 403, "FORBIDDEN")
        failure(http.get(f"/v1/drawers/{mine}", params={"run": run}, headers=key), 403, "FORBIDDEN")
    assert http.get("/v1/feedback").json() == []
    given = http.post("/v1/feedback", json={"run": asked(wing="anna"), "useful": [mine]}, headers=key)
    assert given.status_code == 200, given.text
    assert http.get(f"/v1/drawers/{mine}", params={"run": asked(wing="anna")}, headers=key).status_code == 200
    failure(http.get(f"/v1/drawers/{other}", headers=key), 403, "FORBIDDEN")


def test_a_palace_in_the_query_does_not_cover_one_in_the_body(http: httpx.Client, filled: str) -> None:
    _, key = make(http, "admin:elsewhere")
    body = {"query": "radishes", "palace": filled}
    failure(http.post("/v1/search", params={"palace": "elsewhere"}, json=body, headers=key), 403, "FORBIDDEN")


def test_nobody_gets_the_answer_that_another_got_under_the_same_idempotency_key(
    http: httpx.Client, filled: str
) -> None:
    keys = [make(http, f"{role}:{filled}")[1] for role in ("write", "write", "read")]
    again = {"Idempotency-Key": uuid.uuid4().hex}
    answers = [http.post("/v1/wings", json={"name": "new"}, headers=key | again) for key in (keys[0], *keys)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 403]
    assert ["idempotency-replayed" in answer.headers for answer in answers] == [False, True, False, False]
    assert [answer.json()["created"] for answer in answers[:3]] == [True, True, False]


def test_a_key_of_somebody_makes_no_link_to_the_page(http: httpx.Client) -> None:
    _, key = make(http, "admin:*")
    failure(http.post("/page/links", headers=key), 403, "FORBIDDEN")
    assert http.get("/v1/keys", headers=key).status_code == 200


def test_a_simulation_is_watched_with_a_key_for_every_palace_until_it_is_revoked(
    http: httpx.Client, filled: str
) -> None:
    own, key = make(http, "read:*")
    _, narrow = make(http, f"admin:{filled}", "admin:elsewhere")
    for headers in (narrow, {"Authorization": key["Authorization"] + "x"}, {"Authorization": "Bearer gp_"}):
        with pytest.raises(InvalidStatus) as refused:
            watch(http, "default", additional_headers=headers)
        assert refused.value.response.status_code == 403
    encoded = base64.urlsafe_b64encode(key["Authorization"].removeprefix("Bearer ").encode()).decode().rstrip("=")
    protocols = [Subprotocol("graphpalace"), Subprotocol(f"key.{encoded}")]
    change = json.dumps({"type": "config", "settings": {"max_iterations": 7}})
    with (
        watch(http, "default", additional_headers=key) as client,
        watch(http, "default", subprotocols=protocols) as other,
    ):
        for one in (client, other):
            assert heard(one, "hello")["settings"]["settings"]["max_iterations"] != 7
        client.send(change)
        assert "write:*" in heard(client, "log")["message"]
        assert http.get("/v1/mcmp/settings").json()["settings"]["max_iterations"] != 7
        http.delete(f"/v1/keys/{own}").raise_for_status()
        for one in (client, other):
            one.send(change)
            with pytest.raises(ConnectionClosed) as ended:
                heard(one, "config")
            assert ended.value.rcvd
            assert (ended.value.rcvd.code, "revoked" in ended.value.rcvd.reason) == (1008, True)
    assert http.get("/v1/mcmp/settings").json()["settings"]["max_iterations"] != 7


def test_while_the_database_is_away_no_key_of_somebody_opens_anything(own: Settings) -> None:
    away = {"uri": "bolt://127.0.0.1:9", "password": SecretStr("none")}
    *_, key = new_key()
    with served(changed(own, neo4j=away), ready=False) as service:
        for path in ("/v1/wings", "/v1/keys", "/v1/palaces", "/metrics", "/mcp"):
            failure(service.get(path, headers={"Authorization": f"Bearer {key}"}), 503, "DATABASE_UNAVAILABLE")
            failure(service.get(path, headers={"Authorization": "Bearer guessed"}), 401, "UNAUTHORIZED")
        with pytest.raises(InvalidStatus) as refused:
            watch(service, "default", additional_headers={"Authorization": f"Bearer {key}"})
        assert refused.value.response.status_code == 403
