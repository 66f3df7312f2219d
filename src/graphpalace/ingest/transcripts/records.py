"""What transcripts consist of: lines of JSON, blocks of a message, calls of tools, and what hosts put into messages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

from graphpalace.ingest.readers.chats.messages import enclosed, without_enclosed

_HEAD_RECORDS = 50
_HEAD_BYTES = 1 << 20
_MOST_CHARS = 160
_HALF = re.compile(rb"\\u[dD]|\xed")  # what a half may be written with
_MAIN = (
    "command",
    "cmd",
    "file_path",
    "absolute_path",
    "notebook_path",
    "path",
    "target_file",
    "dir_path",
    "pattern",
    "query",
    "url",
    "skill",
    "description",
    "prompt",
    "input",
)
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_ANYWHERE = (
    *(
        (re.compile(f"<{tag}>"), re.compile(rf"</{tag}>\s*+"))
        for tag in ("system-reminder", "system_reminder", "hook_context", "graphpalace-memory")
    ),
    (  # within a line, it would be a quoted text
        re.compile("&lt;graphpalace-memory&gt;"),
        re.compile(r"^&lt;/graphpalace-memory&gt;\s*+", re.MULTILINE),
    ),
)
_WHOLE = re.compile(
    r"\s*<(local-command-stdout|local-command-stderr|local-command-caveat|bash-stdout|bash-stderr|task-notification|"
    r"user-prompt-submit-hook|ide_opened_file|ide_selection|ide_diagnostics|environment_context|user_instructions|"
    r"permissions instructions|collaboration_mode|turn_aborted|subagent_notification|session_context|user_info|"
    r"git_status|INSTRUCTIONS)>.*",
    re.DOTALL,
)
_INTERRUPTED = re.compile(r"\s*\[Request interrupted by user[^\]]*\]\s*")
_COMMAND = re.compile("<command-name>"), re.compile("</command-name>")
_ARGUMENTS = re.compile("<command-args>"), re.compile("</command-args>")
_SHELL = re.compile(r"\s*<bash-input>(.*?)</bash-input>\s*", re.DOTALL)


def json_records(data: bytes) -> tuple[list[dict[str, Any]], int]:
    """Return the JSON objects of a file, one for each line, and how many lines are damaged, as after a crash.

    A last line that is not complete yet is left out, and is not damaged.
    """
    whole, _, last = data.rpartition(b"\n")
    read = [storable_object(line) for line in whole.split(b"\n") if line.strip()]
    records = [record for record in (*read, storable_object(last)) if record is not None]
    return records, read.count(None)


def head_records(data: bytes) -> list[dict[str, Any]]:
    """Return the first objects of a file, by which its host is recognised."""
    records = (json_object(line) for line in data[:_HEAD_BYTES].split(b"\n") if line.strip())
    return list(islice((record for record in records if record is not None), _HEAD_RECORDS))


def json_object(line: str | bytes) -> dict[str, Any] | None:
    """Return the JSON object of a line; None if it is damaged, or another value."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def storable_object(line: bytes) -> dict[str, Any] | None:
    """Return the JSON object of a line; in its texts and names, a sign stands for each half of a surrogate pair.

    JSON can carry such halves, and no encoding can store them.
    """
    record = json_object(line)
    if record is None or not _HALF.search(line):
        return record
    try:
        written = json.dumps(record, ensure_ascii=False)
    except RecursionError:
        return None
    return json_object(written.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def texts_and_calls(content: Any, cleaned: Callable[[str], str]) -> tuple[str, bool]:
    """Return what a message says with a line for each call of a tool, and whether it only has calls.

    Results of tools, thinking and pictures are left out.

    Args:
        cleaned: Returns a text without what the host has put into it.
    """
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    parts: list[tuple[str, bool]] = []
    for block in blocks:
        if not isinstance(block, dict):
            continue
        if block.get("type") == "text" and isinstance(block.get("text"), str):
            parts.append((cleaned(block["text"]), False))
        elif block.get("type") == "tool_use":
            parts.append((tool_call(block.get("name"), block.get("input")), True))
    parts = [(text, call) for text, call in parts if text.strip()]
    return joined(parts), bool(parts) and all(call for _, call in parts)


def joined(parts: list[tuple[str, bool]]) -> str:
    """Return texts as one, with a blank line between them, but not between two calls of tools.

    Args:
        parts: Each text, and whether it only has calls of tools.
    """
    out = ""
    before = False
    for text, call in parts:
        out += ("" if not out else "\n" if call and before else "\n\n") + text
        before = call
    return out


def tool_call(name: Any, arguments: Any) -> str:
    """Return the line for a call: the tool's name and its main argument. Other arguments and the result are left out.

    Args:
        arguments: An object, or one as JSON, or a plain text.

    >>> tool_call("Bash", {"command": "make test", "timeout": 9})
    '[Bash: make test]'
    """
    told = name.strip() if isinstance(name, str) and name.strip() else "tool"
    main = " ".join(_main(_opened(arguments)).split())
    if len(main) > _MOST_CHARS:
        main = main[: _MOST_CHARS - 1] + "…"
    return f"[{told}: {main}]" if main else f"[{told}]"


def _opened(arguments: Any) -> Any:
    if isinstance(arguments, str) and arguments.lstrip()[:1] == "{":
        try:
            return json.loads(arguments)
        except (ValueError, RecursionError):
            return arguments
    return arguments


def _main(arguments: Any) -> str:
    if isinstance(arguments, str):
        files = _PATCHED.findall(arguments)
        return ", ".join(files) if files else arguments
    if not isinstance(arguments, Mapping):
        return ""
    named = [arguments[key] for key in _MAIN if key in arguments]
    return next((text for value in (*named, *arguments.values()) if (text := _text(value))), "")


def _text(value: Any) -> str:
    if isinstance(value, str):
        files = _PATCHED.findall(value)
        return ", ".join(files) if files else value.strip()
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return " ".join(value)
    return ""


def said_by_user(text: str) -> str:
    """Return what a user has written, word for word, without what the host has put in; "" if that is all there is.

    A slash command becomes one line, such as `/review main`, and a shell command `! ls`.
    """
    for opening, closing in _ANYWHERE:
        text = without_enclosed(text, opening, closing)
    if _WHOLE.fullmatch(text) or _INTERRUPTED.fullmatch(text):
        return ""
    if text.lstrip().startswith(("<command-name>", "<command-message>")):
        parts = [next(enclosed(text, *tags), None) for tags in (_COMMAND, _ARGUMENTS)]
        if parts[0] is not None:
            return " ".join(text[part[1] : part[2]].strip() for part in parts if part is not None).strip()
    if (shell := _SHELL.fullmatch(text)) is not None:
        return f"! {shell[1].strip()}"
    return text.strip("\n") if text.strip() else ""
