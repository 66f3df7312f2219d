"""Every operation is tried across every border: who has no key, a wrong one, one for another place, or another role."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from graphpalace.settings.load import Settings
from tests.acceptance.access_requests import GHOST, Operation, operations
from tests.acceptance.served import changed, failure
from tests.access_table import OPEN, ROUTES, TOOLS, Needed
from tests.spare_palaces import spare_name

ROLES = ("read", "write", "admin")
WHERES = ("all", "palace", "wing", "other palace", "other wing")


@pytest.fixture(scope="module")
def own(settings: Settings) -> Settings:
    """Settings with a key, whose palace is used by these tests alone."""
    return changed(
        settings,
        palace={"name": spare_name()},
        decay={"enabled": False},
        service={"api_key": SecretStr("sesame")},
        rerank={"rate_limit_per_minute": 100_000},
        mcp={"profile": "all"},
    )


@pytest.fixture(scope="module")
def filled(own: Settings) -> str:
    """The name of the palace."""
    return own.palace.name


@dataclass(frozen=True)
class World:
    """A service with keys of each role for each place, and drawers in the wing and in another wing."""

    http: httpx.Client
    palace: str
    keys: Mapping[tuple[str, str], str]
    drawers: list[str]
    others: list[str]
    operations: Mapping[str, Operation]

    def ask(self, key: str | None, **request: Any) -> httpx.Response:
        """Send a request with a key, or with none."""
        headers = {"Authorization": f"Bearer {key}"} if key else {"Authorization": ""}
        return self.http.request(**request, headers=headers)

    def about(self, operation: Operation, drawer: str | None = None) -> dict[str, Any]:
        """Return a request about a drawer of the wing, which it may delete."""
        deletes = operation.label == "DELETE /v1/drawers/{drawer}"
        chosen = drawer or (self.drawers.pop() if deletes else self.drawers[0])
        return operation.about(chosen, chosen)


def key_of(http: httpx.Client, *grants: str, **more: Any) -> str:
    """Make a key and return it."""
    made = http.post("/v1/keys", json={"name": "somebody", "grants": grants} | more)
    assert made.status_code == 201, made.text
    return made.json()["key"]


@pytest.fixture(scope="module")
def world(http: httpx.Client, filled: str) -> World:
    """The service, its keys and its drawers."""
    anna, bob = (
        http.post("/v1/drawers/batch", json={"drawers": texts}).raise_for_status().json()["ids"]
        for texts in ([{"text": f"{word} {n}", "wing": wing} for n in range(20)] for word, wing in WORDS.items())
    )
    places = {
        "all": ["*"],
        "palace": [filled],
        "wing": [f"{filled}/anna", f"{filled}/{GHOST}"],
        "other palace": ["elsewhere"],
        "other wing": [f"{filled}/nobody"],
    }
    keys = {
        (role, where): key_of(http, *(f"{role}:{place}" for place in given))
        for role in ROLES
        for where, given in places.items()
    }
    described = http.get("/openapi.json").json()
    return World(http, filled, keys, anna, bob, {one.label: one for one in operations(described, filled)})


@pytest.fixture(scope="module")
def invalid(http: httpx.Client) -> list[str | None]:
    """No key, one that nobody made, one that was revoked, and one with a wrong secret."""
    made = http.post("/v1/keys", json={"name": "gone", "grants": ["admin:*"]}).json()
    other = http.post("/v1/keys", json={"name": "there", "grants": ["admin:*"]}).json()
    http.delete(f"/v1/keys/{made['id']}").raise_for_status()
    return [None, "guessed", made["key"], other["id"] + made["key"].removeprefix(made["id"])]


def crucial(needed: Needed) -> list[tuple[str, str]]:
    """Return the keys at the borders: where the place is enough, the role and the one below; elsewhere, every role."""
    enough = [where for where in WHERES if needed.given_by(needed.role, where)]
    below = ROLES[: ROLES.index(needed.role)][-1:]
    return [(role, where) for where in enough for role in (needed.role, *below)] + [
        ("admin", where) for where in WHERES if where not in enough
    ]


WORDS = {"radishes": "anna", "secret": "bob"}
FACT = {"subject": "Ann", "predicate": "knows", "object": "Bo"}
ARGUMENTS: dict[str, dict[str, Any]] = {
    "search": {"query": "radishes", "wing": "anna"},
    "add_drawer": {"text": " ", "wing": GHOST},
    "open_drawer": {"drawer": "DRAWER"},
    "feedback": {"run": "search-000000000000"},
    "update_drawer": {"drawer": "DRAWER", "importance": 0.5},
    "delete_drawer": {"drawer": "DRAWER"},
    "search_fulltext": {"q": "radishes"},
    "search_semantic": {"q": "radishes"},
    "run_multilane_search": {"lanes": [{"lane": "fulltext", "q": "radishes"}]},
    "rrf_blend_frontier": {"request": {"runs": [{"run_id_lane": "fulltext-0"}]}},
    "peek_snippets": {"run_id": "fusion-0"},
    "get_snippets": {"ids": ["JP1"]},
    "get_publication": {"ids": ["JP1"]},
    "mutate_run": {"run_id": "fusion-0", "delta": {"rrf_k": 10}},
    "get_provenance": {"run_id": "fusion-0"},
    "rerank": {"query": "x", "documents": [{"id": "a", "text": "x"}]},
    "kg_add": FACT,
    "kg_supersede": FACT,
    "kg_invalidate": FACT,
    "kg_timeline": {"name": "Ann"},
    "kg_traverse": {"start": "Ann"},
    "navigate": {"start": "anna", "goal": "bob"},
    "pheromone_deposit": {"nodes": [GHOST]},
    "explore": {"wing": GHOST},
    "list_rooms": {"wing": "anna"},
    "add_wing": {"name": GHOST},
    "add_room": {"wing": GHOST, "name": " "},
    "check_duplicate": {"text": "radishes", "wing": "anna"},
    "forget": {"wing": GHOST},
    "diary_write": {"agent": "nobody", "text": " "},
    "diary_read": {"agent": "nobody"},
    "simulation_run": {"name": GHOST},
    "simulation_get_results": {"name": GHOST},
    "simulation_findings": {"name": GHOST},
    "show_name": {"name": "Nobody"},
    "merge_names": {"name": "Nobody", "other": "None"},
    "split_name": {"name": "Nobody", "alias": "None"},
}


def test_every_route_is_in_the_table_and_no_other(world: World) -> None:
    assert world.operations.keys() == ROUTES.keys() | OPEN


@pytest.mark.parametrize("label", sorted(ROUTES))
def test_a_key_opens_what_its_role_and_its_place_allow_and_nothing_else(world: World, label: str) -> None:
    operation, needed = world.operations[label], ROUTES[label]
    for role, where in crucial(needed):
        answer = world.ask(world.keys[role, where], **world.about(operation))
        if needed.given_by(role, where):
            assert answer.status_code not in (401, 403), (role, where, answer.text)
            assert answer.status_code < 500 or answer.status_code == 502, (role, where, answer.text)
        else:
            detail = failure(answer, 403, "FORBIDDEN")["detail"]
            assert world.keys[role, where].startswith(f"{detail['key']}_")
            assert detail["needs"].startswith(needed.role), (role, where, detail)


@pytest.mark.parametrize("label", sorted(ROUTES))
def test_without_a_valid_key_nothing_is_open(world: World, invalid: list[str | None], label: str) -> None:
    for key in invalid:
        about = world.operations[label].about(world.drawers[0], world.drawers[0])
        failure(world.ask(key, **about), 401, "UNAUTHORIZED")


@pytest.mark.parametrize("label", sorted(label for label, needed in ROUTES.items() if needed.reach == "wing"))
def test_a_key_for_a_wing_opens_nothing_else_of_the_palace(world: World, label: str) -> None:
    operation, key = world.operations[label], world.keys["admin", "wing"]
    if "{drawer}" in operation.path or label == "POST /v1/feedback":
        there = world.ask(key, **operation.about(world.others[0], world.drawers[0]))
        nowhere = world.ask(key, **operation.about("drawer-00000000000000000000000000", world.drawers[0]))
        assert failure(there, 403, "FORBIDDEN") == failure(nowhere, 403, "FORBIDDEN")
    if operation.takes_wing:
        failure(world.ask(key, **operation.without_wing()), 403, "FORBIDDEN")


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_a_tool_of_mcp_opens_to_a_key_what_the_route_behind_it_opens(world: World, tool: str) -> None:
    needed = TOOLS[tool]
    for role, where in crucial(needed):
        error = failed_call(world, world.keys[role, where], tool)
        refused = "does not allow this" in error or "allows only reading" in error
        assert refused != needed.given_by(role, where), (role, where, error)


def test_every_tool_is_in_the_table_and_a_key_that_reads_sees_those_that_read(world: World) -> None:
    for key, writes in ((None, True), (world.keys["write", "wing"], True), (world.keys["read", "all"], False)):
        listed = mcp(world, key or "sesame", "tools/list", {})["tools"]
        assert all(tool["name"] in TOOLS for tool in listed)
        assert {tool["name"] for tool in listed} == {
            name for name, needed in TOOLS.items() if writes or needed.role == "read"
        }
    answer = world.ask(None, method="POST", url="/mcp", json={})
    failure(answer, 401, "UNAUTHORIZED")


MINE, THEIRS = "orchard", "vault"
TEXTS = [
    "the apple trees of the orchard were pruned in March",
    "Quill keeps the ladder behind the shed of the orchard",
    "pears and quinces ripen late, and the wasps come for them",
    "the zyzzyva is a beetle that was seen on the pears",
    "a long note on grafting: apple on quince, pear on quince, and why the orchard needs both kinds of root",
]
QUESTIONS = [
    {"query": "zyzzyva pears orchard"},
    {"query": "where does Quill keep the ladder?"},
    {"query": "xylography of zyzzyva in the Ballarat codex"},
    {"query": "apple quince grafting", "lanes": ["fulltext"]},
    {"query": "pears", "fusion": "rrf"},
    {"query": "who has the Ballarat ladder", "lanes": ["fulltext", "semantic", "mcmp"]},
    {"query": "orchard", "conversation": "my-agent/shared", "preset": "walk"},
]


def shown_to(world: World, key: str) -> list[Any]:
    """Return what the holder of a key for one wing is shown, without what every answer has new."""
    seen: list[Any] = []
    for question in QUESTIONS:
        about = {"palace": world.palace, "wing": MINE} | question
        answer = world.ask(key, method="POST", url="/v1/search", json=about).raise_for_status().json()
        assert answer.pop("run")
        assert list(answer.pop("timings_ms")) == ["total"]
        assert "entity" not in answer["plan"]["lanes"]
        seen.append(answer)
    for url in ("drawers", "rooms", "taxonomy", "wings", "palaces", "conversations", "conversations/my-agent/shared"):
        about = {"palace": world.palace, "wing": MINE}
        seen.append(world.ask(key, method="GET", url=f"/v1/{url}", params=about).raise_for_status().json())
    for change in ({"name": "Quill"}, {"pattern": "zyzzyva"}, {"conversation": "my-agent/shared"}):
        about = {"palace": world.palace, "wing": MINE, "dry_run": True} | change
        seen.append(world.ask(key, method="POST", url="/v1/forget", json=about).raise_for_status().json())
    scheme = [{"lop": "and", "field": "nosuch", "op": "eq", "value": "1"}]
    for more in ({"filters": scheme}, {"lanes": ["path"]}, {"lanes": ["entity", "fulltext"]}, {"rerank": True}):
        about = {"palace": world.palace, "wing": MINE, "query": "pears"} | more
        seen.append(failure(world.ask(key, method="POST", url="/v1/search", json=about), 422, "VALIDATION_ERROR"))
    twice = {"palace": world.palace, "wing": MINE, "text": TEXTS[3]}
    seen.append(world.ask(key, method="POST", url="/v1/drawers/check_duplicate", json=twice).json())
    return seen


def test_nothing_that_a_key_for_a_wing_is_shown_depends_on_other_wings(world: World) -> None:
    def add(texts: list[str], wing: str, **more: Any) -> list[str]:
        drawers = [{"text": text, "wing": wing} | more for text in texts]
        about = {"palace": world.palace, "drawers": drawers}
        return world.http.post("/v1/drawers/batch", json=about).raise_for_status().json()["ids"]

    def say(text: str, wing: str) -> None:
        said = [{"speaker": "Ann", "text": text, "time": "2026-05-31T09:00:00Z"}]
        about = {"palace": world.palace, "host": "my-agent", "conversation": "shared", "wing": wing, "messages": said}
        world.http.post("/v1/messages", json=about).raise_for_status()

    mine = add(TEXTS, MINE)
    say("the orchard is locked at night", MINE)
    key = key_of(world.http, f"write:{world.palace}/{MINE}")
    before = shown_to(world, key)
    answer = before[0]
    assert {hit["id"] for hit in answer["hits"]} >= {mine[2], mine[3]}
    assert answer["hits"][0]["id"] == mine[3]

    filled = add([f"zyzzyva number {n} of the Ballarat codex, with Quill and a ladder" for n in range(40)], THEIRS)
    add([f"apple orchard {n}" for n in range(30)], THEIRS, source_uri="file:///vault.md")
    say("the orchard is open at night", THEIRS)
    for fact in (("Quill", "lives_in", "Ballarat"), ("Quill", "owns", "Ladder")):
        about = dict(zip(("subject", "predicate", "object"), fact, strict=True)) | {"drawers": [filled[0], mine[1]]}
        world.http.post("/v1/facts", json=about | {"palace": world.palace}).raise_for_status()
    about = {"palace": world.palace}
    for text in ("zyzzyva", "where does Quill keep the ladder?", "pears"):
        asked = world.http.post("/v1/search", json=about | {"query": text, "top_k": 20}).raise_for_status().json()
        chosen = {"run": asked["run"], "useful": [asked["hits"][0]["id"]]}
        world.http.post("/v1/feedback", json=about | chosen).raise_for_status()
    world.http.post(f"/v1/drawers/{mine[0]}/superseded", json=about | {"new": filled[1]}).raise_for_status()
    after = shown_to(world, key)
    for was, now in zip(before, after, strict=True):
        assert now == was
    assert "'codex'" not in str(after)
    assert THEIRS not in str(after)


def test_names_that_callers_choose_do_not_tell_what_others_have(world: World) -> None:
    about = {"palace": world.palace, "useful": [world.drawers[0]], "query": "radishes", "wing": "anna"}
    key = world.keys["write", "wing"]
    assert world.http.post("/v1/feedback", json=about | {"id": "monday"}).raise_for_status().json()["fresh"]
    for fresh in (True, False):
        given = world.ask(key, method="POST", url="/v1/feedback", json=about | {"id": "monday"})
        assert given.raise_for_status().json()["fresh"] is fresh
    started = {"palace": world.palace, "wing": "anna", "query": "radishes", "max_iterations": 3}
    world.http.post("/v1/mcmp/start", params={"simulation": "garden"}, json=started).raise_for_status()
    for method, url in (("GET", "status"), ("POST", "stop"), ("GET", "doc/x"), ("GET", "results")):
        for where in ("other palace", "wing"):
            there, nowhere = (
                world.ask(world.keys["admin", where], method=method, url=f"/v1/mcmp/{url}", params={"simulation": name})
                for name in ("garden", "nothing")
            )
            refused = failure(there, 403, "FORBIDDEN")
            assert refused == failure(nowhere, 403, "FORBIDDEN")
            assert world.palace not in refused["detail"]["needs"]


def mcp(world: World, key: str, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Return the result of one request over MCP."""
    headers = {"Authorization": f"Bearer {key}", "Accept": "application/json, text/event-stream"}
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    answer = world.http.post("/mcp", json=body, headers=headers).raise_for_status()
    (data,) = (line.removeprefix("data:") for line in answer.text.splitlines() if line.startswith("data:"))
    return json.loads(data)["result"]


def failed_call(world: World, key: str, tool: str) -> str:
    """Call a tool about the palace, in a way that changes nothing; return what went wrong, or an empty text."""
    arguments = ARGUMENTS.get(tool, {}) | {"palace": world.palace}
    if tool.startswith("simulation_"):
        arguments = ARGUMENTS[tool] | ({"params": {"wing": GHOST}} if tool == "simulation_run" else {})
    arguments = {name: world.drawers[0] if value == "DRAWER" else value for name, value in arguments.items()}
    if tool == "delete_drawer":
        arguments["drawer"] = world.drawers.pop()
    if tool == "feedback":
        arguments["useful"] = [world.drawers[0]]
    result = mcp(world, key, "tools/call", {"name": tool, "arguments": arguments})
    shown = str(result.get("structuredContent", result["content"]))
    assert "Invalid arguments" not in shown
    return shown if result.get("isError") else ""
