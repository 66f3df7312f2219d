"""Reads exports of Slack: a folder with `users.json`, and a folder for each channel with one file for each day."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeGuard

from graphpalace.domain.document import Document
from graphpalace.errors import UnreadableDocument
from graphpalace.ingest.readers.chats.messages import Message, message_passages, moment, name_or_none
from graphpalace.ingest.readers.source import Source

_LISTS = frozenset(
    {"users.json", "channels.json", "groups.json", "dms.json", "mpims.json", "integration_logs.json", "canvases.json"}
)


def is_slack_day(value: Any) -> TypeGuard[list[Any]]:
    """Return whether a JSON value has the messages of one channel on one day."""
    return (
        bool(value)
        and isinstance(value, list)
        and isinstance(value[0], dict)
        and value[0].get("type") == "message"
        and "ts" in value[0]
    )


def is_slack_list(path: Path) -> bool:
    """Return whether a file is one of the lists at the root of an export, which contain no messages."""
    return path.name in _LISTS and (path.parent / "users.json").is_file() and (path.parent / "channels.json").is_file()


def read_slack_day(source: Source, value: list[Any]) -> Iterator[Document]:
    """Yield the one document of a channel and day, titled `#channel DAY`.

    User ids are replaced by names if the export has a `users.json`.

    Raises:
        UnreadableDocument: If an entry is not a JSON object.
    """
    if not all(isinstance(entry, dict) for entry in value):
        raise UnreadableDocument(f"{source.path}: every message must be an object", path=str(source.path))
    names = _names(source.path.parent.parent / "users.json") if source.on_disk else {}
    channel = source.path.parent.name
    yield source.document(
        message_passages((_message(entry, names) for entry in value), source.options),
        media_type="application/json",
        title=f"#{channel} {source.path.stem}" if channel else source.path.stem,
    )


def _message(entry: dict[str, Any], names: dict[str, str]) -> Message:
    user = entry.get("user")
    profile = entry.get("user_profile")
    known = names.get(user) if isinstance(user, str) else None
    author = (
        known
        or (_name_in(profile) if isinstance(profile, dict) else None)
        or name_or_none(entry.get("username"))
        or name_or_none(user)
    )
    text = entry.get("text")
    return Message(text if isinstance(text, str) else "", author, moment(entry.get("ts")))


def _name_in(profile: dict[str, Any]) -> str | None:
    for key in ("real_name", "display_name", "name"):
        if found := name_or_none(profile.get(key)):
            return found
    return None


def _names(path: Path) -> dict[str, str]:
    try:
        state = path.stat()
    except OSError:
        return {}
    return _read_names(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=8)  # all days of all channels use the same file
def _read_names(path: Path, _modified_ns: int, _size_bytes: int) -> dict[str, str]:
    try:
        users = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    names: dict[str, str] = {}
    for user in users if isinstance(users, list) else ():
        if isinstance(user, dict) and isinstance(user.get("id"), str):
            profile = user.get("profile")
            name = _name_in(user) or (_name_in(profile) if isinstance(profile, dict) else None)
            if name:
                names[user["id"]] = name
    return names
