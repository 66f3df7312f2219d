"""The display name of a drawer: the first words of its text."""

from __future__ import annotations

import re

MOST_CHARS = 80
READ_CHARS = 400  # characters of a text that are read to find its name
_FENCE = re.compile(r"\s*(```|~~~)")
_BEFORE = r"^\s*(?:#{1,6}\s+|>\s*|[-*+]\s+)+"
_AROUND = r"(?<!\w)[*`]{1,3}(?=\w)|(?<=\S)[*`]{1,3}(?!\w)|\s+#+\s*$"
_MARKS = re.compile(f"{_BEFORE}|{_AROUND}")
_WORDS = re.compile(r"\w")


def drawer_name(text: str) -> str:
    """Return the first line of a text that has words, without Markdown marks, up to 80 characters.

    A line that only opens a block of code, such as "```bash", is skipped.
    """
    lines = (line for line in text[:READ_CHARS].splitlines() if not _FENCE.match(line) and _WORDS.search(line))
    return one_line(_MARKS.sub("", next(lines, text[:READ_CHARS])))


def one_line(text: str) -> str:
    """Return the first words of a text in one line, up to 80 characters."""
    return " ".join(text.split())[:MOST_CHARS].strip()
