"""Reads exports of Open WebUI: a list of chats, each with a tree of messages and a copy of the branch that is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeGuard

from graphpalace.domain.drawers.document import Document
from graphpalace.errors import UnreadableDocument
from graphpalace.ingest.readers.chats.chatgpt import without_marks
from graphpalace.ingest.readers.chats.messages import (
    Message,
    message_passages,
    moment,
    name_or_none,
    shown_branch,
    text_of,
)
from graphpalace.ingest.readers.source import Source

# What the model thought, and the calls of tools with their results, stand in the text of its answer.
_FOLDED = re.compile(r"<details\b[^>]*\btype=\"(?:reasoning|tool_calls)\"[^>]*>.*?</details>\s*", re.DOTALL)


def is_open_webui(value: Any) -> TypeGuard[list[Any]]:
    """Return whether a JSON value is an export of Open WebUI."""
    if not (value and isinstance(value, list) and isinstance(value[0], dict)):
        return False
    chat = value[0].get("chat")
    return isinstance(chat, dict) and ("history" in chat or "messages" in chat)


def read_open_webui(source: Source, value: list[Any]) -> Iterator[Document]:
    """Yield one document for each chat: the branch that was shown last.

    Raises:
        UnreadableDocument: If a chat has no messages.
    """
    for number, kept in enumerate(value):
        chat = kept.get("chat") if isinstance(kept, dict) else None
        messages = _branch(chat) if isinstance(chat, dict) else None
        if messages is None or not isinstance(kept, dict) or not isinstance(chat, dict):
            raise UnreadableDocument(f"{source.path}: chat {number} has no messages", path=str(source.path))
        yield source.document(
            message_passages(
                [_message(message) for message in messages],
                source.options,
                began_at=moment(kept.get("created_at")) or moment(chat.get("timestamp")),
            ),
            media_type="application/json",
            title=name_or_none(kept.get("title")) or name_or_none(chat.get("title")),
            fragment=str(kept.get("id") or chat.get("id") or number),
            content=kept,
        )


def _branch(chat: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Return the messages that are shown; None if the chat has none. Chats of old versions have no tree."""
    history = chat.get("history")
    tree = history.get("messages") if isinstance(history, dict) else None
    if isinstance(history, dict) and isinstance(tree, dict):
        nodes = {key: node for key, node in tree.items() if isinstance(node, dict)}
        if branch := shown_branch(nodes, history.get("currentId"), parent="parentId"):
            return branch
    listed = chat.get("messages")
    if isinstance(listed, list) and all(isinstance(message, dict) for message in listed):
        return listed
    return [] if isinstance(tree, dict) else None


def _message(message: dict[str, Any]) -> Message:
    return Message(
        text=without_marks(_FOLDED.sub("", text_of(message.get("content")))),  # it imports chats of ChatGPT
        author=name_or_none(message.get("role")),
        occurred_at=moment(message.get("timestamp")),
    )
