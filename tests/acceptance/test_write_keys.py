"""A write that is sent again with the same Idempotency-Key is done once, whatever it writes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from graphpalace.app import GraphPalace
from graphpalace.domain.vectors import Matrix
from graphpalace.settings.load import Settings
from graphpalace.store.palaces.write_keys import WriteKeyStore
from tests.acceptance.served import failure, served
from tests.words import WordEmbedder

REPLAYED = "idempotency-replayed"


class HeldEmbedder(WordEmbedder):
    """An embedder that waits where a text says so."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.go_on = threading.Event(), threading.Event()

    def embed(self, texts: Any) -> Matrix:
        if any("wait" in text for text in texts):
            self.begun.set()
            assert self.go_on.wait(30)
        return super().embed(texts)


@pytest.fixture(scope="module")
def embedder() -> HeldEmbedder:
    return HeldEmbedder()


@pytest.fixture(scope="module")
def one(settings: Settings, embedder: HeldEmbedder) -> Iterator[httpx.Client]:
    with served(settings, embedder=embedder) as client:
        yield client


@pytest.fixture(scope="module")
def other(settings: Settings) -> Iterator[httpx.Client]:
    """Another service on the same database, which knows nothing of the first one's requests."""
    with served(settings) as client:
        yield client


def send(client: httpx.Client, key: str, method: str, path: str, **parts: Any) -> httpx.Response:
    return client.request(method, path, headers={"Idempotency-Key": key}, **parts)


def ask(client: httpx.Client, method: str, path: str, **parts: Any) -> httpx.Response:
    return client.request(method, path, **parts)


async def nodes(app: GraphPalace, palace: str) -> int:
    return (await app.palaces.shape.stats(palace)).nodes["Drawer"]


async def test_a_text_that_is_sent_again_gets_the_first_answer_and_stays_deleted(
    one: httpx.Client, other: httpx.Client, palace: str
) -> None:
    body = {"palace": palace, "text": "the door code is 4711", "wing": "home"}
    first = send(one, "k1", "POST", "/v1/drawers", json=body)
    assert (first.status_code, first.json()["created"]) == (201, True)
    for client in (one, other):
        again = send(client, "k1", "POST", "/v1/drawers", json=body)
        assert (again.status_code, again.json()) == (201, first.json())
    assert send(one, "k2", "POST", "/v1/drawers", json=body).json()["created"] is False

    unlike = {"palace": palace, "text": "the window code is 4712", "wing": "home", "unless_similar": 0.99}
    for client in (one, other):  # the same request is not found similar to itself, but another one is
        added = send(client, "k6", "POST", "/v1/drawers", json=unlike)
        assert (added.status_code, added.json()["created"], added.json()["similar"]) == (201, True, None)
    found = send(other, "k7", "POST", "/v1/drawers", json=unlike)
    assert (found.status_code, found.json()["id"], found.json()["similar"]["how"]) == (200, added.json()["id"], "exact")

    many = {"palace": palace, "drawers": [{"text": f"note {at}", "wing": "home"} for at in range(3)]}
    stored = send(one, "k3", "POST", "/v1/drawers/batch", json=many)
    assert stored.json()["created"] == 3
    assert send(other, "k3", "POST", "/v1/drawers/batch", json=many).json() == stored.json()

    drawer = f"/v1/drawers/{first.json()['id']}"
    assert send(one, "k4", "DELETE", drawer, params={"palace": palace}).status_code == 204
    again = send(other, "k4", "DELETE", drawer, params={"palace": palace})
    assert (again.status_code, again.content, again.headers[REPLAYED]) == (204, b"", "true")
    assert failure(send(other, "k5", "DELETE", drawer, params={"palace": palace}), 404, "NOT_FOUND")
    failure(send(other, "k1", "POST", "/v1/drawers", json=body), 404, "NOT_FOUND")  # it was stored, and then deleted


async def test_a_change_that_is_sent_again_does_not_undo_a_later_one(
    one: httpx.Client, other: httpx.Client, palace: str
) -> None:
    drawer = ask(one, "POST", "/v1/drawers", json={"palace": palace, "text": "the code is 1", "wing": "home"}).json()[
        "id"
    ]
    earlier = {"palace": palace, "text": "the code is 2"}
    assert send(one, "k1", "PATCH", f"/v1/drawers/{drawer}", json=earlier).json()["text"] == "the code is 2"
    assert send(one, "k2", "PATCH", f"/v1/drawers/{drawer}", json=earlier | {"text": "the code is 3"}).is_success
    assert send(other, "k1", "PATCH", f"/v1/drawers/{drawer}", json=earlier).json()["text"] == "the code is 3"
    history = ask(one, "GET", f"/v1/drawers/{drawer}/history", params={"palace": palace}).json()["texts"]
    assert [text["text"] for text in history] == ["the code is 2", "the code is 1"]


async def test_entries_deposits_facts_names_and_feedback_are_each_done_once(
    one: httpx.Client, other: httpx.Client, palace: str, app: GraphPalace
) -> None:
    def twice(key: str, method: str, path: str, body: dict[str, Any], status: int = 200) -> Any:
        first = send(one, key, method, path, json={"palace": palace} | body)
        assert first.status_code == status, first.text
        for client in (one, other):
            again = send(client, key, method, path, json={"palace": palace} | body)
            assert (again.status_code, again.json()) == (status, first.json())
        return first.json()

    for searchable in (True, False):
        entry = {"text": f"tests pass {searchable}", "searchable": searchable}
        twice(f"entry {searchable}".replace(" ", "-"), "POST", "/v1/agents/Ann/diary", entry, 201)
    assert len(ask(one, "GET", "/v1/agents/Ann/diary", params={"palace": palace}).json()["entries"]) == 2

    drawer = ask(one, "POST", "/v1/drawers", json={"palace": palace, "text": "roses bloom", "wing": "w"}).json()
    way = [node["id"] for node in drawer["path"][1:]]
    assert twice("deposit", "POST", "/v1/pheromones/deposit", {"kind": "success", "nodes": way})["fresh"] is True
    warm = ask(one, "GET", "/v1/pheromones/hot", params={"palace": palace, "kind": "edge"}).json()["edges"]
    once_more = {"palace": palace, "kind": "success", "nodes": way}
    assert send(one, "deposit-2", "POST", "/v1/pheromones/deposit", json=once_more).json()["fresh"] is True
    warmer = ask(one, "GET", "/v1/pheromones/hot", params={"palace": palace, "kind": "edge"}).json()["edges"]
    assert warmer[0]["success"] > warm[0]["success"] * 1.5  # a deposit with another key counts

    twice("fact", "POST", "/v1/facts", {"subject": "Ann", "predicate": "likes", "object": "tea"})
    twice("facts", "POST", "/v1/facts", {"subject": "Anna", "predicate": "likes", "object": "coffee"})
    twice("merge", "POST", "/v1/names/merge", {"name": "Ann", "other": "Anna"})
    twice("split", "POST", "/v1/names/split", {"name": "Ann", "alias": "Anna"})
    twice("gone", "POST", "/v1/facts/invalidate", {"subject": "Anna", "predicate": "likes", "object": "coffee"})
    twice("wing", "POST", "/v1/wings", {"name": "empty"})
    messages = {"host": "h", "conversation": "c", "messages": [{"speaker": "user", "text": "hello there"}]}
    assert twice("said", "POST", "/v1/messages", messages)["drawers_created"] == 1
    assert await nodes(app, palace) == 3


async def test_a_key_belongs_to_one_request_in_one_palace_and_a_failed_one_may_be_sent_again(
    one: httpx.Client, other: httpx.Client, palace: str
) -> None:
    body = {"palace": palace, "text": "a text", "wing": "w"}
    assert send(one, "k", "POST", "/v1/drawers", json=body | {"text": " "}).status_code == 422
    assert send(one, "k", "POST", "/v1/drawers", json=body).status_code == 201
    for client in (one, other):
        for path, changed in (
            ("/v1/drawers", body | {"text": "another"}),
            ("/v1/wings", {"palace": palace, "name": "k"}),
        ):
            error = failure(send(client, "k", "POST", path, json=changed), 422, "KEY_REUSED")
            assert error["detail"] == {"field": "Idempotency-Key"}
    for key in ("", "two words", "x" * 201):
        error = failure(send(one, key, "POST", "/v1/drawers", json=body), 422, "VALIDATION_ERROR")
        assert error["detail"]["field"] == "Idempotency-Key"
    made = send(one, "k", "POST", "/v1/palaces", json={"name": f"{palace}x"})
    assert (made.json()["created"], send(other, "k", "POST", "/v1/palaces", json={"name": f"{palace}x"}).json()) == (
        True,
        made.json(),
    )
    assert send(one, "k", "POST", "/v1/drawers", json=body | {"palace": f"{palace}x"}).status_code == 201
    for client in (one, other):
        dropped = send(client, "drop", "DELETE", f"/v1/palaces/{palace}x", params={"confirm": f"{palace}x"})
        assert dropped.status_code == 200


async def test_a_request_that_is_still_in_progress_is_refused_and_two_services_do_it_once(
    one: httpx.Client, other: httpx.Client, palace: str, embedder: HeldEmbedder, app: GraphPalace
) -> None:
    body = {"palace": palace, "text": "owls wait for mice", "wing": "w"}
    answers: list[httpx.Response] = []
    waiting = threading.Thread(target=lambda: answers.append(send(one, "slow", "POST", "/v1/drawers", json=body)))
    waiting.start()
    try:
        assert embedder.begun.wait(30)
        refused = send(one, "slow", "POST", "/v1/drawers", json=body)
        failure(refused, 409, "STILL_IN_PROGRESS")
        assert refused.headers["retry-after"] == "1"
        quick = send(other, "slow", "POST", "/v1/drawers", json=body)  # another service does not wait for it
        assert quick.json()["created"] is True
    finally:
        embedder.go_on.set()
        waiting.join(30)
    assert (answers[0].status_code, answers[0].json()) == (201, quick.json())
    assert await nodes(app, palace) == 1


async def test_what_is_forgotten_leaves_no_answer_behind_and_old_keys_go(
    one: httpx.Client, palace: str, app: GraphPalace
) -> None:
    fact = {"palace": palace, "subject": "Zebulon", "predicate": "likes", "object": "tea"}
    assert send(one, "fact", "POST", "/v1/facts", json=fact).is_success
    body = {"palace": palace, "text": "Zebulon has the key", "wing": "w"}
    assert send(one, "text", "POST", "/v1/drawers", json=body).is_success
    kept = str(await app.database.read(palace, "tests/list_write_keys"))
    assert "Zebulon" in kept  # in the answer about the fact
    assert "has the key" not in kept
    assert ask(one, "POST", "/v1/forget", json={"palace": palace, "name": "Zebulon"}).json()["deleted"] == 1
    rows = await app.database.read(palace, "tests/list_write_keys")
    assert "Zebulon" not in str(rows)
    assert len(rows) == 2
    store = WriteKeyStore(app.database)
    assert await store.forget(keep_s=3600) == 0
    assert await store.forget(keep_s=0) >= 2
    assert not await app.database.read(palace, "tests/list_write_keys")
