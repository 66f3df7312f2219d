"""Read memories of mem0, as its `get_all` answers them and its export has them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from graphpalace.client.moving_in.records import Blank, Foreign, ForeignText, read_json, text_or
from graphpalace.errors import InvalidInput


def read_mem0(path: Path, *, wing: str | None) -> Iterator[Foreign]:
    """Yield a drawer for each memory: in the wing of its user, and in the room of its agent or its first category.

    Args:
        path: A file with `{"results": [{"memory": ..., "user_id": ...}]}`, or the list alone.
        wing: Put everything into this wing.

    Raises:
        NotFound: If there is no such file.
        InvalidInput: If it is not JSON of this form.
    """
    found = read_json(path)
    listed = found.get("results", found.get("memories")) if isinstance(found, dict) else found
    if not isinstance(listed, list):
        raise InvalidInput(f"{path} has no list `results` with memories of mem0", field="path")
    for memory in listed:
        if not isinstance(memory, dict):
            yield Blank()
            continue
        owners = [text_or(memory.get(name)) for name in ("user_id", "agent_id", "app_id")]
        own = [owner for owner in owners if owner]
        yield ForeignText(
            text_or(memory.get("memory"), text_or(memory.get("text"))),
            wing or (own[0] if own else "mem0"),
            _room(memory, own),
            uri=f"mem0:{memory['id']}" if text_or(memory.get("id")) else "",
            occurred_at=memory.get("created_at"),
            key=text_or(memory.get("id")) or None,
        ).record()


def _room(memory: dict[str, Any], owners: list[str]) -> str:
    if len(owners) > 1:
        return owners[1]
    metadata = memory.get("metadata")
    category = metadata.get("category") if isinstance(metadata, dict) else None
    categories = memory.get("categories")
    first = categories[0] if isinstance(categories, list) and categories else None
    return text_or(first, text_or(category, "memories"))
