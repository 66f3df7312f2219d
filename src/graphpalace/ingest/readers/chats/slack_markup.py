"""Writes the text of Slack's messages as Slack shows it: mentions, channels and links by name, `&amp;` as `&`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

_MARKUP = re.compile(r"<([^<>\n]+)>")
_ENTITY = re.compile(r"&(amp|lt|gt);")
_CHARACTER = {"amp": "&", "lt": "<", "gt": ">"}
_ESCAPES = str.maketrans({sign: f"&{name};" for name, sign in _CHARACTER.items()})
_PLAIN_LINK = ("mailto:", "tel:")  # Slack makes these of what somebody wrote without them


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
