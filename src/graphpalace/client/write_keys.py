"""The keys under which writes are sent, so that a write that is sent again is done once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from graphpalace.errors import InvalidInput

_MOST_CHARS = 200
_READS = ("GET", "HEAD")


@dataclass(slots=True)
class _Given:
    key: str
    sent: int = 0


_GIVEN: ContextVar[_Given | None] = ContextVar("given_key", default=None)


@contextmanager
def keyed(key: str | None) -> Iterator[None]:
    """Send the writes of this task under a key of the caller's own; those after the first as `key.2` and so on.

    Args:
        key: 1 to 200 visible ASCII characters without blanks. None: the keys that are used already.
    Raises:
        InvalidInput: If the key is not possible.
    """
    if key is None:
        yield
        return
    if not 1 <= len(key) <= _MOST_CHARS or not all("!" <= character <= "~" for character in key):
        raise InvalidInput(
            f"key is {key[:100]!r}; it must be 1 to {_MOST_CHARS} visible ASCII characters without blanks, "
            "such as a UUID",
            field="key",
            value=key[:100],
        )
    token = _GIVEN.set(_Given(key))
    try:
        yield
    finally:
        _GIVEN.reset(token)


def given_key(method: str) -> str | None:
    """Return the key that the caller gives to the next call; None if it gives none, or the call only reads."""
    given = _GIVEN.get()
    if given is None or method in _READS:
        return None
    given.sent += 1
    return given.key if given.sent == 1 else f"{given.key}.{given.sent}"
