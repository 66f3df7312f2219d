"""Where a text comes from, in words."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit


def source_words(uri: str, start_line: int, end_line: int) -> str:
    """Return the source of a text as people read it: a file and its lines, or the notes of a room.

    Args:
        start_line, end_line: Of the text in its source, from 1, inclusive.

    >>> source_words("file:///home/ann/my%20notes.md", 3, 9), source_words("notes:keys", 1, 1)
    ('/home/ann/my notes.md:3-9', 'notes of keys')
    """
    kind, _, rest = uri.partition(":")
    if kind == "notes":  # a text that was added without a source
        return f"notes of {rest}"
    place = unquote(urlsplit(uri).path) if kind == "file" else uri
    return f"{place}:{start_line}-{end_line}"
