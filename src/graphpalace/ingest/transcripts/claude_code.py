"""Reads transcripts of Claude Code: `~/.claude/projects/*/*.jsonl`, with one message or a part of one in each line.

A transcript is only ever appended to. A message has a `uuid`, which copies of it in other transcripts keep, as when a
conversation is continued in a new file. What a sub-agent says has `isSidechain`; newer versions keep it in a file of
its own, which names the conversation that it belongs to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from graphpalace.domain.conversations import ASSISTANT, SUBAGENT, TASK, USER, Message, Transcript
from graphpalace.ingest.readers.chats.messages import moment, name_or_none
from graphpalace.ingest.transcripts.project import project_name
from graphpalace.ingest.transcripts.records import json_records, said_by_user, texts_and_calls

HOST = "claude-code"
_BEGINNINGS = ("file-history-snapshot", "queue-operation", "permission-mode")  # lines that may come before messages
_TOLD = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage")


def is_claude_code(records: Sequence[dict[str, Any]]) -> bool:
    """Return whether the first records of a file are of Claude Code."""
    return any(
        record.get("type") in _BEGINNINGS
        or (
            record.get("type") in (USER, ASSISTANT)
            and isinstance(record.get("sessionId"), str)
            and isinstance(record.get("uuid"), str)
            and isinstance(record.get("message"), dict)
        )
        for record in records
    )


def read_claude_code(data: bytes, path: Path) -> Transcript | None:
    """Return the conversation of a file; None if nobody has said anything in it yet."""
    read, broken = json_records(data)
    records = [record for record in read if isinstance(record.get("sessionId"), str)]
    spoken = [record for record in records if record.get("type") in (USER, ASSISTANT)]
    if not spoken:
        return None
    sessions = [record["sessionId"] for record in spoken]
    session = path.stem if path.stem in sessions else sessions[0]
    agent = next((record.get("agentId") for record in spoken), None)
    if isinstance(agent, str) and all(record.get("isSidechain") for record in spoken):
        session = f"{session}#{agent}"
    return Transcript(
        HOST,
        session,
        list(_messages(spoken)),
        project=next((name for record in records if (name := project_name(record.get("cwd")))), None),
        title=_title(records),
        broken_lines=broken,
    )


def _messages(records: Sequence[dict[str, Any]]) -> Iterator[Message]:
    for record in records:
        message = record.get("message")
        if not isinstance(message, dict) or any(record.get(key) for key in _TOLD):
            continue
        if message.get("model") == "<synthetic>":  # written by the host, not by a model
            continue
        by_user = record["type"] == USER
        text, folded = texts_and_calls(message.get("content"), said_by_user if by_user else str)
        if not text.strip():
            continue
        inside = bool(record.get("isSidechain"))
        speaker = (TASK if inside else USER) if by_user else SUBAGENT if inside else ASSISTANT
        yield Message(text, speaker, moment(record.get("timestamp")), name_or_none(record.get("uuid")), folded=folded)


def _title(records: Sequence[dict[str, Any]]) -> str | None:
    for kind, key in (("custom-title", "customTitle"), ("ai-title", "aiTitle")):
        named = [name for record in records if record.get("type") == kind and (name := name_or_none(record.get(key)))]
        if named:
            return named[-1]
    return None
