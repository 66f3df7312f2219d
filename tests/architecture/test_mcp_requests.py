"""The everyday requests of the guide to MCP call tools that exist, with arguments that they take."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from graphpalace.domain.mcp_profiles import PROFILES
from graphpalace.serve.mcp.server import make_server
from graphpalace.settings.load import Settings
from graphpalace.settings.sections.service import McpSettings

GUIDE = Path(__file__).parents[2] / "docs" / "how-to" / "use-mcp.md"
ROWS = re.findall(r"^\| ([^|]+) \| `(\w+)` `(\{.*\})` \|$", GUIDE.read_text("utf-8"), re.MULTILINE)


def test_there_are_twenty_requests_and_every_tool_of_the_core_has_one() -> None:
    assert len(ROWS) >= 20
    core = _tools_of("core").keys()
    assert core <= {tool for _, tool, _ in ROWS}
    assert all(f"`{name}`" in GUIDE.read_text("utf-8") for name in core)


@pytest.mark.parametrize("profile", PROFILES)
def test_every_profile_has_a_request(profile: str) -> None:
    assert _tools_of(profile).keys() & {tool for _, tool, _ in ROWS}


@pytest.mark.parametrize(("request_", "tool", "arguments"), ROWS, ids=[row[0] for row in ROWS])
def test_a_request_is_a_valid_call(request_: str, tool: str, arguments: str) -> None:
    jsonschema.validate(json.loads(arguments), _tools_of("all")[tool])


@cache
def _tools_of(profile: str) -> Mapping[str, dict[str, Any]]:
    """Return the tools of a profile, each with the schema of its arguments."""
    server = make_server(Settings(mcp=McpSettings(profile=profile)), lambda: pytest.fail("no tool is called"))
    return {tool.name: tool.parameters for tool in asyncio.run(server.list_tools())}
