"""Reads the blocks of a message of Slack, in which programs and newer clients may write a text that is nowhere else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from graphpalace.ingest.readers.chats.slack_markup import escaped

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
        for field in [part.get("text"), *_objects(part.get("fields"))]:
            yield _text(field)
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
