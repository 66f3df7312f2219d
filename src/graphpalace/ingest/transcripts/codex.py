"""Reads transcripts of Codex: `~/.codex/sessions/**/rollout-*.jsonl`, with an event in each line.

A transcript is only ever appended to. Messages have no ids, so their text and their place among equal ones tell them
apart. A conversation that was forked from another begins with a copy of it, and names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from graphpalace.domain.conversations import ASSISTANT, SUBAGENT, TASK, USER, Message, Transcript
from graphpalace.ingest.readers.chats.messages import moment, text_of
from graphpalace.ingest.transcripts.project import project_name
from graphpalace.ingest.transcripts.records import json_records, said_by_user, tool_call

HOST = "codex"
_INSERTED = ("# AGENTS.md instructions", "<skill>", "<user_shell_command>", "<model_switch>", "<user_action>")
_REQUEST = "## My request for Codex:"  # the editor's extension puts its context above this line
_CALLS = {"function_call": "arguments", "custom_tool_call": "input", "local_shell_call": "action"}


def is_codex(records: Sequence[dict[str, Any]]) -> bool:
    """Return whether the first records of a file are of Codex."""
    if not records:
        return False
    first, meta = records[0], _meta(records)
    if first.get("type") == "session_meta":
        return "id" in meta
    return "type" not in first and {"id", "timestamp", "instructions"} <= first.keys()  # until version 0.31


def read_codex(data: bytes, path: Path) -> Transcript | None:
    """Return the conversation of a file; None if nobody has said anything in it yet."""
    records, broken = json_records(data)
    meta = _meta(records)
    inside = isinstance(meta.get("source"), dict) and "subagent" in meta["source"]
    messages = list(_messages(records, inside=inside))
    if not messages:
        return None
    own = str(meta.get("id") or path.stem)
    git = meta.get("git")
    return Transcript(
        HOST,
        own,
        messages,
        project=project_name(meta.get("cwd")) or _repository(git if isinstance(git, dict) else {}),
        origin=str(meta.get("forked_from_id") or own),
        broken_lines=broken,
    )


def _meta(records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return what the file says of its conversation. A fork has a copy of its origin's further down."""
    for record in records:
        if record.get("type") == "session_meta" and isinstance(record.get("payload"), dict):
            return record["payload"]
    return records[0] if records and "type" not in records[0] else {}


def _messages(records: Sequence[dict[str, Any]], *, inside: bool) -> Iterator[Message]:
    for record in records:
        kind = record.get("type")
        item = record.get("payload") if kind == "response_item" else record if kind != "event_msg" else None
        if not isinstance(item, dict):
            continue
        time = moment(record.get("timestamp"))
        if item.get("type") == "message" and item.get("role") in (USER, ASSISTANT):
            by_user = item["role"] == USER
            text = _text(item.get("content"), by_user=by_user)
            speaker = (TASK if inside else USER) if by_user else SUBAGENT if inside else ASSISTANT
            if text.strip():
                yield Message(text, speaker, time)
        elif (call := _call(item)) is not None:
            yield Message(call, SUBAGENT if inside else ASSISTANT, time, folded=True)


def _text(content: Any, *, by_user: bool) -> str:
    if not by_user:
        return text_of(content)
    blocks = content if isinstance(content, list) else [content]
    texts = [text for block in blocks if (text := said_by_user(text_of(block)))]
    texts = [text for text in texts if not text.lstrip().startswith(_INSERTED)]
    return "\n".join(text.partition(_REQUEST)[2].strip("\n") if _REQUEST in text else text for text in texts)


def _call(item: dict[str, Any]) -> str | None:
    kind = item.get("type")
    if isinstance(kind, str) and kind in _CALLS:
        return tool_call(item.get("name") or "shell", item.get(_CALLS[kind]))
    return tool_call("web_search", item.get("action")) if kind == "web_search_call" else None


def _repository(git: dict[str, Any]) -> str | None:
    url = git.get("repository_url")
    return re.split(r"[/:]", url.rstrip("/"))[-1].removesuffix(".git") or None if isinstance(url, str) else None
