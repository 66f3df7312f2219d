"""How each host is told of servers and hooks, where it keeps that, and what of GraphPalace it has installed."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import tomlkit

from graphpalace.agent_hosts import json_text, toml_text
from graphpalace.agent_hosts.json_text import BrokenText
from graphpalace.domain.hooks import HOST_EVENTS, HostName, HostScope, InstalledHost
from graphpalace.errors import GraphPalaceError, NotFound, SettingsInvalid

NAME = "graphpalace"  # of the server
_START_S = 60  # Codex waits 10 s for the first answer, in which a service and its Neo4j may not start
_OURS = re.compile(r"""(?:^|[\s/\\"'])graphpalace-hook(?:\.exe)?(?:["'\s]|$)""")


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


@dataclass(frozen=True, slots=True)
class HostConfig:
    """The files of one host, of the user or of one project.

    Attributes:
        servers: The file with MCP servers.
        hooks: The file with hooks; it may be the same.
    """

    host: HostName
    scope: HostScope
    servers: Path
    hooks: Path

    @property
    def files(self) -> list[Path]:
        """All files, each once."""
        return [self.servers] if self.servers == self.hooks else [self.servers, self.hooks]

    def has_server(self, text: str) -> bool:
        """Return whether the text of its file names the MCP server."""
        known = HOSTS[self.host]
        config = toml_text.value_of(text) if known.toml else _value(text)
        servers = _member(config, known.servers)
        return isinstance(servers, dict) and NAME in servers

    def hooks_in(self, text: str) -> list[str]:
        """Return the events at which the text of its file runs our command."""
        config = _value(text)
        return [one.name for one in HOST_EVENTS[self.host] if _own_entries(config, one.name)]


def host_config(host: HostName, scope: HostScope, *, home: Path, project: Path) -> HostConfig:
    """Return the files of a host.

    Args:
        home: Of the user.
        project: Its root folder.
    """
    if host == "claude-code":
        if scope == "project":
            return HostConfig(host, scope, project / ".mcp.json", project / ".claude" / "settings.json")
        named = os.environ.get("CLAUDE_CONFIG_DIR")
        folder = Path(named).expanduser() if named else None
        return HostConfig(
            host, scope, (folder or home) / ".claude.json", (folder or home / ".claude") / "settings.json"
        )
    root = project if scope == "project" else home
    folder = root / {"codex": ".codex", "cursor": ".cursor", "gemini": ".gemini"}[host]
    if host == "codex" and scope == "user" and (named := os.environ.get("CODEX_HOME")):
        folder = Path(named).expanduser()
    servers, hooks = {
        "codex": ("config.toml", "hooks.json"),
        "cursor": ("mcp.json", "hooks.json"),
        "gemini": ("settings.json", "settings.json"),
    }[host]
    return HostConfig(host, scope, folder / servers, folder / hooks)


def own_entries(text: str, event: str) -> list[Any]:
    """Return the entries of an event that run our command and nothing else.

    Raises:
        BrokenText: If the text is not JSON.
    """
    return _own_entries(_value(text), event)


def is_own(entry: Any) -> bool:
    """Return whether an entry of an event runs our command and nothing else."""
    if not isinstance(entry, dict):
        return False
    if isinstance(inner := entry.get("hooks"), list):
        return bool(inner) and all(is_own(one) for one in inner)
    return isinstance(entry.get("command"), str) and bool(_OURS.search(entry["command"]))


def _own_entries(config: Any, event: str) -> list[Any]:
    entries = _member(_member(config, "hooks"), event)
    return [one for one in entries if is_own(one)] if isinstance(entries, list) else []


def _member(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _value(text: str) -> Any:
    try:
        return json.loads(text)  # many times as fast, and Claude Code keeps megabytes beside its servers
    except (ValueError, RecursionError):
        return json_text.parsed(text).value


def installed_hosts(home: Path) -> list[InstalledHost]:
    """Return what each host has installed for a user.

    Args:
        home: Of the user.
    """
    return [installed(host_config(host, "user", home=home, project=home)) for host in HOST_EVENTS]


def installed(config: HostConfig) -> InstalledHost:
    """Return what a host has installed."""
    events = HOST_EVENTS[config.host]
    server, hooks, problem = False, list[str](), ""
    for path in config.files:
        try:
            data = read_bytes(path)
            if data is None:
                continue
            text = text_of(path, data)
            server = server or (path == config.servers and config.has_server(text))
            hooks += config.hooks_in(text) if path == config.hooks else []
        except BrokenText as error:
            problem = broken(path, error)
        except GraphPalaceError as error:
            problem = error.message
    missing = [one.name for one in events if one.name not in hooks]
    files = [str(path) for path in config.files]
    return InstalledHost(config.host, config.scope, files, server, hooks, missing, problem, events)


def read_bytes(path: Path) -> bytes | None:
    """Return the bytes of a file, or None if there is none.

    Raises:
        NotFound: If it cannot be read.
    """
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise NotFound(f"{path} cannot be read: {error.strerror}", file=str(path)) from error


def text_of(path: Path, data: bytes | None) -> str:
    """Return the text of a file from its bytes; an empty one if there is no file.

    Raises:
        SettingsInvalid: If it is not UTF-8.
    """
    try:
        return (data or b"").removeprefix(b"\xef\xbb\xbf").decode()
    except UnicodeDecodeError as error:
        line = (data or b"")[: error.start].count(b"\n") + 1
        raise SettingsInvalid(f"{path} line {line}: expected UTF-8", file=str(path), line=line) from None


def broken(path: Path, error: BrokenText) -> str:
    """Return what is wrong with a file that cannot be read."""
    return f"{path} line {error.line}: {error.expected}"
