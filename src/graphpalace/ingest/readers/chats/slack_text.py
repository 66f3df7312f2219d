"""Writes the text of Slack's messages as Slack shows it, from its markup or from the blocks of a message."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

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
            yield _text(said)
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


def _text(value: Any) -> str:
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
