"""Reads the content of a message in the form that Claude Code and Cursor share: a text, or a list of blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphpalace.ingest.transcripts.tool_calls import tool_call


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
