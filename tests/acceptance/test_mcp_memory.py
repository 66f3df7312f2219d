"""The tools of the profile core: an agent remembers, finds, opens, says what helped, corrects and forgets."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from fastmcp import Client

from graphpalace.app import GraphPalace
from graphpalace.operations.drawers.drawers import NewDrawer
from tests.mcp_calls import call, server_of, text_of
from tests.spare_palaces import spare_name

LONG = "The harbour master keeps the keys of all boats in the red box. " * 30


@pytest.fixture(scope="module")
async def memory(app: GraphPalace) -> AsyncIterator[str]:
    """A palace of twenty long texts; no test changes them."""
    name = spare_name()
    await app.create_palace(name)
    for number in range(20):
        uri = f"file:///home/ana/notes/2026/harbour/berths/berth-{number}.md"
        text = f"{LONG}Berth {number} is for the ship of captain Ann. {LONG}"
        await app.drawers.add(name, NewDrawer(text=text, wing="harbour", room=f"quay{number % 3}", source_uri=uri))
    yield name
    await app.drop_palace(name)


@pytest.fixture
async def client(app: GraphPalace) -> AsyncIterator[Client[Any]]:
    async with Client(server_of(app, profile="core")) as connected:
        yield connected


@pytest.fixture
async def texts(app: GraphPalace) -> AsyncIterator[Client[Any]]:
    async with Client(server_of(app, profile="core", answers="text")) as connected:
        yield connected


async def test_a_call_with_a_key_in_its_metadata_is_done_once(client: Client[Any], palace: str) -> None:
    note = {"text": "Ana has a red bicycle.", "wing": "ana", "palace": palace}
    for _ in range(2):
        kept = await client.call_tool("add_drawer", note, meta={"idempotencyKey": "note-1"})
        assert kept.structured_content and kept.structured_content["created"] is True
    other = await client.call_tool(
        "add_drawer", note | {"wing": "b"}, meta={"idempotencyKey": "note-1"}, raise_on_error=False
    )
    assert "Idempotency-Key" in str(other.structured_content)


@pytest.mark.parametrize("name", ["a<b>", "&lt;b&gt;", "R&D", "x > &amp; <y"])
async def test_a_name_that_an_answer_quotes_is_known_as_it_was_quoted(
    client: Client[Any], app: GraphPalace, palace: str, name: str
) -> None:
    await app.drawers.add(palace, NewDrawer(text="The roof leaks.", wing=name, room=name))
    (wing,) = (await call(client, "get_taxonomy", palace=palace))["wings"]
    text = "Ben likes tea. &lt;"
    stored = await call(client, "add_drawer", text=text, wing=wing["name"], room=wing["name"], palace=palace)
    assert stored["place"] == f"{wing['name']}/{wing['name']}"
    found = await call(client, "search", query="who likes tea", wing=wing["name"], palace=palace)
    assert "Ben likes tea. &amp;lt;" in [hit["text"] for hit in found["hits"]]
    wings = await call(client, "get_taxonomy", palace=palace)
    assert [(wing["name"], wing["drawers"]) for wing in wings["wings"]] == [(stored["place"].split("/")[0], 2)]


async def test_an_agent_remembers_finds_opens_judges_and_forgets(client: Client[Any], palace: str) -> None:
    text = "Ana likes her tea without milk."
    stored = await call(client, "add_drawer", text=text, wing="ana", room="habits", palace=palace)
    assert (stored["place"], stored["created"]) == ("ana/habits", True)
    again = await call(client, "add_drawer", text=text, wing="ana", room="habits", palace=palace)
    assert again == stored | {"created": False}
    near = {"text": "Ana likes her tea without any milk.", "wing": "ana", "unless_similar": 0.7, "palace": palace}
    assert await call(client, "add_drawer", **near) == again
    found = await call(client, "search", query="how does Ana drink tea", palace=palace)
    assert [(hit["id"], hit["text"]) for hit in found["hits"]] == [(stored["id"], text)]
    opened = await call(client, "open_drawer", drawer=stored["id"], run=found["run"], palace=palace)
    assert (opened["text"], opened["place"]) == (text, "ana/habits")
    receipt = await call(client, "feedback", run=found["run"], useful=[stored["id"]], palace=palace)
    assert (receipt["useful"], receipt["fresh"]) == (1, True)
    corrected = {"drawer": stored["id"], "text": "Ana likes her tea with milk now."}
    changed = await call(client, "update_drawer", **corrected, palace=palace)
    assert changed == {"id": stored["id"], "place": "ana/habits"}
    assert (await call(client, "open_drawer", drawer=stored["id"], palace=palace))["text"] == corrected["text"]
    known = await call(client, "get_taxonomy", palace=palace)
    assert known["wings"] == [{"name": "ana", "type": "topic", "drawers": 1, "rooms": {"habits": 1}}]
    assert await call(client, "delete_drawer", drawer=stored["id"], palace=palace) == {"deleted": stored["id"]}
    assert (await call(client, "search", query="tea", palace=palace))["hits"] == []
    assert "error" in await call(client, "open_drawer", drawer=stored["id"], palace=palace)


async def test_ten_hits_fit_four_kilobytes_as_they_are_sent(
    client: Client[Any], texts: Client[Any], memory: str
) -> None:
    for one in (client, texts):
        result = await one.call_tool("search", {"query": "captain Ann berth 7", "palace": memory})
        sent = {"content": [part.model_dump(exclude_none=True, by_alias=True, mode="json") for part in result.content]}
        sent |= {"structuredContent": result.structured_content} if result.structured_content else {}
        assert len(json.dumps(sent, ensure_ascii=False).encode()) <= 4096
    found = await call(client, "search", query="captain Ann berth 7", palace=memory)
    assert len(found["hits"]) == 10
    assert all("captain Ann" in hit["text"] for hit in found["hits"])  # the passage that fits, not the beginning
    assert all(hit["source"].startswith("file:///home/ana") for hit in found["hits"])
    assert found["hits"] == sorted(found["hits"], key=lambda hit: -hit["score"])
    assert (await text_of(texts, "search", query="captain Ann berth 7", palace=memory))["hits"] == found["hits"]


async def test_a_budget_is_kept_and_what_it_leaves_out_is_counted(client: Client[Any], memory: str) -> None:
    for budget in (512, 1000, 3000, 20_000):
        found = await call(client, "search", query="captain Ann", palace=memory, top_k=20, budget_bytes=budget)
        assert len(json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode()) <= budget
        assert len(found["hits"]) + found.get("omitted", 0) == 20
    whole = await call(client, "search", query="captain Ann", palace=memory, top_k=2, detail=True)
    assert all(len(hit["text"]) > 2000 and hit["lanes"] for hit in whole["hits"])
    cut = await call(client, "search", query="Ann", palace=memory, top_k=20, detail=True, budget_bytes=9000)
    assert 0 < len(cut["hits"]) < 20
    assert len(cut["hits"]) + cut["omitted"] == 20
    known = await call(client, "get_taxonomy", palace=memory, budget_bytes=512)
    assert known["wings"][0]["rooms"] == {"quay0": 7, "quay1": 7, "quay2": 6}


async def test_rooms_and_times_narrow_a_search(client: Client[Any], palace: str) -> None:
    for year, room in ((2024, "old"), (2025, "new"), (2026, "new")):
        said = {"text": f"the bridge was painted in {year}", "occurred_at": f"{year}-05-01T00:00:00Z"}
        stored = await call(client, "add_drawer", **said, wing="town", room=room, palace=palace)
        assert stored.get("created"), stored

    async def years(**narrowed: Any) -> set[str]:
        found = await call(client, "search", query="the bridge was painted", palace=palace, **narrowed)
        return {hit["when"][:4] for hit in found["hits"]}

    assert await years() == {"2024", "2025", "2026"}
    assert await years(room="new", wing="town") == {"2025", "2026"}
    assert await years(since="2025-01-01") == {"2025", "2026"}
    assert await years(since="2025-01-01T00:00:00Z", until="2026-01-01") == {"2025"}


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("search", {}, "query is missing"),
        ("search", {"query": ""}, "query is empty"),
        ("search", {"query": "a", "top_k": 0}, "top_k is 0; it must be 1 to 200"),
        ("search", {"query": "a", "top_k": "5"}, "top_k is '5'; it must be a whole number"),
        ("search", {"query": "a", "wing": "nowhere"}, "wing 'nowhere'"),
        ("search", {"query": "a", "room": "nowhere"}, "room 'nowhere'"),
        ("search", {"query": "a", "since": "soon"}, "since is 'soon'"),
        ("search", {"query": "a", "since": "5"}, "for example 2026-05-31"),
        ("search", {"query": "a", "since": 5}, "for example 2026-05-31"),
        ("search", {"query": "a", "budget_bytes": 5}, "budget_bytes is 5"),
        ("search", {"query": "a", "limit": 5}, "limit is no argument of this tool"),
        ("search", {"query": "a", "palace": "nowhere"}, "nowhere"),
        ("add_drawer", {"text": "", "wing": "a"}, "text"),
        ("add_drawer", {"text": "a"}, "wing is missing"),
        ("add_drawer", {"text": "a", "wing": ""}, "wing"),
        ("add_drawer", {"text": "a", "wing": "a", "importance": 2}, "importance is 2"),
        ("open_drawer", {"drawer": "drawer-none"}, "drawer-none"),
        ("open_drawer", {"drawer": "drawer-none", "run": "search-none"}, "drawer-none"),
        ("feedback", {"run": "search-none", "useful": ["drawer-none"]}, "search-none"),
        ("feedback", {"run": "search-none"}, "useful"),
        ("feedback", {"run": "search-none", "useful": "drawer"}, "useful is 'drawer'; it must be a list"),
        ("update_drawer", {"drawer": "drawer-none", "text": "a"}, "drawer-none"),
        ("update_drawer", {"drawer": "drawer-none"}, "give text, title, author"),
        ("update_drawer", {"drawer": "drawer-none", "importance": -1}, "importance is -1"),
        ("delete_drawer", {"drawer": "drawer-none"}, "drawer-none"),
        ("get_taxonomy", {"wing": "nowhere"}, "wing 'nowhere'"),
        ("hot_paths", {}, "hot_paths is not in the profile core; choose the profile stigmergy"),
        ("remember", {}, "there is no tool 'remember'; there are search, add_drawer"),
    ],
)
async def test_what_is_wrong_is_said_with_what_would_be_right(
    client: Client[Any], texts: Client[Any], memory: str, tool: str, arguments: dict[str, Any], reason: str
) -> None:
    arguments = {"palace": memory} | arguments
    answer = await call(client, tool, **arguments)
    assert reason in answer["error"]
    assert await text_of(texts, tool, **arguments) == answer


async def test_only_reading_is_offered_if_the_settings_say_so(app: GraphPalace, palace: str) -> None:
    async with Client(server_of(app, profile="all", read_only=True)) as client:
        tools = {tool.name for tool in await client.list_tools()}
        assert "search" in tools
        assert tools.isdisjoint({"add_drawer", "delete_drawer", "feedback", "simulation_run"})
        answer = await call(client, "add_drawer", text="no", wing="a", palace=palace)
        assert answer == {
            "error": "add_drawer changes the palace, but [mcp] read_only, the address or the API key allows only "
            "reading"
        }
        stored = await app.drawers.add(palace, NewDrawer(text="apples", wing="a"))
        found = await call(client, "search", query="apples", palace=palace)
        opened = await call(client, "open_drawer", drawer=stored.drawer.id, palace=palace)
        assert opened["text"] == "apples"
        refused = await call(client, "open_drawer", drawer=stored.drawer.id, run=found["run"], palace=palace)
        assert "leave it out" in refused["error"]


async def test_a_long_text_is_opened_part_by_part(app: GraphPalace, memory: str) -> None:
    async with Client(server_of(app, profile="core", open_bytes=1000)) as client:
        drawer = (await call(client, "search", query="captain Ann berth 7", palace=memory))["hits"][0]["id"]
        start, parts = 0, []
        while start is not None:
            part = await call(client, "open_drawer", drawer=drawer, start=start, palace=memory)
            assert 0 < len(part["text"].encode()) <= 1000
            parts.append(part["text"])
            start = part["next_start"]
    assert "captain Ann" in "".join(parts)
    assert len("".join(parts)) > 3000


async def test_equal_texts_are_one_hit_that_names_the_other_place(client: Client[Any], palace: str) -> None:
    stored = [
        await call(client, "add_drawer", text="Ana has a red boat.", wing=wing, room="boats", palace=palace)
        for wing in ("ana", "club")
    ]
    (hit,) = (await call(client, "search", query="red boat", palace=palace))["hits"]
    (other,) = [one for one in stored if one["id"] != hit["id"]]
    assert hit["also_at"] == [f"{other['id']} in {other['place']}"]
    (whole,) = (await call(client, "search", query="red boat", detail=True, palace=palace))["hits"]
    assert whole["also_at"] == hit["also_at"]
