"""Calls of MCP tools."""

from __future__ import annotations

import json
from typing import Any

from fastmcp import Client, FastMCP
from mcp_types import TextContent

from graphpalace.app import GraphPalace
from graphpalace.serve.mcp.server import make_server
from tests.acceptance.served import changed

_SERVERS: dict[str, tuple[GraphPalace, FastMCP]] = {}


def server_of(app: GraphPalace, **mcp: Any) -> FastMCP:
    """Return a server over operations of a test, with some settings of `[mcp]`; it offers all tools by default.

    Describing its tools takes half a second, so tests of the same operations with the same settings share one.
    """
    operations, server = _SERVERS.get(key := repr(mcp), (None, None))
    if server is None or operations is not app:
        server = make_server(changed(app.settings, mcp={"profile": "all"} | mcp), lambda: app)
        _SERVERS[key] = app, server
    return server


async def call(client: Client[Any], tool: str, **arguments: Any) -> dict[str, Any]:
    """Return a tool's structured answer, which is an object; a failure is one that has nothing but `error`."""
    result = await client.call_tool(tool, arguments, raise_on_error=False)
    assert result.structured_content is not None
    assert result.is_error == (set(result.structured_content) == {"error"})
    (content,) = result.content
    assert isinstance(content, TextContent)
    if not result.is_error:
        assert len(content.text) < 120  # the answer is not sent twice
    return result.structured_content


async def text_of(client: Client[Any], tool: str, **arguments: Any) -> Any:
    """Return a tool's answer to a client that gets text."""
    result = await client.call_tool(tool, arguments, raise_on_error=False)
    assert result.structured_content is None
    (content,) = result.content
    assert isinstance(content, TextContent)
    return json.loads(content.text)
