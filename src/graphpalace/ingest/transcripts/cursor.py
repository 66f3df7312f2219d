"""Reads transcripts of Cursor: `~/.cursor/projects/*/agent-transcripts/**/*.jsonl`, with a message in each line.

Messages have no ids, so their text and their place among equal ones tell them apart. Many have no time either; then the
time when the file was last written stands for it, if the caller gives that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from graphpalace.domain.conversations import ASSISTANT, SUBAGENT, TASK, USER, Message, Transcript
from graphpalace.ingest.readers.chats.messages import enclosed, moment, without_enclosed
from graphpalace.ingest.transcripts.project import slug_project
from graphpalace.ingest.transcripts.records import json_records, said_by_user, texts_and_calls

HOST = "cursor"
_QUERY = re.compile("<user_query>"), re.compile("</user_query>")
_TIME = re.compile("<timestamp>"), re.compile("</timestamp>")
_TIME_CHARS = 100
_ZONED = re.compile(r"(.*?)\s*\(UTC(?:([+-])(\d{1,2})(?::(\d{2}))?)?\)")


def is_cursor(records: Sequence[dict[str, Any]]) -> bool:
    """Return whether the first records of a file are of Cursor."""
    return bool(records) and all(
        record.get("role") in (USER, ASSISTANT)
        and isinstance(record.get("message"), dict)
        and isinstance(record["message"].get("content"), list)
        for record in records[:1]
    )


def read_cursor(data: bytes, path: Path) -> Transcript | None:
    """Return the conversation of a file; None if nobody has said anything in it yet."""
    inside = path.parent.name == "subagents"
    records, broken = json_records(data)
    messages = list(_messages(records, inside=inside))
    if not messages:
        return None
    return Transcript(
        HOST,
        f"{path.parent.parent.name}#{path.stem}" if inside else path.stem,
        messages,
        project=slug_project(next((at.parent.name for at in path.parents if at.name == "agent-transcripts"), "")),
        broken_lines=broken,
    )


def _messages(records: Sequence[dict[str, Any]], *, inside: bool) -> Iterator[Message]:
    for record in records:
        message = record.get("message")
        if record.get("role") not in (USER, ASSISTANT) or not isinstance(message, dict):
            continue
        by_user = record["role"] == USER
        content = message.get("content")
        text, folded = texts_and_calls(content, _asked if by_user else str)
        if text.strip():
            speaker = (TASK if inside else USER) if by_user else SUBAGENT if inside else ASSISTANT
            yield Message(text, speaker, moment(record.get("timestamp")) or _time(content), folded=folded)


def _asked(text: str) -> str:
    """Return what the user asked; the editor's context stands around it."""
    asked = [text[start:end].strip() for _, start, end, _ in enclosed(text, *_QUERY)]
    return "\n\n".join(asked) if asked else said_by_user(without_enclosed(text, *_TIME))


def _time(content: Any) -> datetime | None:
    """Return the time that stands in a message, such as `Tuesday, Apr 28, 2026, 10:15 AM (UTC+3)`."""
    for block in content if isinstance(content, list) else ():
        text = block.get("text") if isinstance(block, dict) else None
        if not isinstance(text, str) or (found := next(enclosed(text, *_TIME), None)) is None:
            continue
        if zoned := _ZONED.fullmatch(text[found[1] : found[2]].strip()[:_TIME_CHARS]):
            offset = timedelta(hours=int(zoned[3] or 0), minutes=int(zoned[4] or 0)) * (-1 if zoned[2] == "-" else 1)
            try:
                local = datetime.strptime(zoned[1].partition(", ")[2], "%b %d, %Y, %I:%M %p")
                return local.replace(tzinfo=timezone(offset)).astimezone(UTC)
            except (ValueError, OverflowError):  # an offset of a day or more; before the year 1
                return None
    return None
