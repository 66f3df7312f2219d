"""How each host is told of an MCP server."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import tomlkit

NAME = "graphpalace"  # of the server
_START_S = 60  # Codex waits 10 s for the first answer, in which a service and its Neo4j may not start


class HostFile(NamedTuple):
    """How a host is told of a server.

    Attributes:
        path: The file in which it looks, for people to read.
        servers: The key of all servers in that file.
        answers: How tools should answer, for its model to see the answers.
        toml: Whether the file is TOML; otherwise it is JSON.
        more: What it wants to know of a server besides.
    """

    path: str
    servers: str
    answers: str
    toml: bool = False
    more: Mapping[str, Any] = {}

    def server(self, command: str, args: Sequence[str], environment: Mapping[str, str]) -> dict[str, Any]:
        """Return what the file says of a server."""
        known = {"command": command, "args": list(args)}
        typed = {name: value for name, value in self.more.items() if name == "type"}
        rest = {name: value for name, value in self.more.items() if name != "type"}
        return typed | known | rest | ({"env": dict(environment)} if environment else {})

    def text(self, command: str, args: Sequence[str], environment: Mapping[str, str]) -> str:
        """Return what to put into the file."""
        content = {self.servers: {NAME: self.server(command, args, environment)}}
        return tomlkit.dumps(content).rstrip("\n") if self.toml else json.dumps(content, indent=2)


HOSTS: Mapping[str, HostFile] = {
    "claude-code": HostFile(".mcp.json in the project", "mcpServers", "structured", more={"type": "stdio"}),
    "claude-desktop": HostFile(
        "claude_desktop_config.json, which Settings > Developer > Edit Config opens", "mcpServers", "text"
    ),
    "codex": HostFile(
        "~/.codex/config.toml, or .codex/config.toml in a trusted project",
        "mcp_servers",
        "structured",
        toml=True,
        more={"startup_timeout_sec": _START_S},
    ),
    "cursor": HostFile("~/.cursor/mcp.json, or .cursor/mcp.json in the project", "mcpServers", "text"),
    "gemini": HostFile("~/.gemini/settings.json, or .gemini/settings.json in the project", "mcpServers", "text"),
    "vscode": HostFile(".vscode/mcp.json in the workspace", "servers", "structured", more={"type": "stdio"}),
}
