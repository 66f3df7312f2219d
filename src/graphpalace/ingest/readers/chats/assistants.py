"""Reads exports of chats with assistants: of ChatGPT, Open WebUI and Claude."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TypeGuard

from graphpalace.domain.drawers.document import Document
from graphpalace.errors import UnreadableDocument
from graphpalace.ingest.readers.chats.messages import (
    ChatMessage,
    message_passages,
    moment,
    name_or_none,
    shown_branch,
    text_of,
    without_enclosed,
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
                _chatgpt_messages(conversation.get("current_node"), mapping),
                source.options,
                began_at=moment(conversation.get("create_time")),
            ),
            media_type="application/json",
            title=name_or_none(conversation.get("title")),
            fragment=str(own_id),
            content=conversation,
        )


def _chatgpt_messages(current: Any, mapping: dict[str, Any]) -> Iterator[ChatMessage]:
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
        yield ChatMessage(
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


# What the model thought, and the calls of tools with their results, stand in the text of its answer.
_FOLDED = re.compile(r"<details\b[^<>]{0,500}?\btype=\"(?:reasoning|tool_calls)\"[^<>]{0,10000}>")
_FOLDED_END = re.compile(r"</details>\s*+")


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
        messages = _open_webui_branch(chat) if isinstance(chat, dict) else None
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


def _open_webui_branch(chat: dict[str, Any]) -> list[dict[str, Any]] | None:
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


def _message(message: dict[str, Any]) -> ChatMessage:
    return ChatMessage(
        # it imports chats of ChatGPT
        text=without_marks(without_enclosed(text_of(message.get("content")), _FOLDED, _FOLDED_END)),
        author=name_or_none(message.get("role")),
        occurred_at=moment(message.get("timestamp")),
    )


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
                _claude_messages(_claude_branch(messages, conversation.get("current_leaf_message_uuid"))),
                source.options,
                began_at=moment(conversation.get("created_at")),
            ),
            media_type="application/json",
            title=name_or_none(conversation.get("name")),
            fragment=str(conversation.get("uuid") or number),
            content=conversation,
        )


def _claude_branch(messages: list[dict[str, Any]], current: Any) -> list[dict[str, Any]]:
    nodes = {message["uuid"]: message for message in messages if isinstance(message.get("uuid"), str)}
    joined = any(message.get(_PARENT) in nodes for message in messages)
    return shown_branch(nodes, current, parent=_PARENT) if joined else messages


def _claude_messages(messages: list[dict[str, Any]]) -> Iterator[ChatMessage]:
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
            yield ChatMessage(text=text, author=author, occurred_at=occurred_at)


def _has_other_blocks(content: Any) -> bool:
    blocks = content if isinstance(content, list) else []
    return any(isinstance(block, dict) and block.get("type") != "text" for block in blocks)
