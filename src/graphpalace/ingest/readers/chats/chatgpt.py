"""Reads exports of ChatGPT: `conversations.json` with a tree of messages for each conversation.

What ChatGPT puts into its answers for its own page is removed, such as the marks of citations. A mark begins with the
private-use sign U+E200, has its parts apart by U+E202, and ends with U+E201. Its first part is its kind; most kinds,
such as `cite`, point to what only the page knows. Single signs stand around the cited words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TypeGuard

from graphpalace.domain.drawers.document import Document
from graphpalace.errors import UnreadableDocument
from graphpalace.ingest.readers.chats.messages import (
    Message,
    message_passages,
    moment,
    name_or_none,
    shown_branch,
    text_of,
)
from graphpalace.ingest.readers.source import Source

_BLANK = r"[ \t]*"
_MARK = re.compile(f"({_BLANK})\ue200([^\ue200\ue201]*)\ue201")
_CUT_OFF = re.compile(f"{_BLANK}\ue200\\w*(?:\ue202\\S*)*")  # the answer was stopped inside of the mark
_SIGNS = re.compile("[\ue200-\ue2ff]")
_OLD_MARK = re.compile(rf"{_BLANK}\u3010\d+(?::\d+)?\u2020[^\u3010\u3011\n]*\u3011")
_SHOWN = {"entity", "url"}  # kinds whose second part is read by the user


def is_chatgpt(value: Any) -> TypeGuard[list[Any]]:
    """Return whether a JSON value is an export of ChatGPT."""
    return bool(value) and isinstance(value, list) and isinstance(value[0], dict) and "mapping" in value[0]


def read_chatgpt(source: Source, value: list[Any]) -> Iterator[Document]:
    """Yield one document for each conversation: the branch that was shown last, from the root to `current_node`.

    Messages that ChatGPT hides from the user are left out, and so are the marks of its citations.

    Raises:
        UnreadableDocument: If a conversation has no tree of messages.
    """
    for number, conversation in enumerate(value):
        mapping = conversation.get("mapping") if isinstance(conversation, dict) else None
        if not isinstance(mapping, dict):
            raise UnreadableDocument(
                f"{source.path}: conversation {number} has no mapping of messages", path=str(source.path)
            )
        own_id = conversation.get("conversation_id") or conversation.get("id") or number
        yield source.document(
            message_passages(
                _messages(conversation.get("current_node"), mapping),
                source.options,
                began_at=moment(conversation.get("create_time")),
            ),
            media_type="application/json",
            title=name_or_none(conversation.get("title")),
            fragment=str(own_id),
            content=conversation,
        )


def _messages(current: Any, mapping: dict[str, Any]) -> Iterator[Message]:
    nodes = {key: node for key, node in mapping.items() if isinstance(node, dict)}
    for node in shown_branch(nodes, current, parent="parent"):
        message = node.get("message")
        if not isinstance(message, dict):
            continue
        metadata = message.get("metadata")
        if isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation"):
            continue
        author = message.get("author")
        author = author if isinstance(author, dict) else {}
        yield Message(
            text=without_marks(_text(message.get("content"))),
            author=name_or_none(author.get("name")) or name_or_none(author.get("role")),
            occurred_at=moment(message.get("create_time")),
        )


def _text(content: Any) -> str:
    if not isinstance(content, dict):
        return ""
    return text_of(content.get("parts")) or text_of(content.get("text")) or text_of(content.get("result"))


def without_marks(text: str) -> str:
    """Return a text without the marks. What the user sees in place of a mark stays: the name of a thing, or of a link.

    >>> without_marks("It rests.\ue200cite\ue202turn0search1\ue201 Then it bakes\u30104:0\u2020source\u3011.")
    'It rests. Then it bakes.'
    >>> without_marks('In \ue200entity\ue202["city","Ghent","Belgium"]\ue201 it rains.')
    'In Ghent it rains.'
    """
    if "\ue200" not in text and "\u2020" not in text:
        return text
    return _OLD_MARK.sub("", _SIGNS.sub("", _CUT_OFF.sub("", _MARK.sub(_seen, text))))


def _seen(mark: re.Match[str]) -> str:
    kind, _, rest = mark[2].partition("\ue202")
    if kind not in _SHOWN:
        return ""
    shown = rest.partition("\ue202")[0]
    if kind == "entity":
        try:
            shown = str(json.loads(rest)[1])
        except (ValueError, LookupError, TypeError):
            return ""
    return mark[1] + shown
