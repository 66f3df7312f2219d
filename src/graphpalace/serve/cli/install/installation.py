"""What installing and uninstalling a host changes."""

from __future__ import annotations

from pathlib import Path

from graphpalace.agent_hosts.host_config import HostConfig, broken, read_bytes, text_of
from graphpalace.agent_hosts.json_text import BrokenText
from graphpalace.errors import SettingsInvalid
from graphpalace.serve.cli.install.file_change import Backups, FileChange
from graphpalace.serve.cli.install.own_entries import with_own_entries, without_own_entries


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
