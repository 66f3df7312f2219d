"""The reader of each memory that a palace can take in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from graphpalace.client.moving_in.claude import read_claude_export
from graphpalace.client.moving_in.mem0 import read_mem0
from graphpalace.client.moving_in.mempalace import read_mempalace
from graphpalace.client.moving_in.records import Foreign
from graphpalace.domain.identity import place_name
from graphpalace.errors import InvalidInput, NotFound

ORIGINS: Mapping[str, Callable[..., Iterator[Foreign]]] = {
    "mempalace": read_mempalace,
    "mem0": read_mem0,
    "claude": read_claude_export,
}


def read_origin(path: Path, origin: str, *, wing: str | None = None) -> Iterator[Foreign]:
    """Return what another memory keeps.

    Raises:
        InvalidInput: If the origin is not known, or the name of the wing is not valid.
        NotFound: If the path does not exist.
    """
    if origin not in ORIGINS:
        raise InvalidInput(f"origin is {origin!r}; it must be one of {', '.join(ORIGINS)}", field="origin")
    if wing is not None:
        place_name("wing", wing)
    found = path.expanduser()
    if not found.exists():
        raise NotFound(f"{path} does not exist", path=str(path))
    return ORIGINS[origin](found, wing=wing)
