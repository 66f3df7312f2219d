"""Reads JSON Lines files with one publication or one chat message in each line. Other files are read as plain text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from graphpalace.domain.drawers.document import Document
from graphpalace.ingest.readers.chats.messages import Message, message_passages, moment, name_or_none, text_of
from graphpalace.ingest.readers.patents import is_publication, read_publications
from graphpalace.ingest.readers.plain import read_plain
from graphpalace.ingest.readers.source import Source
from graphpalace.ingest.transcripts.records import json_object

_AUTHOR = ("role", "author", "speaker", "sender")
_TEXT = ("content", "text", "message")
_TIME = ("timestamp", "created_at", "time")
_CONVERSATION = ("conversation_id", "session_id")


def read_jsonl(source: Source) -> Iterator[Document]:
    """Yield one document for each publication, or for each conversation in the order in which they begin.

    The first record decides how the file is read: as publications, as messages, or else as plain text. All messages
    without a conversation id form one conversation. Lines that are no JSON objects are left out, and counted in the
    first document.

    Raises:
        UnreadableDocument: If the file is binary, or a later line is not a valid publication.
    """
    lines = source.text().split("\n")  # splitlines would also split at U+2028, which may occur in strings
    conversations: dict[str | None, list[tuple[int, dict[str, Any]]]] = {}
    broken = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        record = json_object(line)
        if record is None:
            broken += 1
            continue
        if not conversations and is_publication(record):
            yield from read_publications(source, lines)
            return
        if not conversations and not _is_message(record):
            break
        own_id = _first(record, _CONVERSATION)
        conversations.setdefault(None if own_id is None else str(own_id), []).append((number, record))
    if not conversations:
        yield from read_plain(source)
    for own_id, records in conversations.items():
        document = source.document(
            message_passages((_message(number, record) for number, record in records), source.options),
            media_type="application/jsonl",
            title=_title(records),
            fragment=own_id,
            content=[record for _, record in records],
        )
        yield replace(document, broken_lines=broken)
        broken = 0


def _is_message(record: dict[str, Any]) -> bool:
    return _first(record, _AUTHOR) is not None and any(key in record for key in _TEXT)


def _message(number: int, record: dict[str, Any]) -> Message:
    author = _first(record, _AUTHOR)
    if isinstance(author, dict):
        author = _first(author, ("name", "role", "id"))
    return Message(text_of(_first(record, _TEXT)), name_or_none(author), moment(_first(record, _TIME)), number)


def _first(record: dict[str, Any], keys: tuple[str, ...]) -> Any:
    return next((record[key] for key in keys if record.get(key) is not None), None)


def _title(records: list[tuple[int, dict[str, Any]]]) -> str | None:
    return next((name for _, record in records if (name := name_or_none(record.get("title")))), None)
