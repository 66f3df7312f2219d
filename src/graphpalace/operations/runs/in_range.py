"""Check a number that a caller gives."""

from __future__ import annotations

from graphpalace.errors import InvalidInput


def in_range(name: str, value: int, low: int, high: int) -> None:
    """Raise `InvalidInput` unless low <= value <= high."""
    if not low <= value <= high:
        raise InvalidInput(f"{name} is {value}; it must be {low} to {high}", field=name, value=value)
