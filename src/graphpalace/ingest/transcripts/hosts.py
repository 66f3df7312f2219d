"""The hosts whose transcripts can be read: how each is recognised, read and found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphpalace.domain.conversations import Transcript
from graphpalace.errors import InvalidInput, UnreadableDocument
from graphpalace.ingest.transcripts.claude_code import is_claude_code, read_claude_code
from graphpalace.ingest.transcripts.codex import is_codex, read_codex
from graphpalace.ingest.transcripts.cursor import is_cursor, read_cursor
from graphpalace.ingest.transcripts.gemini import is_gemini, is_gemini_head, read_gemini
from graphpalace.ingest.transcripts.records import head_records

SUFFIXES = (".jsonl", ".json")
_HEAD_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Host:
    """A program whose transcripts can be read.

    Attributes:
        recognises: Tells by the first records of a file whether it is of this host.
        read: Reads a whole file; its path tells what the content does not.
        folder: Where it keeps its transcripts, below the home of the user.
        files: Pattern of their paths below that folder.
    """

    name: str
    recognises: Callable[[Sequence[dict[str, Any]]], bool]
    read: Callable[[bytes, Path], Transcript | None]
    folder: str
    files: str


HOSTS = {
    host.name: host
    for host in (
        Host("claude-code", is_claude_code, read_claude_code, ".claude/projects", "**/*.jsonl"),
        Host("codex", is_codex, read_codex, ".codex/sessions", "**/rollout-*.jsonl"),
        Host("cursor", is_cursor, read_cursor, ".cursor/projects", "*/agent-transcripts/**/*.jsonl"),
        Host("gemini", is_gemini, read_gemini, ".gemini/tmp", "*/chats/**/*.json*"),
    )
}


def host_of(head: bytes) -> Host | None:
    """Return the host whose transcript begins with these bytes; None if it is no transcript."""
    if is_gemini_head(head):
        return HOSTS["gemini"]
    records = head_records(head)
    return next((host for host in HOSTS.values() if host.recognises(records)), None)


def read_transcript(data: bytes, path: Path, *, host: str | None = None) -> Transcript | None:
    """Return the conversation of a transcript; None if nobody has said anything in it yet.

    Args:
        data: What the file has. A last line that is not complete is left out.
        host: Its host; None: the content tells it.

    Raises:
        InvalidInput: If there is no such host.
        UnreadableDocument: If it is a transcript of no known host.
    """
    if host is not None and host not in HOSTS:
        raise InvalidInput(f"host is {host!r}; it must be one of {', '.join(HOSTS)}", field="host", value=host)
    chosen = HOSTS[host] if host is not None else host_of(data)
    if chosen is None:
        if data.lstrip()[:1] in (b"", b"{") and not head_records(data):  # no line of it is complete
            return None
        raise UnreadableDocument(
            f"{path} is no transcript of {', '.join(HOSTS)}; use `ingest` for other files", path=str(path)
        )
    return chosen.read(data, path)


def is_transcript(path: Path) -> bool:
    """Return whether a file is a transcript of a known host, judged by its suffix and its beginning."""
    if path.suffix.lower() not in SUFFIXES:
        return False
    try:
        with path.open("rb") as opened:
            head = opened.read(_HEAD_BYTES)
    except OSError:
        return False
    return host_of(head) is not None
