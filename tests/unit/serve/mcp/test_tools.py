"""What a model is shown before it calls anything."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastmcp import Client
from mcp.shared.exceptions import MCPError

from graphpalace.domain.mcp_profiles import LIST_KIB, PROFILES
from graphpalace.serve.mcp.server import make_server
from graphpalace.settings.load import Settings
from graphpalace.settings.sections.service import McpSettings


def server(**mcp: Any) -> Any:
    return make_server(Settings(mcp=McpSettings(**mcp)), lambda: pytest.fail("no tool is called"))


_listed = dict[str, list[dict[str, Any]]]()  # by the settings: to make a server takes half a second


async def listed(**mcp: Any) -> list[dict[str, Any]]:
    if (asked := repr(mcp)) not in _listed:
        _listed[asked] = await _listed_anew(**mcp)
    return _listed[asked]


async def _listed_anew(**mcp: Any) -> list[dict[str, Any]]:
    async with Client(server(**mcp)) as client:
        tools = await client.list_tools()
    return [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in tools]


@pytest.mark.parametrize("profile", LIST_KIB)
@pytest.mark.parametrize("answers", ["structured", "text"])
async def test_the_list_of_a_profile_fits_its_budget(profile: str, answers: str) -> None:
    tools = await listed(profile=profile, answers=answers)
    assert len(json.dumps(tools, ensure_ascii=False).encode()) <= LIST_KIB[profile] * 1024
    assert all(("outputSchema" in tool) == (answers == "structured") for tool in tools)


async def test_the_core_is_at_most_eight_tools_in_six_kilobytes() -> None:
    assert 6 <= len(await listed()) <= 8
    assert LIST_KIB["core"] == 6


async def test_an_object_is_described_once_in_an_answer() -> None:
    (supersede,) = [tool for tool in await listed(profile="knowledge") if tool["name"] == "kg_supersede"]
    answer = supersede["outputSchema"]["properties"]
    assert "valid_from" in answer["fact"]["properties"]
    assert answer["replaced"]["items"] == {"type": "object", "description": "like fact"}


async def test_the_instructions_are_a_few_lines() -> None:
    async with Client(server()) as client:
        said = client.instructions or ""
    assert len(said) < 1000
    assert all(word in said for word in ("palace", "Search", "Store", "feedback", "error"))


async def test_every_profile_has_tools_and_all_has_each_once() -> None:
    every = [tool["name"] for tool in await listed(profile="all")]
    assert len(every) == len(set(every))
    together = set[str]()
    for profile in PROFILES[:-1]:
        names = {tool["name"] for tool in await listed(profile=profile)}
        assert names
        together |= names
    assert together == set(every)
    both = {tool["name"] for tool in await listed(profile="core,simulation")}
    assert {"search", "simulation_run"} <= both < set(every)


async def test_every_tool_and_argument_says_what_it_is_and_whether_it_changes_something() -> None:
    for tool in await listed(profile="all"):
        assert tool["description"][0].isupper() and tool["description"].endswith("."), tool["name"]
        assert tool["outputSchema"]["type"] == "object"
    hints = {tool["name"]: tool["annotations"] for tool in await listed(profile="all")}
    assert hints["search"] == {"readOnlyHint": True}
    assert hints["add_drawer"] == {"destructiveHint": False, "idempotentHint": True}
    assert hints["delete_drawer"] == {}
    assert not any("title" in tool or "_meta" in tool for tool in await listed())


async def test_a_wrong_profile_is_named_at_the_start() -> None:
    with pytest.raises(ValueError, match="profile"):
        McpSettings(profile="cores")
    with pytest.raises(ValueError, match="profile"):
        McpSettings(profile="core,")


async def test_an_unknown_profile_in_an_address_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphpalace.serve.mcp.calls._address", lambda: {"profile": "cores"})
    async with Client(server()) as client:
        with pytest.raises(MCPError, match="'cores' is unknown; there are core, runs"):
            await client.list_tools()
