"""What is written into the files of a host for GraphPalace, and how it is taken out again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graphpalace.agent_hosts import json_text, toml_text
from graphpalace.agent_hosts.host_config import HOSTS, NAME, HostConfig, is_own, own_entries
from graphpalace.domain.hooks import HOST_EVENTS, HostName
from graphpalace.serve.cli.install.own_commands import hook_command, mcp_command

_TIMEOUT_S = 5  # a hook ends after a second by itself


def with_own_entries(host: HostConfig, path: Path, text: str, settings: Path | None) -> str:
    """Return the text of a file with all that belongs to GraphPalace in it.

    Args:
        settings: The settings file that was named on the command line.

    Raises:
        BrokenText: If the text cannot be read, or has something else in one of the places.
    """
    if path == host.servers:
        known = HOSTS[host.host]
        server = known.server(*mcp_command(host.host, settings, {}))
        if known.toml:
            text = toml_text.insert(text, [known.servers, NAME], server)
        else:
            text = _with(text or "{}\n", [known.servers, NAME], server)
    if path == host.hooks:
        text = text or "{}\n"
        if host.host == "cursor" and json_text.parsed(text).part("version") is None:
            text = json_text.insert(text, ["version"], 1)
        for one in HOST_EVENTS[host.host]:
            wanted = _entry(host.host, hook_command(host.host, one.name, settings))
            if own_entries(text, one.name) != [wanted]:
                text = json_text.append(_without_hooks(text, one.name), ["hooks", one.name], wanted)
    return text


def without_own_entries(host: HostConfig, path: Path, text: str) -> str:
    """Return the text of a file without what belongs to GraphPalace.

    Raises:
        BrokenText: If the text cannot be read.
    """
    if path == host.servers:
        known = HOSTS[host.host]
        edit = toml_text.remove if known.toml else json_text.remove
        text = edit(text, [known.servers, NAME])
    if path == host.hooks:
        hooks = json_text.parsed(text).part("hooks")
        for event in [one.key for one in (hooks.parts if hooks and hooks.is_object else None) or []]:
            text = _without_hooks(text, event or "")
    return text


def _entry(host: HostName, command: str) -> dict[str, Any]:
    if host == "cursor":
        return {"command": command, "timeout": _TIMEOUT_S}
    hook: dict[str, Any] = {"type": "command", "command": command, "timeout": _TIMEOUT_S}
    if host == "gemini":
        hook = {"name": NAME} | hook | {"timeout": _TIMEOUT_S * 1000}
    return {"hooks": [hook]}


def _with(text: str, path: Sequence[str], value: Any) -> str:
    at: json_text.Part | None = json_text.parsed(text)
    for step in path:
        at = None if at is None else at.part(step)
    return text if at is not None and at.value == value else json_text.insert(text, path, value)


def _entries(text: str, event: str) -> list[json_text.Part]:
    hooks = json_text.parsed(text).part("hooks")
    at = hooks.part(event) if hooks is not None else None
    return (at.parts or []) if at is not None and at.is_array else []


def _without_hooks(text: str, event: str) -> str:
    """Return a text without our command at an event; hooks of others in the same group stay."""
    for at in reversed(range(len(_entries(text, event)))):
        entry = _entries(text, event)[at]
        if is_own(entry.value):
            text = json_text.remove(text, ["hooks", event, at])
            continue
        inner = entry.part("hooks")
        for place in reversed(range(len((inner.parts if inner is not None else None) or []))):
            one = inner.part(place) if inner is not None else None
            if one is not None and is_own(one.value):
                text = json_text.remove(text, ["hooks", event, at, "hooks", place])
    return text
