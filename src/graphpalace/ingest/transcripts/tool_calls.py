"""Folds a call of a tool into one short line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_MOST_CHARS = 160
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
