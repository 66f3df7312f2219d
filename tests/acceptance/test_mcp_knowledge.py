"""The tools of the profile knowledge over MCP: facts with two times."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from fastmcp import Client

from graphpalace.app import GraphPalace
from graphpalace.domain.knowledge.fact_requests import NewFact, Supersession
from graphpalace.operations.drawers.drawers import NewDrawer
from tests.mcp_calls import call, server_of
from tests.spare_palaces import spare_name

NAMES = {
    "kg_add",
    "kg_supersede",
    "kg_invalidate",
    "kg_query",
    "kg_timeline",
    "kg_traverse",
    "kg_contradictions",
    "kg_stats",
}


@pytest.fixture(scope="module")
async def town(app: GraphPalace) -> AsyncIterator[str]:
    """A palace in which Ada moved from one firm to another; tests only repeat what it knows."""
    name = spare_name()
    await app.create_palace(name)
    drawer = (await app.drawers.add(name, NewDrawer(text="Ada works at Acme", wing="people", room="notes"))).drawer.id
    await app.knowledge.facts.add(name, NewFact("Ada", "works_at", "Acme", valid_from="2019", drawers=[drawer]))
    await app.knowledge.facts.supersede(name, Supersession("Ada", "works_at", "Initech", at="2023"))
    await app.knowledge.facts.add(name, NewFact("Bob", "knows", "Ada"))
    yield name
    await app.drop_palace(name)


@pytest.fixture
async def client(app: GraphPalace) -> AsyncIterator[Client[Any]]:
    async with Client(server_of(app, profile="core,knowledge")) as connected:
        yield connected


async def test_the_profile_has_the_tools_of_facts_by_their_names(client: Client[Any]) -> None:
    assert {tool.name for tool in await client.list_tools()} >= NAMES


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("kg_add", {"subject": "Bob", "predicate": "knows", "object": "Ada"}, {"created": False}),
        (
            "kg_supersede",
            {"subject": "Ada", "predicate": "works at", "object": "Initech", "at": "2023"},
            {"created": False, "replaced": []},
        ),
        ("kg_query", {"subject": "Ada", "as_of": "2020"}, {"more": False}),
        ("kg_query", {"predicate": "works_at", "object": "Acme", "known_at": "2019-01-01"}, {"facts": []}),
        ("kg_timeline", {"name": "Ada", "predicate": "works_at", "unlearned": True, "limit": 2}, {"more": True}),
        ("kg_timeline", {"name": "Ada", "known_at": "2019"}, {"facts": []}),
        ("kg_traverse", {"start": "Bob", "depth": 2, "predicate": "knows"}, {"start": "Bob", "more": False}),
        ("kg_traverse", {"start": "Acme", "as_of": "2020", "limit": 1}, {"more": True}),
        ("kg_contradictions", {"subject": "Ada", "predicate": "works_at"}, {"contradictions": [], "more": False}),
        ("kg_stats", {}, {"facts": 3, "current": 2, "invalidated": 1, "outdated": 1}),
    ],
)
async def test_each_tool_answers(
    client: Client[Any], town: str, tool: str, arguments: dict[str, Any], expected: dict[str, Any]
) -> None:
    answer = await call(client, tool, palace=town, **arguments)
    assert expected.items() <= answer.items(), answer


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("kg_add", {"subject": "Ada", "predicate": "likes"}, "object is missing"),
        ("kg_add", {"subject": "Ada", "predicate": "likes", "object": "tea", "confidence": 2}, "confidence is 2"),
        ("kg_add", {"subject": "Ada", "predicate": "likes", "object": "tea", "valid_from": "soon"}, "valid_from is 's"),
        ("kg_add", {"subject": "Ada", "predicate": "likes", "object": "tea", "drawers": ["x"]}, "drawer 'x' is not"),
        ("kg_add", {"subject": "Ada", "predicate": "likes", "object": "tea", "when": "2019"}, "when"),
        ("kg_supersede", {"subject": "Ada", "predicate": "works_at", "object": "X", "replaces": "Y"}, "replaces"),
        ("kg_invalidate", {}, "give either fact, or subject, predicate and object"),
        ("kg_invalidate", {"fact": "fact-x"}, "fact 'fact-x' is not in palace"),
        ("kg_query", {"subject": "Eve"}, "subject is 'Eve'"),
        ("kg_query", {"as_of": "someday"}, "as_of is 'someday'"),
        ("kg_query", {"limit": 0}, "limit is 0"),
        ("kg_timeline", {"name": ""}, "name"),
        ("kg_traverse", {"start": "Ada", "depth": 9}, "depth is 9"),
        ("kg_contradictions", {"predicate": "likes"}, "which the settings do not declare"),
        ("kg_stats", {"palace": "nowhere"}, "nowhere"),
    ],
)
async def test_what_is_wrong_is_said_with_what_would_be_right(
    client: Client[Any], town: str, tool: str, arguments: dict[str, Any], reason: str
) -> None:
    assert reason in (await call(client, tool, **{"palace": town} | arguments))["error"]


async def test_a_search_says_what_is_outdated_and_what_holds_within_its_budget(client: Client[Any], town: str) -> None:
    found = await call(client, "search", query="where does Ada work", palace=town)
    assert found["hits"][0]["outdated"] == "since 2023-01-01; now: Ada works_at Initech since 2023-01-01"
    assert found["facts"] == ["Ada works_at Initech since 2023-01-01", "Bob knows Ada"]
    whole = await call(client, "search", query="where does Ada work", palace=town, detail=True)
    assert whole["hits"][0]["outdated"]["replaced_by"]["object"] == "Initech"
    assert [fact["object"] for fact in whole["facts"]] == ["Initech", "Ada"]
    assert (await call(client, "search", query="where does Ada work", palace=town, as_of="2020"))["hits"] == []
    assert "as_of is 'soon'" in (await call(client, "search", query="Ada", palace=town, as_of="soon"))["error"]


async def test_what_writes_is_hidden_from_clients_that_only_read(app: GraphPalace) -> None:
    async with Client(server_of(app, profile="knowledge", read_only=True)) as reader:
        assert {tool.name for tool in await reader.list_tools()} == (NAMES | {"list_names", "show_name"}) - {
            "kg_add",
            "kg_supersede",
            "kg_invalidate",
        }
