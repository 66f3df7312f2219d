"""The key under which a client sends a write, so that a request that is sent again is done once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from hashlib import blake2b

from graphpalace.domain.identity import stable_id
from graphpalace.errors import InvalidInput

MOST_KEY_CHARS = 200
_KEY = re.compile(rf"[\x21-\x7e]{{1,{MOST_KEY_CHARS}}}")


@dataclass(slots=True)
class WriteKey:
    """The key of the request that is being done.

    Attributes:
        id: Derived from the palace and the key.
        palace: None: the request is about palaces themselves.
        request: Hash of all that the client has sent.
        results: What the steps of the same request did before, as JSON, by the id of the step.
        recorded: Whether a transaction of the request has recorded what it did.
    """

    id: str
    palace: str | None
    request: str
    results: Mapping[str, str] = field(default_factory=dict)
    recorded: bool = False

    def step(self, name: str) -> str:
        """Return the id of one of the transactions of the request."""
        return f"{self.id}.{name}"


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """The answer that a request got.

    Attributes:
        body: JSON, or "" for an answer without a body.
    """

    status: int
    body: str


_CURRENT: ContextVar[WriteKey | None] = ContextVar("write_key", default=None)


def current_key() -> WriteKey | None:
    """Return the key of the request that is being done; None if it has none."""
    return _CURRENT.get()


def done_before(step: str) -> bool:
    """Return whether the request that is being done was done before, as far as this step."""
    key = _CURRENT.get()
    return key is not None and key.step(step) in key.results


@contextmanager
def under_key(key: WriteKey) -> Iterator[None]:
    """Let the writes of this task be those of a key."""
    token = _CURRENT.set(key)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def write_key_id(palace: str | None, key: str, caller: str | None = None) -> str:
    """Return the id of a client's key, which is its own in each palace.

    Args:
        caller: Id of the API key that the client sends; None: the owner. So nobody gets the answer that another got.
    """
    return stable_id("key", palace or "", key, *([] if caller is None else [caller]))


def request_hash(*parts: bytes) -> str:
    """Return a hash of what a client has sent."""
    found = blake2b(digest_size=16)
    for part in parts:
        found.update(f"{len(part)}:".encode() + part)
    return found.hexdigest()


def checked_key(key: str, *, field: str = "key") -> str:
    """Return a key if it can be sent as a header.

    Raises:
        InvalidInput: If it is not 1 to 200 visible ASCII characters.
    """
    if not _KEY.fullmatch(key):
        raise InvalidInput(
            f"{field} is {key[:100]!r}; it must be 1 to {MOST_KEY_CHARS} visible ASCII characters without blanks, "
            "such as a UUID",
            field=field,
            value=key[:100],
        )
    return key
