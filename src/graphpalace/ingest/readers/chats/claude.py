"""Reads exports of Claude: `conversations.json` with a list of messages for each conversation."""

from __future__ import annotations

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

_PARENT = "parent_message_uuid"


def is_claude(value: Any) -> TypeGuard[list[Any]]:
    """Return whether a JSON value is an export of Claude."""
    return bool(value) and isinstance(value, list) and isinstance(value[0], dict) and "chat_messages" in value[0]


def read_claude(source: Source, value: list[Any]) -> Iterator[Document]:
    """Yield one document for each conversation: the branch that was shown last, if messages name their parents.

    Text extracted from an attachment becomes a message of its own.

    Raises:
        UnreadableDocument: If a conversation has no list of messages.
    """
    for number, conversation in enumerate(value):
        messages = conversation.get("chat_messages") if isinstance(conversation, dict) else None
        if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
            raise UnreadableDocument(
                f"{source.path}: conversation {number} has no chat_messages", path=str(source.path)
            )
        yield source.document(
            message_passages(
                _messages(_branch(messages, conversation.get("current_leaf_message_uuid"))),
                source.options,
                began_at=moment(conversation.get("created_at")),
            ),
            media_type="application/json",
            title=name_or_none(conversation.get("name")),
            fragment=str(conversation.get("uuid") or number),
            content=conversation,
        )


def _branch(messages: list[dict[str, Any]], current: Any) -> list[dict[str, Any]]:
    nodes = {message["uuid"]: message for message in messages if isinstance(message.get("uuid"), str)}
    joined = any(message.get(_PARENT) in nodes for message in messages)
    return shown_branch(nodes, current, parent=_PARENT) if joined else messages


def _messages(messages: list[dict[str, Any]]) -> Iterator[Message]:
    for message in messages:
        author = name_or_none(message.get("sender"))
        occurred_at = moment(message.get("created_at"))
        # `content` has the blocks of the message; `text` repeats them, with placeholders for what is not text.
        content = message.get("content")
        texts = [text_of(content) or ("" if _has_other_blocks(content) else text_of(message.get("text")))]
        attachments = message.get("attachments")
        if isinstance(attachments, list):
            texts += [text_of(file.get("extracted_content")) for file in attachments if isinstance(file, dict)]
        for text in texts:
            yield Message(text=text, author=author, occurred_at=occurred_at)


def _has_other_blocks(content: Any) -> bool:
    blocks = content if isinstance(content, list) else []
    return any(isinstance(block, dict) and block.get("type") != "text" for block in blocks)
