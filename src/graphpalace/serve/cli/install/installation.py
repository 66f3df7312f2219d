"""What installing and uninstalling a host changes: the commands and entries of GraphPalace in its files."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from graphpalace.agent_hosts import json_text, toml_text
from graphpalace.agent_hosts.host_config import (
    HOSTS,
    NAME,
    HostConfig,
    broken,
    is_own,
    own_entries,
    read_bytes,
    text_of,
)
from graphpalace.agent_hosts.json_text import BrokenText
from graphpalace.domain.hooks import HOST_EVENTS, HostName
from graphpalace.errors import NotFound, SettingsInvalid
from graphpalace.serve.cli.install.file_change import Backups, FileChange
from graphpalace.settings.home import home, setting_text

HOOK = "graphpalace-hook"
_PASSED_ON = ("GRAPHPALACE_CONFIG", "GRAPHPALACE_NEO4J__DATA_DIR", "GRAPHPALACE_PALACE__NAME")


class OwnCommand(NamedTuple):
    """A command with its arguments and the environment that it needs."""

    command: str
    args: list[str]
    environment: dict[str, str]


def mcp_command(host: str, config: Path | None, options: Mapping[str, str]) -> OwnCommand:
    """Return what a host starts to reach the MCP server.

    Args:
        options: Of `graphpalace mcp`, by name.
    """
    command = shutil.which("graphpalace") or str(Path(sys.argv[0]).absolute())
    words = [] if config is None else ["--config", str(config.absolute())]
    words += ["mcp"]
    if HOSTS[host].answers != "structured":
        options = {"answers": HOSTS[host].answers, **options}
    for name, value in options.items():
        words += [f"--{'' if value == 'True' else 'no-'}read-only"] if name == "read_only" else [f"--{name}", value]
    return OwnCommand(command, words, {name: os.environ[name] for name in _PASSED_ON if name in os.environ})


def hook_command(host: str, event: str, config: Path | None) -> str:
    """Return the line that a host runs at an event. It names the data folder, so that it reads no settings.

    Raises:
        NotFound: If the command is not installed.
    """
    beside = Path(sys.executable).with_name(HOOK)
    command = shutil.which(str(beside)) or shutil.which(HOOK)
    if command is None:
        raise NotFound(f"the command {HOOK} is not beside {sys.executable}; install graphpalace again", command=HOOK)
    words = [command, "--home", str(home(config).folder)]
    if palace := setting_text("palace", "name", config):
        words += ["--palace", palace]
    if named := config or os.environ.get("GRAPHPALACE_CONFIG"):
        words += ["--config", str(Path(named).absolute())]
    words += [host, event]
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


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


def installing(config: HostConfig, settings: Path | None) -> list[FileChange]:
    """Return the changes that register GraphPalace in the files of a host; none if it is registered already.

    Args:
        settings: The settings file that was named on the command line.

    Raises:
        SettingsInvalid: If a file is broken; the message names it, the line, and what should stand there.
    """
    changes = []
    for path in config.files:
        found = path.resolve()
        before = read_bytes(found)
        text = text_of(found, before)
        try:
            after = with_own_entries(config, path, text, settings)
        except BrokenText as error:
            raise _broken(path, error) from error
        changes.append(FileChange(found, before, _bytes(after, before)))
    return [change for change in changes if change.before != change.after]


def uninstalling(config: HostConfig, backups: Backups) -> list[FileChange]:
    """Return the changes that take GraphPalace out of the files of a host; what others wrote stays.

    Raises:
        SettingsInvalid: As `installing`.
    """
    changes = []
    for path in config.files:
        found = path.resolve()
        now = read_bytes(found)
        if now is None:
            continue
        try:
            after = _bytes(without_own_entries(config, path, text_of(found, now)), now)
            before, known = backups.before(found, now)
            if known and (
                before is None or without_own_entries(config, path, text_of(found, before)) == text_of(found, before)
            ):
                after = before
        except BrokenText as error:
            raise _broken(path, error) from error
        changes.append(FileChange(found, now, after))
    return [change for change in changes if change.before != change.after]


def _bytes(text: str, model: bytes | None) -> bytes:
    return (b"\xef\xbb\xbf" if (model or b"").startswith(b"\xef\xbb\xbf") else b"") + text.encode()


def _broken(path: Path, error: BrokenText) -> SettingsInvalid:
    return SettingsInvalid(f"{broken(path, error)}; nothing was changed", file=str(path), line=error.line)
