"""The tools that walk, show pheromones and show places: each with good and with bad arguments."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from fastmcp import Client

from graphpalace.app import GraphPalace
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.operations.drawers.settle import settle
from tests.mcp_calls import call, server_of
from tests.spare_palaces import spare_name


@pytest.fixture(scope="module")
async def town(app: GraphPalace) -> AsyncIterator[str]:
    """A palace of two wings with a room of the same name; tests only add to it."""
    name = spare_name()
    await app.create_palace(name)
    for number in range(12):
        wing = "ann" if number % 2 else "bob"
        new = NewDrawer(text=f"bread is baked from flour, line {number}", wing=wing, room="kitchen")
        await app.drawers.add(name, new)
    await settle(app.database, app.replica.indexes, palace=name)
    yield name
    await app.drop_palace(name)


@pytest.fixture
async def client(app: GraphPalace) -> AsyncIterator[Client[Any]]:
    async with Client(server_of(app, profile="stigmergy,admin")) as connected:
        yield connected


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("navigate", {"start": "ann", "goal": "bob/kitchen"}, {"context": "default"}),
        ("navigate", {"start": "ann", "goal": "bob", "context": "memory_recall"}, {"context": "memory_recall"}),
        ("find_tunnels", {}, {"left_out": 0}),
        ("find_tunnels", {"wing": "ann", "other": "bob", "limit": 1}, {"left_out": 0}),
        ("explore", {"query": "bread", "agents": 5, "steps": 3, "seed": 1}, {"agents": 5, "seed": 1}),
        ("explore", {"mark": False, "agents": 2, "steps": 2}, {"marked": 0}),
        ("pheromone_status", {}, {"cycle": 0}),
        ("hot_paths", {"kind": "edge", "limit": 3}, {"nodes": []}),
        ("cold_spots", {"kind": "drawer", "wing": "ann", "limit": 2}, {"kind": "drawer"}),
        ("pheromone_deposit", {"nodes": ["ann", "ann/kitchen"], "amount": 0.5}, {}),
        ("pheromone_deposit", {"nodes": ["bob"], "kind": "exploration", "id": "once"}, {}),
        ("decay_now", {}, {"cycle": 0}),
        ("check_duplicate", {"text": "bread is baked from flour, line 3"}, {"duplicate": True}),
        (
            "check_duplicate",
            {"text": "ships sail", "wing": "ann", "threshold": 0.99},
            {"duplicate": False, "found": []},
        ),
        ("forget", {"wing": "ann", "dry_run": True}, {"dry_run": True, "deleted": 0}),
        ("forget", {"pattern": "nowhere to be found"}, {"deleted": 0, "drawers": [], "also": {}}),
        ("list_agents", {}, {"left_out": 0}),
        ("diary_write", {"agent": "ann", "text": "I baked.", "searchable": False}, {"text": "I baked.", "topic": ""}),
        ("diary_read", {"agent": "ann", "last": 1}, {"agent": "ann"}),
        ("wake_up", {"wing": "bob", "budget_bytes": 300, "agent": "ann"}, {}),
        ("palace_status", {}, {"wings": 2, "rooms": 2, "drawers": 12}),
        ("list_wings", {}, {"left_out": 0}),
        ("list_wings", {"limit": 1}, {"left_out": 1}),
        ("list_rooms", {"wing": "ann"}, {"left_out": 0}),
        ("graph_stats", {}, {}),
        ("get_taxonomy", {"wing": "ann"}, {"drawers": 12}),
        ("add_wing", {"name": "ann"}, {"place": "ann", "created": False}),
        ("add_room", {"wing": "ann", "name": "kitchen"}, {"place": "ann/kitchen", "created": False}),
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
        ("navigate", {"start": "ann"}, "goal is missing"),
        ("navigate", {"start": "ann", "goal": "nowhere"}, "nowhere"),
        ("navigate", {"start": "ann", "goal": "bob", "context": "quick"}, "context is 'quick'"),
        ("find_tunnels", {"wing": "nowhere"}, "wing 'nowhere'"),
        ("find_tunnels", {"limit": 0}, "limit is 0"),
        ("explore", {"wing": "nowhere"}, "wing is 'nowhere'"),
        ("explore", {"agents": 0}, "agents is 0"),
        ("explore", {"agents": 10_000_000}, "agents is 10000000"),
        ("pheromone_status", {"palace": "nowhere"}, "nowhere"),
        ("hot_paths", {"kind": "room"}, "kind is 'room'; it must be 'node' or 'edge'"),
        ("hot_paths", {"wing": "nowhere"}, "wing 'nowhere'"),
        ("cold_spots", {"kind": "wing"}, "kind is 'wing'"),
        ("pheromone_deposit", {"nodes": ["ann", "bob/kitchen"]}, "bob"),
        ("pheromone_deposit", {"nodes": []}, "nodes is []"),
        ("pheromone_deposit", {"nodes": ["ann"], "kind": "recency"}, "kind is 'recency'"),
        ("pheromone_deposit", {"nodes": ["ann"], "kind": "exploration", "amount": 1.0}, "amount is only for success"),
        ("check_duplicate", {"text": " "}, "text"),
        ("check_duplicate", {"text": "a", "threshold": 2}, "threshold is 2"),
        ("forget", {}, "nothing is chosen: give drawers, source, conversation, name, pattern, or wing"),
        ("forget", {"source": "file:///a", "room": "kitchen"}, "name its wing too"),
        ("forget", {"conversation": "codex"}, "HOST/ID"),
        ("list_agents", {"palace": "nowhere"}, "nowhere"),
        ("diary_write", {"agent": "ann"}, "text is missing"),
        ("diary_write", {"agent": "", "text": "a"}, "agent"),
        ("diary_read", {"agent": "nobody"}, "nobody"),
        ("diary_read", {"agent": "ann", "last": 0}, "last is 0"),
        ("decay_now", {"palace": "nowhere"}, "nowhere"),
        ("palace_status", {"palace": "nowhere"}, "nowhere"),
        ("list_wings", {"palace": "nowhere"}, "nowhere"),
        ("list_rooms", {"wing": "nowhere"}, "wing 'nowhere'"),
        ("graph_stats", {"palace": "nowhere"}, "nowhere"),
        ("add_wing", {"name": ""}, "name"),
        ("add_wing", {"name": "x", "wing_type": "house"}, "wing_type is 'house'; it must be 'person'"),
        ("add_room", {"wing": "ann", "name": ""}, "name"),
        ("add_room", {"wing": "ann", "name": "x", "hall_type": "cellar"}, "hall_type is 'cellar'"),
    ],
)
async def test_what_is_wrong_is_said_with_what_would_be_right(
    client: Client[Any], town: str, tool: str, arguments: dict[str, Any], reason: str
) -> None:
    assert reason in (await call(client, tool, **{"palace": town} | arguments))["error"]


async def test_a_way_and_a_tunnel_are_shown_step_by_step(client: Client[Any], town: str) -> None:
    way = await call(client, "navigate", start="ann/kitchen", goal="bob/kitchen", palace=town)
    assert way["cost"] == pytest.approx(sum(leg["cost"] for leg in way["legs"]))
    (tunnel,) = (await call(client, "find_tunnels", wing="ann", palace=town))["shown"]
    assert (tunnel["room"], tunnel["other_wing"], tunnel["other_room"]) == ("kitchen", "bob", "kitchen")


async def test_exploring_leaves_marks_that_are_seen(client: Client[Any], town: str) -> None:
    walked = await call(client, "explore", query="bread", agents=10, steps=5, palace=town)
    assert walked["marked"] > 0
    status = await call(client, "pheromone_status", palace=town)
    carried = {one["name"]: one["carriers"] for one in status["pheromones"]}
    assert carried["exploration"] >= walked["marked"]


async def test_places_are_made_with_their_types(client: Client[Any], palace: str) -> None:
    made = await call(client, "add_wing", name="rust", wing_type="project", palace=palace)
    assert made == {"place": "rust", "created": True}
    made = await call(client, "add_room", wing="rust", name="traits", hall_type="advice", palace=palace)
    assert made == {"place": "rust/traits", "created": True}
    (wing,) = (await call(client, "list_wings", palace=palace))["shown"]
    (room,) = (await call(client, "list_rooms", palace=palace))["shown"]
    assert (wing["wing_type"], room["hall_type"]) == ("project", "advice")
