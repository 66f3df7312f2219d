"""Reads exports of Slack, a file for each channel and day, and writes the text of messages as Slack shows it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeGuard

from graphpalace.domain.drawers.document import Document
from graphpalace.errors import UnreadableDocument
from graphpalace.ingest.readers.chats.messages import ChatMessage, message_passages, moment, name_or_none
from graphpalace.ingest.readers.source import Source

_MARKUP = re.compile(r"<([^<>\n]+)>")
_ENTITY = re.compile(r"&(amp|lt|gt);")
_CHARACTER = {"amp": "&", "lt": "<", "gt": ">"}
_ESCAPES = str.maketrans({sign: f"&{name};" for name, sign in _CHARACTER.items()})
_PLAIN_LINK = ("mailto:", "tel:")  # Slack makes these of what somebody wrote without them
_MOST_DEPTH = 20
_PIECES = {
    "user": ("user_id", "<@{}>"),
    "usergroup": ("usergroup_id", "<!subteam^{}>"),
    "channel": ("channel_id", "<#{}>"),
    "broadcast": ("range", "<!{}>"),
    "emoji": ("name", ":{}:"),
}


def blocks_text(blocks: Any) -> str:
    """Return what blocks say, in the markup of `text`, a line for each part; "" if they say nothing.

    >>> blocks_text([{"type": "header", "text": {"type": "plain_text", "text": "Rye & oats"}}])
    'Rye &amp; oats'
    """
    return "\n".join(line for line in _lines(blocks, 0) if line.strip())


def _lines(value: Any, depth: int) -> Iterator[str]:
    if depth > _MOST_DEPTH:
        return
    for part in _objects(value):
        if str(part.get("type")).startswith("rich_text_") and part["type"] != "rich_text_list":
            yield "".join(_piece(piece) for piece in _objects(part.get("elements")))
            continue
        for said in [part.get("text"), *_objects(part.get("fields"))]:
            yield _object_text(said)
        yield from _lines(part.get("elements"), depth + 1)


def _piece(piece: dict[str, Any]) -> str:
    """Return a piece of a line in the markup of `text`."""
    kind = piece.get("type")
    text = escaped(str(piece.get("text") or ""))
    if kind == "link":
        url = escaped(str(piece.get("url") or ""))
        return f"<{url}|{text}>" if text else f"<{url}>"
    key, form = _PIECES.get(str(kind), ("", ""))
    return form.format(piece[key]) if key in piece else text


def _object_text(value: Any) -> str:
    """Return a text, which is an object that says whether it has markup."""
    text = value.get("text") if isinstance(value, dict) else None
    if not isinstance(text, str):
        return ""
    return escaped(text) if value.get("type") == "plain_text" else text


def _objects(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


@dataclass(frozen=True, slots=True)
class SlackNames:
    """What ids stand for, by id: the names of users, and those of channels."""

    users: Mapping[str, str] = field(default_factory=dict)
    channels: Mapping[str, str] = field(default_factory=dict)


def escaped(text: str) -> str:
    """Return a plain text as one with markup, which `shown` shows as it was."""
    return text.translate(_ESCAPES)


def shown(text: str, names: SlackNames) -> str:
    """Return the text of a message as it is shown. A link with a text of its own is written as in Markdown.

    >>> shown("<@U7> &amp; <!here>: <https://a.example|the plan> in <#C7|garden>", SlackNames({"U7": "Ann"}))
    '@Ann & @here: [the plan](https://a.example) in #garden'
    """
    parts = []
    end = 0
    for found in _MARKUP.finditer(text):
        parts += [_unescaped(text[end : found.start()]), _shown(found[1], names)]
        end = found.end()
    return "".join([*parts, _unescaped(text[end:])])


def _shown(markup: str, names: SlackNames) -> str:
    target, _, label = (_unescaped(part) for part in markup.partition("|"))
    sign, rest = target[:1], target[1:]
    if sign == "@":
        return f"@{names.users.get(rest) or label.removeprefix('@') or rest}"
    if sign == "#":
        return f"#{names.channels.get(rest) or label.removeprefix('#') or rest}"
    if sign == "!":
        return _special(rest, label)
    plain = target
    for scheme in _PLAIN_LINK:
        plain = plain.removeprefix(scheme)
    if not label:
        return plain
    if label in (plain, target.partition("://")[2].rstrip("/")):  # as somebody wrote it
        return label
    return f"[{label}]({target})"


def _special(command: str, label: str) -> str:
    """Return what stands for everybody, for a group of users, or for a moment."""
    kind, *values = command.split("^")
    if kind == "date" and not label and values:
        try:
            return datetime.fromtimestamp(float(values[0]), UTC).strftime("%Y-%m-%d %H:%M UTC")
        except (ValueError, OverflowError, OSError):
            return values[0]
    if kind == "date":
        return label
    return f"@{label.removeprefix('@') or (values[0] if kind == 'subteam' and values else kind)}"


def _unescaped(text: str) -> str:
    return _ENTITY.sub(lambda found: _CHARACTER[found[1]], text)


_LISTS = frozenset(
    {"users.json", "channels.json", "groups.json", "dms.json", "mpims.json", "integration_logs.json", "canvases.json"}
)
_ATTACHED = ("pretext", "title", "text")
_CHANNELS = ("channels.json", "groups.json")

# Kinds of messages that Slack writes itself, such as channel_join or huddle_thread, by the beginning of their names.
_EVENTS = (
    "app_conversation_",
    "bot_add",
    "bot_disable",
    "bot_enable",
    "bot_remove",
    "canvas_",
    "channel_",
    "document_",
    "ekm_access_denied",
    "group_",
    "huddle_",
    "joiner_",
    "list_",
    "pinned_item",
    "reminder_",
    "sh_room_",
    "tombstone",
    "unpinned_item",
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

    Ids of users and channels are replaced by names if the export has their lists. What Slack writes itself, such as
    that somebody has joined the channel, is left out.

    Raises:
        UnreadableDocument: If an entry is not a JSON object.
    """
    if not all(isinstance(entry, dict) for entry in value):
        raise UnreadableDocument(f"{source.path}: every message must be an object", path=str(source.path))
    names = _names(source.path.parent.parent) if source.on_disk else SlackNames()
    channel = source.path.parent.name
    yield source.document(
        message_passages((_message(entry, names) for entry in value if not _is_event(entry)), source.options),
        media_type="application/json",
        title=f"#{channel} {source.path.stem}" if channel else source.path.stem,
    )


def _is_event(entry: dict[str, Any]) -> bool:
    kind = entry.get("subtype")
    return isinstance(kind, str) and kind.startswith(_EVENTS)


def _message(entry: dict[str, Any], names: SlackNames) -> ChatMessage:
    user = entry.get("user")
    profile = entry.get("user_profile")
    known = names.users.get(user) if isinstance(user, str) else None
    author = (
        known
        or (_name_in(profile) if isinstance(profile, dict) else None)
        or name_or_none(entry.get("username"))
        or name_or_none(user)
    )
    return ChatMessage(shown(_text(entry), names), author, moment(entry.get("ts")))


def _text(entry: dict[str, Any]) -> str:
    """Return the text of a message, or else of its blocks or attachments, or the names of its files."""
    text = entry.get("text")
    if isinstance(text, str) and text.strip():
        return text
    if said := blocks_text(entry.get("blocks")):
        return said
    attached = entry.get("attachments")
    parts = []
    for attachment in attached if isinstance(attached, list) else ():
        if isinstance(attachment, dict):
            said = [part for key in _ATTACHED if isinstance(part := attachment.get(key), str) and part.strip()]
            fallback = attachment.get("fallback")
            parts += said or ([fallback] if isinstance(fallback, str) else [])
    return "\n".join(parts or _file_names(entry.get("files")))


def _file_names(files: Any) -> list[str]:
    return [
        escaped(name)
        for file in (files if isinstance(files, list) else ())
        if isinstance(file, dict) and (name := name_or_none(file.get("title")) or name_or_none(file.get("name")))
    ]


def _name_in(profile: dict[str, Any]) -> str | None:
    for key in ("real_name", "display_name", "name"):
        if found := name_or_none(profile.get(key)):
            return found
    return None


def _names(export: Path) -> SlackNames:
    channels: dict[str, str] = {}
    for name in _CHANNELS:
        channels |= _listed(export / name)
    return SlackNames(_listed(export / "users.json"), channels)


def _listed(path: Path) -> dict[str, str]:
    try:
        state = path.stat()
    except OSError:
        return {}
    return _read_list(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=16)  # all days of all channels use the same lists
def _read_list(path: Path, _modified_ns: int, _size_bytes: int) -> dict[str, str]:
    """Return the names in a list of users or channels, by id."""
    try:
        listed = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    names: dict[str, str] = {}
    for each in listed if isinstance(listed, list) else ():
        if isinstance(each, dict) and isinstance(each.get("id"), str):
            profile = each.get("profile")
            if name := _name_in(each) or (_name_in(profile) if isinstance(profile, dict) else None):
                names[each["id"]] = name
    return names
