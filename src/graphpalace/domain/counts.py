"""Counts in sentences."""

from __future__ import annotations


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun, which is plural unless the number is 1.

    >>> counted(1, "lesson"), counted(0, "lesson"), counted(2, "box", "boxes")
    ('1 lesson', '0 lessons', '2 boxes')
    """
    return f"{count} {noun if count == 1 else plural or f'{noun}s'}"
