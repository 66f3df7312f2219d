"""The HTTP service as its clients see it: over a socket, on a real Neo4j."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import uuid
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.vectors import Matrix
from graphpalace.errors import EmbeddingFailed, SettingsInvalid
from graphpalace.operations.search.recall import Recall
from graphpalace.serve.http.app import create_app
from graphpalace.serve.http.process import supervisor
from graphpalace.serve.http.process.warm_up import WarmUp
from graphpalace.settings.load import Settings
from tests.acceptance.served import changed, failure, served, until
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder


@pytest.fixture(scope="module")
def own(settings: Settings) -> Settings:
    """Settings whose palace is used by these tests alone."""
    return changed(settings, palace={"name": spare_name()})


@pytest.fixture(scope="module")
def http(own: Settings) -> Iterator[httpx.Client]:
    with served(own) as client:
        yield client
        client.delete(f"/v1/palaces/{own.palace.name}?confirm={own.palace.name}").raise_for_status()


@pytest.fixture(scope="module")
def guarded(own: Settings, http: httpx.Client) -> Iterator[httpx.Client]:
    """A second service on the same palace, with a key and a small limit for bodies."""
    with served(changed(own, service={"api_key": SecretStr("sesame"), "max_body_mb": 1})) as client:
        yield client


@pytest.fixture
def wing() -> str:
    return f"wing {uuid.uuid4().hex[:8]}"


def add(http: httpx.Client, text: str, wing: str, room: str = "general", **more: Any) -> dict[str, Any]:
    response = http.post("/v1/drawers", json={"text": text, "wing": wing, "room": room, **more})
    assert response.status_code in (200, 201), response.text
    return response.json()


def found(http: httpx.Client, **question: Any) -> list[str]:
    response = http.post("/v1/search", json=question)
    assert response.status_code == 200, response.text
    return [hit["text"] for hit in response.json()["hits"]]


VERBATIM = "Zeile eins\n\n\tZweite — naïve e\u0301 漢字 🏰\r\n  <b>&amp;</b> \\ \" '  \x00 end  \n"


def test_a_drawer_is_made_once_and_read_back_word_for_word(http: httpx.Client, wing: str) -> None:
    first = http.post("/v1/drawers", json={"text": VERBATIM, "wing": wing, "room": "keys", "author": "Ada"})
    assert first.status_code == 201
    again = http.post("/v1/drawers", json={"text": VERBATIM, "wing": wing, "room": "keys", "author": "Ada"})
    assert again.status_code == 200
    assert (first.json()["created"], again.json()["created"]) == (True, False)
    drawer = http.get(f"/v1/drawers/{first.json()['id']}").json()
    assert drawer["text"] == VERBATIM
    assert drawer["author"] == "Ada"
    assert [step["name"] for step in drawer["path"]][1:3] == [wing, "keys"]


def test_drawers_are_paged_to_the_end_without_repeating(http: httpx.Client, wing: str) -> None:
    made = {add(http, f"page number {number}", wing)["id"] for number in range(5)}
    seen: list[str] = []
    after: str | None = ""
    while after is not None:
        page = http.get("/v1/drawers", params={"wing": wing, "limit": 2, "after": after}).json()
        seen += [drawer["id"] for drawer in page["drawers"]]
        after = page["next"]
    assert len(seen) == 5
    assert set(seen) == made


def test_a_deleted_drawer_is_neither_read_nor_found_any_more(http: httpx.Client, wing: str) -> None:
    drawer = add(http, "ephemeral mayfly", wing)
    assert "ephemeral mayfly" in found(http, query="ephemeral mayfly", wing=wing)
    add(http, "something that stays", wing)
    response = http.delete(f"/v1/drawers/{drawer['id']}")
    assert (response.status_code, response.content) == (204, b"")
    failure(http.get(f"/v1/drawers/{drawer['id']}"), 404, "NOT_FOUND")
    failure(http.delete(f"/v1/drawers/{drawer['id']}"), 404, "NOT_FOUND")
    assert found(http, query="ephemeral mayfly", wing=wing) == ["something that stays"]


def test_wings_and_rooms_are_made_listed_and_removed(http: httpx.Client, wing: str) -> None:
    assert http.post("/v1/wings", json={"name": wing, "wing_type": "person"}).json() == {"name": wing, "created": True}
    assert http.post("/v1/wings", json={"name": wing}).json() == {"name": wing, "created": False}
    room = {"wing": wing, "name": "tools", "hall_type": "advice"}
    assert http.post("/v1/rooms", json=room).json() == {"name": "tools", "created": True}
    assert http.post("/v1/rooms", json=room).json() == {"name": "tools", "created": False}
    add(http, "hammer and nails", wing, "tools")
    listed = next(row for row in http.get("/v1/wings").json() if row["name"] == wing)
    assert (listed["wing_type"], listed["rooms"], listed["closets"], listed["drawers"]) == ("person", 1, 1, 1)
    (tools,) = http.get("/v1/rooms", params={"wing": wing}).json()
    assert (tools["name"], tools["wing"], tools["hall_type"], tools["drawers"]) == ("tools", wing, "advice", 1)
    assert http.delete("/v1/rooms/tools", params={"wing": wing}).json() == {"deleted": 1, "facts": 0}
    assert http.post("/v1/wings", json={"name": wing}).status_code == 200
    add(http, "hammer and nails", wing, "tools")
    assert http.delete(f"/v1/wings/{wing}").json() == {"deleted": 1, "facts": 0}
    failure(http.get("/v1/rooms", params={"wing": wing}), 404, "NOT_FOUND")


def test_names_with_a_slash_can_be_removed_again(http: httpx.Client, wing: str) -> None:
    slashed = f"{wing}/a"
    add(http, "in a folder of a folder", slashed, "src/lib")
    assert http.delete("/v1/rooms/src%2Flib", params={"wing": slashed}).json() == {"deleted": 1, "facts": 0}
    add(http, "in a folder of a folder", slashed, "src/lib")
    assert http.delete(f"/v1/wings/{slashed.replace('/', '%2F')}").json() == {"deleted": 1, "facts": 0}


def test_palaces_are_made_listed_and_dropped_and_keep_to_themselves(http: httpx.Client, wing: str) -> None:
    name = spare_name()
    assert http.post("/v1/palaces", json={"name": name}).json() == {"name": name, "created": True}
    assert http.post("/v1/palaces", json={"name": name}).json() == {"name": name, "created": False}
    add(http, "only beside", wing, palace=name)
    assert found(http, query="only beside", palace=name) == ["only beside"]
    assert "only beside" not in found(http, query="only beside")
    listed = next(row for row in http.get("/v1/palaces").json() if row["name"] == name)
    assert (listed["wings"], listed["drawers"], listed["model"], listed["dimension"]) == (1, 1, "words", 384)
    assert http.delete(f"/v1/palaces/{name}?confirm={name}").json()["deleted"] >= 5
    failure(http.delete(f"/v1/palaces/{name}?confirm={name}"), 404, "NOT_FOUND")
    failure(http.post("/v1/search", json={"query": "only", "palace": name}), 404, "NOT_FOUND")


def test_a_palace_is_dropped_only_if_its_name_is_given_twice(http: httpx.Client, own: Settings) -> None:
    name = own.palace.name
    for given in ({}, {"confirm": ""}, {"confirm": "true"}, {"confirm": f"{name}_"}):
        message = failure(http.delete(f"/v1/palaces/{name}", params=given), 422, "VALIDATION_ERROR")["message"]
        assert message.startswith(f"confirm is '{given.get('confirm', '')}'; ")
        assert f"?confirm={name}" in message
    assert name in [row["name"] for row in http.get("/v1/palaces").json()]


def test_a_tool_that_tries_all_examples_removes_nothing_of_the_users(http: httpx.Client, own: Settings) -> None:
    add(http, "mine", "python", "decorators")
    schema = http.get("/openapi.json").json()
    examples = set(_examples(schema))
    assert {"python", "decorators"} <= examples
    assert not {Settings().palace.name, "lab"} & examples
    before = http.get("/v1/wings").json()
    for path, ways in schema["paths"].items():
        for example in examples if "delete" in ways else ():
            parameters = ways["delete"].get("parameters", [])
            shown = {one["name"]: one["schema"]["examples"][0] for one in parameters if "examples" in one["schema"]}
            required = {one["name"]: example for one in parameters if one["required"] and one["in"] == "query"}
            for value in (example, own.palace.name):
                http.delete(re.sub(r"{.*?}", value, path), params=required | shown)
    assert http.get("/v1/wings").json() == before


def _examples(of: Any) -> Iterator[str]:
    """Give every text that stands in an example of a description."""
    if isinstance(of, dict):
        yield from _texts(of.get("examples"))
    for one in of.values() if isinstance(of, dict) else of if isinstance(of, list) else ():
        yield from _examples(one)


def _texts(of: Any) -> Iterator[str]:
    if isinstance(of, str):
        yield of
    for one in of.values() if isinstance(of, dict) else of if isinstance(of, list) else ():
        yield from _texts(one)


def test_what_was_just_stored_is_found_at_once_with_its_reasons(http: httpx.Client, wing: str) -> None:
    for number in range(3):
        text = f"quicksilver{number} {uuid.uuid4().hex}"
        drawer = add(http, text, wing, source_uri="https://example.org/q", title="Q")
        answer = http.post("/v1/search", json={"query": text, "top_k": 1}).json()
        assert answer["count"] == 1
        (hit,) = answer["hits"]
        assert (hit["id"], hit["text"], hit["source"]["uri"]) == (drawer["id"], text, "https://example.org/q")
        assert set(hit["lanes"]) == {"fulltext", "semantic"}
        assert [step["kind"] for step in hit["path"]] == ["Palace", "Wing", "Room", "Closet", "Drawer"]
        assert set(answer["timings_ms"]) >= {"semantic", "fulltext", "total"}


def test_each_filter_leaves_out_what_it_should(http: httpx.Client, wing: str) -> None:
    other = f"{wing} other"
    add(http, "tea in spring", wing, "kitchen", occurred_at="2020-03-01T12:00:00Z")
    add(http, "tea in summer", wing, "garden", occurred_at="2020-07-01T12:00:00Z")
    add(http, "tea in autumn", other, "kitchen", occurred_at="2020-10-01T12:00:00+02:00")

    def tea(**filters: Any) -> set[str]:
        return set(found(http, query="tea", top_k=200, **filters))

    assert tea(wing=wing) == {"tea in spring", "tea in summer"}
    assert tea(wing=wing, room="kitchen") == {"tea in spring"}
    assert tea(room="kitchen") >= {"tea in spring", "tea in autumn"}
    assert "tea in summer" not in tea(room="kitchen")
    year = {"since": "2020-01-01T00:00:00Z", "until": "2021-01-01T00:00:00Z"}
    assert tea(**year) == {"tea in spring", "tea in summer", "tea in autumn"}
    assert tea(**year | {"since": "2020-07-01T12:00:00Z"}) == {"tea in summer", "tea in autumn"}
    assert tea(**year | {"until": "2020-07-01T12:00:00Z"}) == {"tea in spring"}
    assert tea(wing=wing, **year | {"since": "2020-04-01T00:00:00Z"}) == {"tea in summer"}


def test_any_time_that_utc_has_is_kept_and_found(http: httpx.Client, wing: str) -> None:
    times = ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2020-01-01T12:00:00", "2020-01-01T12:00:00+23:59"]
    for time in times:
        add(http, f"said {time}", wing, occurred_at=time)
    assert len(found(http, query="said", wing=wing, since="0001-01-01T00:00:00+14:00")) == 4
    middle = {"since": "2019-12-30T00:00:00Z", "until": "2020-01-03T00:00:00Z"}
    assert set(found(http, query="said", wing=wing, **middle)) == {f"said {time}" for time in times[2:]}
    for time in ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"):
        refused = http.post("/v1/drawers", json={"text": "t", "wing": wing, "occurred_at": time})
        assert "occurred_at is" in failure(refused, 422, "VALIDATION_ERROR")["message"]


def test_a_question_may_be_an_embedding(http: httpx.Client, wing: str) -> None:
    add(http, "violet thunder", wing)
    add(http, "green silence", wing)
    vector = WordEmbedder().embed(["violet thunder"])[0].tolist()
    answer = http.post("/v1/search", json={"query_embedding": vector, "wing": wing, "top_k": 1}).json()
    assert answer["hits"][0]["text"] == "violet thunder"
    assert set(answer["hits"][0]["lanes"]) == {"semantic"}


def test_a_drawer_may_bring_its_own_embedding(http: httpx.Client, wing: str) -> None:
    vector = WordEmbedder().embed(["crimson"])[0].tolist()
    add(http, "a picture without words", wing, embedding=vector)
    add(http, "another text", wing)
    assert found(http, query="crimson", wing=wing)[0] == "a picture without words"


def test_another_service_sees_a_new_drawer_within_two_seconds(
    http: httpx.Client, guarded: httpx.Client, wing: str
) -> None:
    add(http, "first of all", wing)
    assert found(guarded, query="first", wing=wing) == ["first of all"]  # it has the palace in memory now
    drawer = add(http, "told to the other one", wing)
    until(lambda: "told to the other one" in found(guarded, query="told other", wing=wing), seconds=2)
    http.delete(f"/v1/drawers/{drawer['id']}")
    until(lambda: "told to the other one" not in found(guarded, query="told other", wing=wing), seconds=2)


SEARCH_MISTAKES = [
    ({"query": ""}, 422, "EMPTY_QUERY", ["query"]),
    ({"query": " \n"}, 422, "EMPTY_QUERY", ["query"]),
    ({}, 422, "EMPTY_QUERY", ["query"]),
    ({"query": "x", "wing": "no such wing"}, 404, "NOT_FOUND", ["wing", "'no such wing'"]),
    ({"query": "x", "room": "no such room"}, 404, "NOT_FOUND", ["room", "'no such room'"]),
    ({"query": "x", "palace": "nowhere"}, 404, "NOT_FOUND", ["palace", "'nowhere'"]),
    ({"query": "x", "palace": "No Where"}, 422, "VALIDATION_ERROR", ["palace", "'No Where'", "a-z"]),
    ({"query": "x", "palace": ""}, 422, "VALIDATION_ERROR", ["palace", "''"]),
    ({"query_embedding": [1.0, 2.0]}, 422, "WRONG_DIMENSION", ["query_embedding", "2", "384"]),
    ({"query_embedding": [0.0] * 384}, 422, "WRONG_DIMENSION", ["query_embedding", "zero"]),
    ({"query": "x", "top_k": 0}, 422, "VALIDATION_ERROR", ["top_k", "is 0", "1"]),
    ({"query": "x", "top_k": 201}, 422, "VALIDATION_ERROR", ["top_k", "is 201", "200"]),
    ({"query": "x", "top_k": "many"}, 422, "VALIDATION_ERROR", ["top_k", "'many'"]),
    ({"query": "x", "top_k": True}, 422, "VALIDATION_ERROR", ["top_k is True", "a whole number"]),
    ({"query": "x", "top_k": "5"}, 422, "VALIDATION_ERROR", ["top_k is '5'", "a whole number"]),
    ({"query": "x", "rerank": 1}, 422, "VALIDATION_ERROR", ["rerank is 1", "true or false"]),
    ({"query": "x", "unlearned": "yes"}, 422, "VALIDATION_ERROR", ["unlearned is 'yes'", "true or false"]),
    ({"query": "x", "weights": {"semantic": True}}, 422, "VALIDATION_ERROR", ["weights.semantic is True", "number"]),
    ({"query_embedding": ["1"] * 384}, 422, "VALIDATION_ERROR", ["query_embedding.0 is '1'", "a number"]),
    ({"query_embedding": [True] * 384}, 422, "VALIDATION_ERROR", ["query_embedding.0 is True", "a number"]),
    ({"query": "x", "since": 5}, 422, "VALIDATION_ERROR", ["since is 5", "2026-05-31T12:00:00Z"]),
    ({"query": "x", "colour": "red"}, 422, "VALIDATION_ERROR", ["colour", "'red'"]),
    ({"query": "x", "since": "yesterday"}, 422, "VALIDATION_ERROR", ["since", "'yesterday'"]),
    (
        {"query": "x", "since": "2021-01-01T00:00:00Z", "until": "2020-01-01T00:00:00Z"},
        422,
        "VALIDATION_ERROR",
        ["since", "2021-01-01", "until", "2020-01-01"],
    ),
    ({"query": "x", "since": "0001-01-01T00:00:00"}, 422, "VALIDATION_ERROR", ["since", "0001-01-01"]),
]


@pytest.mark.parametrize(
    ("body", "status", "code", "words"), SEARCH_MISTAKES, ids=[str(m[0])[:50] for m in SEARCH_MISTAKES]
)
def test_a_question_that_cannot_be_answered_is_refused_with_field_and_value(
    http: httpx.Client, body: dict[str, Any], status: int, code: str, words: list[str]
) -> None:
    message = failure(http.post("/v1/search", json=body), status, code)["message"]
    assert all(word in message for word in words), message


@pytest.mark.parametrize("line", [2**53, 2**63, 10**30, 0, -1])
def test_a_line_number_that_no_text_has_is_refused(http: httpx.Client, line: int) -> None:
    passage = {"text": "The gate is open.", "start_line": line, "end_line": line}
    document = {"uri": "file:///a", "title": "a", "media_type": "text/plain", "content_hash": "0" * 32}
    body = {"documents": [document | {"passages": [passage]}], "wing": "gate"}
    message = failure(http.post("/v1/ingest/documents", json=body), 422, "VALIDATION_ERROR")["message"]
    assert f"start_line is {line}" in message


DRAWER_MISTAKES = [
    ({"wing": "w"}, 422, "VALIDATION_ERROR", ["text", "required"]),
    ({"text": " ", "wing": "w"}, 422, "VALIDATION_ERROR", ["text", "blank"]),
    ({"text": "t", "wing": " w"}, 422, "VALIDATION_ERROR", ["wing", "' w'"]),
    ({"text": "t", "wing": "\u200b"}, 422, "VALIDATION_ERROR", ["wing", "no visible character"]),
    ({"text": "t", "wing": "w\n"}, 422, "VALIDATION_ERROR", ["wing", r"'w\n'"]),
    ({"text": "t", "wing": "w", "room": "a\x1b[2J"}, 422, "VALIDATION_ERROR", ["room", "control characters"]),
    ({"text": "t", "wing": "w", "title": " "}, 422, "VALIDATION_ERROR", ["title", "' '"]),
    ({"text": "t", "wing": "w", "source_uri": "a\0"}, 422, "VALIDATION_ERROR", ["source_uri", "control characters"]),
    ({"text": "t", "wing": "w", "author": ""}, 422, "VALIDATION_ERROR", ["author"]),
    ({"text": "t", "wing": "w" * 201}, 422, "VALIDATION_ERROR", ["wing", "200"]),
    ({"text": "t", "wing": "w", "importance": 1.5}, 422, "VALIDATION_ERROR", ["importance", "1.5"]),
    ({"text": "t", "wing": "w", "importance": True}, 422, "VALIDATION_ERROR", ["importance is True", "a number"]),
    ({"text": "t", "wing": "w", "occurred_at": True}, 422, "VALIDATION_ERROR", ["occurred_at is True", "as text"]),
    ({"text": "t", "wing": "w", "embedding": [1]}, 422, "WRONG_DIMENSION", ["embedding", "1", "384"]),
    ({"text": "t", "wing": "w", "occurred_at": "0000-13-45"}, 422, "VALIDATION_ERROR", ["occurred_at", "0000-13-45"]),
    ({"text": "t" * 1_000_001, "wing": "w"}, 422, "VALIDATION_ERROR", ["text", "1000000"]),
]


@pytest.mark.parametrize(
    ("body", "status", "code", "words"), DRAWER_MISTAKES, ids=[str(m[0])[:50] for m in DRAWER_MISTAKES]
)
def test_a_drawer_that_cannot_be_kept_is_refused_with_field_and_value(
    http: httpx.Client, body: dict[str, Any], status: int, code: str, words: list[str]
) -> None:
    message = failure(http.post("/v1/drawers", json=body), status, code)["message"]
    assert all(word in message for word in words), message
    assert len(message) < 500


RAW_MISTAKES = [
    b"{",
    b"",
    b"[]",
    b"null",
    b'{"query": "\xff"}',
    b'{"query": "\\ud800"}',
    b'{"query": "x", "top_k": NaN}',
    b'{"query_embedding": [NaN]}',
    b'{"query_embedding": [1e999]}',
    b'{"query": "x", "top_k": 1' + b"0" * 5000 + b"}",
    b'{"query_embedding": [1' + b"0" * 400 + b"]}",
    b"[" * 100_000,
]


@pytest.mark.parametrize("body", RAW_MISTAKES, ids=[repr(body[:30]) for body in RAW_MISTAKES])
def test_a_body_that_is_no_good_json_is_refused_in_the_one_shape(http: httpx.Client, body: bytes) -> None:
    response = http.post("/v1/search", content=body, headers={"Content-Type": "application/json"})
    assert response.status_code in (400, 422), response.text
    failure(response, response.status_code, response.json()["error"]["code"])
    assert response.json()["error"]["message"]


def test_a_list_is_refused_with_field_and_value(http: httpx.Client) -> None:
    error = failure(http.get("/v1/drawers", params={"limit": 201}), 422, "VALIDATION_ERROR")
    assert "limit is 201" in error["message"]
    assert "'atlantis'" in failure(http.get("/v1/drawers", params={"wing": "atlantis"}), 404, "NOT_FOUND")["message"]
    assert "'atlantis'" in failure(http.get("/v1/rooms", params={"wing": "atlantis"}), 404, "NOT_FOUND")["message"]
    assert "'At'" in failure(http.get("/v1/wings", params={"palace": "At"}), 422, "VALIDATION_ERROR")["message"]
    for nameless in ("", " ", "\x7f"):
        failure(http.post("/v1/wings", json={"name": nameless}), 422, "VALIDATION_ERROR")
        failure(http.post("/v1/rooms", json={"wing": "w", "name": nameless}), 422, "VALIDATION_ERROR")
        failure(http.post("/v1/rooms", json={"wing": nameless, "name": "r"}), 422, "VALIDATION_ERROR")
    assert "'At'" in failure(http.post("/v1/palaces", json={"name": "At"}), 422, "VALIDATION_ERROR")["message"]


def test_an_unknown_route_and_a_wrong_method_are_named(http: httpx.Client) -> None:
    assert "/v1/nowhere" in failure(http.get("/v1/nowhere"), 404, "NOT_FOUND")["message"]
    wrong = http.put("/v1/search", json={})
    assert "PUT" in failure(wrong, 405, "METHOD_NOT_ALLOWED")["message"]
    assert wrong.headers["allow"] == "POST"


@pytest.mark.parametrize("chunked", [False, True], ids=["declared", "chunked"])
def test_too_large_a_body_is_refused(guarded: httpx.Client, chunked: bool) -> None:
    body = json.dumps({"query": "x" * 2**20}).encode()
    content = (body[at : at + 65536] for at in range(0, len(body), 65536)) if chunked else body
    response = guarded.post("/v1/search", content=content, headers={"Content-Type": "application/json"})
    assert "max_body_mb" in failure(response, 413, "ENTITY_TOO_LARGE")["message"]
    assert guarded.get("/v1/palaces").status_code == 200


@pytest.mark.parametrize(
    "given", [None, "Bearer open", "Bearer", "sesame", "Basic sesame", "Bearer sesame2", "Bearer ñ"]
)
def test_without_the_key_nothing_but_health_is_answered(guarded: httpx.Client, given: str | None) -> None:
    headers = {"Authorization": given.encode("utf-8")} if given else {}
    with httpx.Client(base_url=guarded.base_url, headers=headers) as stranger:
        for path in ("/v1/palaces", "/metrics", "/openapi.json", "/docs", "/nowhere"):
            refused = stranger.get(path)
            failure(refused, 401, "UNAUTHORIZED")
            assert refused.headers["www-authenticate"] == "Bearer"
        assert stranger.get("/health/live").status_code == 200
        assert stranger.get("/health/ready").status_code == 200


def test_with_the_key_requests_are_answered(guarded: httpx.Client) -> None:
    assert guarded.get("/v1/palaces").status_code == 200
    assert guarded.get("/v1/palaces", headers={"Authorization": "bearer sesame"}).status_code == 200


def test_without_a_database_the_service_lives_and_says_what_is_missing(own: Settings) -> None:
    nowhere = changed(own, neo4j={"uri": "bolt://127.0.0.1:9", "password": SecretStr("none")})
    with served(nowhere, ready=False) as client:
        assert client.get("/health/live").json() == {"status": "live"}
        until(lambda: "9" in client.get("/health/ready").json()["reason"], seconds=10)
        ready = client.get("/health/ready")
        assert ready.status_code == 503
        assert (ready.json()["status"], ready.json()["database"]) == ("not ready", "down")
        for response in (
            client.get("/v1/palaces"),
            client.get("/v1/drawers/none"),
            client.post("/v1/search", json={"query": "x"}),
            client.post("/v1/drawers", json={"text": "x", "wing": "w"}),
        ):
            assert "bolt://127.0.0.1:9" in failure(response, 503, "DATABASE_UNAVAILABLE")["message"]
            assert response.headers["retry-after"] == "1"
        assert client.get("/metrics").status_code == 200


def test_readiness_tells_database_schema_indexes_and_model(http: httpx.Client, own: Settings) -> None:
    report = http.get("/health/ready").json()
    assert (report["status"], report["database"], report["schema"], report["indexes"]) == ("ready", "up", "current", {})
    assert own.palace.name in report["palaces_in_memory"]
    assert report["embedding_model"] == "loaded"


class LateEmbedder(WordEmbedder):
    """Is there once it is let, and fails until it is mended."""

    def __init__(self) -> None:
        super().__init__()
        self.there, self.broken = threading.Event(), True

    def embed(self, texts: Sequence[str]) -> Matrix:
        self.there.wait(30)
        if self.broken:
            raise EmbeddingFailed("the endpoint is down")
        return super().embed(texts)


def test_ready_means_that_the_first_question_need_not_wait_for_the_model(
    own: Settings, http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "WarmUp", partial(WarmUp, retry_s=0.1))
    embedder = LateEmbedder()
    with served(own, ready=False, embedder=embedder) as client:
        until(lambda: client.get("/health/ready?lenient").status_code == 200, seconds=30)
        loading = client.get("/health/ready")
        assert (loading.status_code, loading.headers["retry-after"]) == (503, "1")
        assert (loading.json()["database"], loading.json()["embedding_model"]) == ("up", "loading")
        assert "?lenient" in loading.json()["reason"]
        assert client.get("/health/ready", params={"lenient": "false"}).status_code == 503
        failure(client.get("/health/ready?lenient=perhaps"), 422, "VALIDATION_ERROR")
        embedder.there.set()
        until(lambda: "the endpoint is down" in client.get("/health/ready").json()["reason"], seconds=10)
        embedder.broken = False
        until(lambda: client.get("/health/ready").status_code == 200, seconds=10)
        assert client.get("/health/ready").json()["embedding_model"] == "loaded"


def test_ready_means_that_what_is_usually_asked_was_asked(
    own: Settings, http: httpx.Client, wing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(http, "The ferry leaves at noon.", wing)
    asked: list[str] = []
    may_ask = threading.Event()
    search = Recall.search

    async def noted(recall: Recall, palace: str, request: SearchRequest) -> Any:
        await asyncio.to_thread(may_ask.wait, 30)
        asked.append(request.query)
        return await search(recall, palace, request)

    monkeypatch.setattr(Recall, "search", noted)
    with served(own, ready=False) as client:
        until(lambda: client.get("/health/ready?lenient").status_code == 200, seconds=30)
        until(lambda: "usual questions" in client.get("/health/ready").json()["reason"], seconds=30)
        may_ask.set()
        until(lambda: client.get("/health/ready").status_code == 200, seconds=30)
        assert len(asked) > 1
        drawers = client.get("/v1/drawers", params={"limit": 200}).json()["drawers"]
        texts = [" ".join(re.findall(r"[^\W\d_]{3,}", drawer["text"])) for drawer in drawers]
        assert all(any(f"{text} ".startswith(f"{question} ") for text in texts) for question in asked[1:])


def test_metrics_count_requests_by_route_and_not_by_path(http: httpx.Client, wing: str) -> None:
    drawer = add(http, "counted", wing)["id"]
    http.get(f"/v1/drawers/{drawer}").raise_for_status()
    metrics = http.get("/metrics")
    assert metrics.headers["content-type"].startswith("text/plain")
    wanted = 'graphpalace_http_requests_total{method="GET",route="/v1/drawers/{drawer}",status="200"}'
    assert wanted in metrics.text
    assert drawer not in metrics.text


def test_a_request_id_is_given_back_if_it_is_a_plain_one(http: httpx.Client) -> None:
    assert http.get("/health/live", headers={"X-Request-ID": "trace-1.a"}).headers["x-request-id"] == "trace-1.a"
    for bad in ("two words", "x" * 129, "<b>"):
        given = http.get("/v1/nowhere", headers={"X-Request-ID": bad}).headers["x-request-id"]
        assert given != bad
        assert len(given) == 32


def test_an_unexpected_error_has_the_one_shape_and_an_id_but_no_inner_details(settings: Settings) -> None:
    app = create_app(settings, embedder=WordEmbedder())

    @app.get("/boom")
    async def boom() -> None:
        raise RuntimeError("the password is xyzzy")

    transport = httpx.ASGITransport(app, raise_app_exceptions=False)

    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.get("/boom", headers={"X-Request-ID": "boom-1"})

    import asyncio

    response = asyncio.run(ask())
    assert "xyzzy" not in failure(response, 500, "INTERNAL_ERROR")["message"]
    assert response.headers["x-request-id"] == "boom-1"


def test_the_page_that_describes_the_service_asks_no_outside_host(http: httpx.Client) -> None:
    page = http.get("/docs").text
    parts = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert len(parts) >= 2
    for part in parts:
        assert part.startswith("/")
        assert http.get(part).status_code == 200
    assert "https://" not in page


def test_openapi_has_examples_and_the_error_shape(http: httpx.Client) -> None:
    schema = http.get("/openapi.json").json()
    schemas = schema["components"]["schemas"]
    for name in ("SearchQuery", "DrawerRequest", "NewWing", "NewRoom", "NewPalace"):
        properties = schemas[name]["properties"].values()
        assert "examples" in schemas[name] or any("examples" in one for one in properties), name
    assert set(schemas["ErrorBody"]["properties"]) == {"code", "message", "detail", "request_id"}
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            assert operation.get("description"), f"{method} {path} is not described"
            if path.startswith("/v1/"):
                for status in ("401", "404", "422", "503"):
                    content = operation["responses"][status]["content"]["application/json"]
                    assert content["schema"]["$ref"].endswith("/ErrorEnvelope"), f"{method} {path} {status}"
    for listed in ("/v1/wings", "/v1/rooms", "/v1/palaces"):
        answer = schema["paths"][listed]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        assert "$ref" in answer["items"], f"{listed} does not say what it lists"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "palace.example.org"])
def test_others_may_reach_the_service_only_with_a_key(settings: Settings, host: str) -> None:
    with pytest.raises(SettingsInvalid) as refused:
        create_app(changed(settings, service={"host": host}))
    assert host in refused.value.message
    create_app(changed(settings, service={"host": host, "api_key": SecretStr("sesame")}))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_on_loopback_no_key_is_needed(settings: Settings, host: str) -> None:
    create_app(changed(settings, service={"host": host}))
