"""Where each host keeps what it is told of servers and hooks, and what is written there for GraphPalace."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from graphpalace.domain.conversations import HostName
from graphpalace.domain.hooks import HOST_EVENTS
from graphpalace.serve.cli.install import json_text, toml_text
from graphpalace.serve.cli.install.json_text import BrokenText
from graphpalace.serve.cli.install.own_commands import hook_command, mcp_command
from graphpalace.serve.mcp.hosts import HOSTS, NAME

Scope = Literal["user", "project"]
_TIMEOUT_S = 5  # a hook ends after a second by itself
_OURS = re.compile(r"""(?:^|[\s/\\"'])graphpalace-hook(?:\.exe)?(?:["'\s]|$)""")


@dataclass(frozen=True, slots=True)
class HostConfig:
    """The files of one host, of the user or of one project.

    Attributes:
        servers: The file with MCP servers.
        hooks: The file with hooks; it may be the same.
    """

    host: HostName
    scope: Scope
    servers: Path
    hooks: Path

    @property
    def files(self) -> list[Path]:
        """All files, each once."""
        return [self.servers] if self.servers == self.hooks else [self.servers, self.hooks]

    def installed(self, path: Path, text: str, config: Path | None) -> str:
        """Return the text of a file with all that belongs to GraphPalace in it.

        Args:
            config: The settings file that was named on the command line.

        Raises:
            BrokenText: If the text cannot be read, or has something else in one of the places.
        """
        if path == self.servers:
            known = HOSTS[self.host]
            server = known.server(*mcp_command(self.host, config, {}))
            if known.toml:
                text = toml_text.insert(text, [known.servers, NAME], server)
            else:
                text = _with(text or "{}\n", [known.servers, NAME], server)
        if path == self.hooks:
            text = text or "{}\n"
            if self.host == "cursor" and json_text.parsed(text).part("version") is None:
                text = json_text.insert(text, ["version"], 1)
            for one in HOST_EVENTS[self.host]:
                wanted = self._entry(hook_command(self.host, one.name, config))
                if _ours(text, one.name) != [wanted]:
                    text = json_text.append(_without_hooks(text, one.name), ["hooks", one.name], wanted)
        return text

    def removed(self, path: Path, text: str) -> str:
        """Return the text of a file without what belongs to GraphPalace.

        Raises:
            BrokenText: If the text cannot be read.
        """
        if path == self.servers:
            known = HOSTS[self.host]
            edit = toml_text.remove if known.toml else json_text.remove
            text = edit(text, [known.servers, NAME])
        if path == self.hooks:
            hooks = json_text.parsed(text).part("hooks")
            for event in [one.key for one in (hooks.parts if hooks and hooks.is_object else None) or []]:
                text = _without_hooks(text, event or "")
        return text

    def has_server(self, text: str) -> bool:
        """Return whether the text of its file names the MCP server."""
        known = HOSTS[self.host]
        if known.toml:
            return NAME in toml_text.value_of(text).get(known.servers, {})
        at = json_text.parsed(text).part(known.servers)
        return at is not None and at.part(NAME) is not None

    def hooks_in(self, text: str) -> list[str]:
        """Return the events at which the text of its file runs our command."""
        return [one.name for one in HOST_EVENTS[self.host] if _ours(text, one.name)]

    def _entry(self, command: str) -> dict[str, Any]:
        if self.host == "cursor":
            return {"command": command, "timeout": _TIMEOUT_S}
        hook: dict[str, Any] = {"type": "command", "command": command, "timeout": _TIMEOUT_S}
        if self.host == "gemini":
            hook = {"name": NAME} | hook | {"timeout": _TIMEOUT_S * 1000}
        return {"hooks": [hook]}


def host_config(host: HostName, scope: Scope, *, home: Path, project: Path) -> HostConfig:
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


def _with(text: str, path: Sequence[str], value: Any) -> str:
    at: json_text.Part | None = json_text.parsed(text)
    for step in path:
        at = None if at is None else at.part(step)
    return text if at is not None and at.value == value else json_text.insert(text, path, value)


def _ours(text: str, event: str) -> list[Any]:
    """Return the entries of an event that run our command and nothing else."""
    return [one.value for one in _entries(text, event) if _is_ours(one.value)]


def _entries(text: str, event: str) -> list[json_text.Part]:
    hooks = json_text.parsed(text).part("hooks")
    at = hooks.part(event) if hooks is not None else None
    return (at.parts or []) if at is not None and at.is_array else []


def _is_ours(entry: Any) -> bool:
    if not isinstance(entry, dict):
        return False
    if isinstance(inner := entry.get("hooks"), list):
        return bool(inner) and all(_is_ours(one) for one in inner)
    return isinstance(entry.get("command"), str) and bool(_OURS.search(entry["command"]))


def _without_hooks(text: str, event: str) -> str:
    """Return a text without our command at an event; hooks of others in the same group stay."""
    for at in reversed(range(len(_entries(text, event)))):
        entry = _entries(text, event)[at]
        if _is_ours(entry.value):
            text = json_text.remove(text, ["hooks", event, at])
            continue
        inner = entry.part("hooks")
        for place in reversed(range(len((inner.parts if inner is not None else None) or []))):
            one = inner.part(place) if inner is not None else None
            if one is not None and _is_ours(one.value):
                text = json_text.remove(text, ["hooks", event, at, "hooks", place])
    return text


__all__ = ["BrokenText", "HostConfig", "Scope", "host_config"]
