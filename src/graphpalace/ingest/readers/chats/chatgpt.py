"""Reads exports of ChatGPT: `conversations.json` with a tree of messages for each conversation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeGuard

from graphpalace.domain.document import Document
from graphpalace.errors import UnreadableDocument
from graphpalace.ingest.readers.chats.branch import shown_branch
from graphpalace.ingest.readers.chats.citation_marks import without_marks
from graphpalace.ingest.readers.chats.messages import Message, message_passages, moment, name_or_none, text_of
from graphpalace.ingest.readers.source import Source


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
