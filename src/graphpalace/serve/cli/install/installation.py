"""What installing and uninstalling a host changes, and what is installed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from graphpalace.domain.conversations import HostName
from graphpalace.domain.hooks import HOST_EVENTS
from graphpalace.errors import GraphPalaceError, SettingsInvalid
from graphpalace.serve.cli.install.file_change import Backups, FileChange, read_bytes
from graphpalace.serve.cli.install.host_config import BrokenText, HostConfig, Scope


@dataclass(frozen=True, slots=True)
class Installed:
    """What of GraphPalace a host knows.

    Attributes:
        server: Whether it knows the MCP server.
        hooks: The events at which it runs our command.
        missing: The events at which it does not.
        problem: Why its files cannot be read; "" if they can.
    """

    host: HostName
    scope: Scope
    files: list[str]
    server: bool
    hooks: list[str]
    missing: list[str]
    problem: str = ""


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
        text = _text(found, before)
        try:
            after = config.installed(path, text, settings)
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
            after = _bytes(config.removed(path, _text(found, now)), now)
            before, known = backups.before(found, now)
            if known and (before is None or config.removed(path, _text(found, before)) == _text(found, before)):
                after = before
        except BrokenText as error:
            raise _broken(path, error) from error
        changes.append(FileChange(found, now, after))
    return [change for change in changes if change.before != change.after]


def installed(config: HostConfig) -> Installed:
    """Return what a host knows."""
    every = [one.name for one in HOST_EVENTS[config.host]]
    server, hooks, problem = False, list[str](), ""
    for path in config.files:
        try:
            data = read_bytes(path)
            if data is None:
                continue
            text = _text(path, data)
            server = server or (path == config.servers and config.has_server(text))
            hooks += config.hooks_in(text) if path == config.hooks else []
        except BrokenText as error:
            problem = _broken(path, error).message
        except GraphPalaceError as error:
            problem = error.message
    missing = [event for event in every if event not in hooks]
    return Installed(config.host, config.scope, [str(path) for path in config.files], server, hooks, missing, problem)


def _text(path: Path, data: bytes | None) -> str:
    try:
        return (data or b"").removeprefix(b"\xef\xbb\xbf").decode()
    except UnicodeDecodeError as error:
        line = (data or b"")[: error.start].count(b"\n") + 1
        raise SettingsInvalid(f"{path} line {line}: expected UTF-8", file=str(path), line=line) from None


def _bytes(text: str, model: bytes | None) -> bytes:
    return (b"\xef\xbb\xbf" if (model or b"").startswith(b"\xef\xbb\xbf") else b"") + text.encode()


def _broken(path: Path, error: BrokenText) -> SettingsInvalid:
    message = f"{path} line {error.line}: {error.expected}; nothing was changed"
    return SettingsInvalid(message, file=str(path), line=error.line)
