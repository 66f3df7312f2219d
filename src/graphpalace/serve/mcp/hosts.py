"""The programs that host agents: what they show their model, and how they are told of a server."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

# How clients name themselves whose hosts show their model the text of an answer, not its structure.
_ONLY_TEXT = ("claude-ai", "cursor", "gemini-cli", "hermes", "kimi", "opencode")
_NAME = "graphpalace"
_START_S = 60  # Codex waits 10 s for the first answer, in which a service and its Neo4j may not start


def shows_only_text(client: str) -> bool:
    """Return whether the host with a client of this name shows its model only the text of an answer."""
    return client.casefold().startswith(_ONLY_TEXT)


class HostFile(NamedTuple):
    """How a host is told of a server.

    Attributes:
        path: The file in which it looks.
        text: What to put into the file, given a command, its arguments and its environment.
        answers: How tools should answer, for its model to see the answers.
    """

    path: str
    text: Callable[[str, Sequence[str], Mapping[str, str]], str]
    answers: str


def _json(outer: str, *, kind: bool) -> Callable[[str, Sequence[str], Mapping[str, str]], str]:
    def text(command: str, args: Sequence[str], environment: Mapping[str, str]) -> str:
        server = ({"type": "stdio"} if kind else {}) | {"command": command, "args": list(args)}
        return json.dumps({outer: {_NAME: server | ({"env": dict(environment)} if environment else {})}}, indent=2)

    return text


def _toml(command: str, args: Sequence[str], environment: Mapping[str, str]) -> str:
    # A JSON string is a TOML string as well, unless it has a character beyond the first plane escaped.
    lines = [
        f"[mcp_servers.{_NAME}]",
        f"command = {json.dumps(command, ensure_ascii=False)}",
        f"args = {json.dumps(list(args), ensure_ascii=False)}",
        f"startup_timeout_sec = {_START_S}",
    ]
    if environment:
        lines += ["", f"[mcp_servers.{_NAME}.env]"]
        lines += [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in environment.items()]
    return "\n".join(lines)


HOSTS: Mapping[str, HostFile] = {
    "claude-code": HostFile(".mcp.json in the project", _json("mcpServers", kind=True), "structured"),
    "claude-desktop": HostFile(
        "claude_desktop_config.json, which Settings > Developer > Edit Config opens",
        _json("mcpServers", kind=False),
        "text",
    ),
    "codex": HostFile("~/.codex/config.toml, or .codex/config.toml in a trusted project", _toml, "structured"),
    "cursor": HostFile(
        "~/.cursor/mcp.json, or .cursor/mcp.json in the project", _json("mcpServers", kind=False), "text"
    ),
    "gemini": HostFile(
        "~/.gemini/settings.json, or .gemini/settings.json in the project", _json("mcpServers", kind=False), "text"
    ),
    "vscode": HostFile(".vscode/mcp.json in the workspace", _json("servers", kind=True), "structured"),
}
