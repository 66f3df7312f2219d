"""Where each host keeps what it is told of servers and hooks, and what of that belongs to GraphPalace."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphpalace.agent_hosts import json_text, toml_text
from graphpalace.agent_hosts.hosts import HOSTS, NAME
from graphpalace.domain.conversations import HostName
from graphpalace.domain.hooks import HOST_EVENTS, HostScope

_OURS = re.compile(r"""(?:^|[\s/\\"'])graphpalace-hook(?:\.exe)?(?:["'\s]|$)""")


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
