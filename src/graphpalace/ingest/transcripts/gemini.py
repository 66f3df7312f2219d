"""Reads transcripts of Gemini CLI: `~/.gemini/tmp/*/chats/`, JSON in one piece or, since version 0.39, in lines.

A message has an id. In lines, it may be written again with more in it; the last one counts. What the user went back
over stays, because it was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from graphpalace.domain.conversations import ASSISTANT, SUBAGENT, TASK, USER, Message, Transcript
from graphpalace.ingest.readers.chats.messages import moment, name_or_none, text_of
from graphpalace.ingest.transcripts.project import project_name
from graphpalace.ingest.transcripts.records import joined, json_records, said_by_user, storable_object, tool_call

HOST = "gemini"
_HASH = re.compile(r"[0-9a-f]{64}")
_SETUP = "This is the Gemini CLI. We are setting up the context"


def is_gemini(records: Sequence[dict[str, Any]]) -> bool:
    """Return whether the first records of a file, or its only value, are of Gemini CLI."""
    return bool(records) and isinstance(records[0].get("sessionId"), str) and "projectHash" in records[0]


def is_gemini_head(head: bytes) -> bool:
    """Return whether a JSON file begins as a transcript does."""
    return head.lstrip()[:1] == b"{" and b'"sessionId"' in head[:2000] and b'"projectHash"' in head[:2000]


def read_gemini(data: bytes, path: Path) -> Transcript | None:
    """Return the conversation of a file; None if nobody has said anything in it, or it is not written to its end."""
    records, broken = json_records(data)
    if not records:  # it may be one value over several lines
        records, broken = _whole(data), 0
    meta: dict[str, Any] = {}
    said: dict[str, dict[str, Any]] = {}
    for record in records:
        if isinstance(record.get("$set"), dict):
            meta.update({key: value for key, value in record["$set"].items() if key != "messages"})
            _note(said, record["$set"].get("messages"))
        elif "sessionId" in record:
            meta.update({key: value for key, value in record.items() if key != "messages"})
            _note(said, record.get("messages"))
        else:
            _note(said, [record])
    session = name_or_none(meta.get("sessionId"))
    inside = meta.get("kind") == "subagent"
    messages = list(_messages(said.values(), inside=inside))
    if not messages or session is None:
        return None
    return Transcript(
        HOST,
        f"{path.parent.name}#{session}" if inside and path.parent.name != "chats" else session,
        messages,
        project=_project(path),
        title=name_or_none(meta.get("summary")),
        broken_lines=broken,
    )


def _whole(data: bytes) -> list[dict[str, Any]]:
    value = storable_object(data)
    return [] if value is None else [value]


def _note(said: dict[str, dict[str, Any]], messages: Any) -> None:
    for message in messages if isinstance(messages, list) else ():
        if isinstance(message, dict) and isinstance(message.get("id"), str):
            said[message["id"]] = message


def _messages(said: Any, *, inside: bool) -> Iterator[Message]:
    for message in said:
        kind = message.get("type")
        if kind not in (USER, "gemini"):
            continue
        text = text_of(message.get("displayContent")) or text_of(message.get("content"))
        if kind == USER:
            text = said_by_user(text)
            if text.strip() and not text.lstrip().startswith(_SETUP):
                yield Message(text, TASK if inside else USER, moment(message.get("timestamp")), message["id"])
            continue
        calls = message.get("toolCalls")
        lines = [
            tool_call(call.get("name"), call.get("args"))
            for call in (calls if isinstance(calls, list) else ())
            if isinstance(call, dict)
        ]
        parts = [(text, False)] if text.strip() else []
        parts += [(line, True) for line in lines]
        if parts:
            yield Message(
                joined(parts),
                SUBAGENT if inside else ASSISTANT,
                moment(message.get("timestamp")),
                message["id"],
                folded=not text.strip(),
            )


def _project(path: Path) -> str | None:
    """Return the name of the project: what the host notes beside the chats, or the name of their folder."""
    folders = [folder for folder in path.parents if folder.name == "chats"]
    if not folders:
        return None
    place = folders[-1].parent
    try:
        return project_name((place / ".project_root").read_text("utf-8").strip())
    except (OSError, ValueError):
        return None if _HASH.fullmatch(place.name) else place.name or None
