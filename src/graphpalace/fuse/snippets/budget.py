"""Snippets within a budget of bytes (seed 004, 5.3)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphpalace.fuse.snippets.excerpt import ELLIPSIS, LEAST_CHARS, excerpt

LEAST_BYTES = 256


@dataclass(frozen=True, slots=True)
class Snippet:
    """Some fields of a document.

    Attributes:
        fields: In the order of their worth: where bytes are short, the last goes first.
        identifiers: Those of the fields that never go while anything else is there.
        cut: Whether a field does not show all of its text.
    """

    id: str
    fields: Mapping[str, str]
    identifiers: frozenset[str] = frozenset()
    cut: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return what is sent."""
        return {"id": self.id, "fields": dict(self.fields)}


@dataclass(frozen=True, slots=True)
class Page:
    """Snippets that fit.

    Attributes:
        used_bytes: Of UTF-8 of the snippets as they are sent: compact JSON, characters unescaped.
    """

    snippets: tuple[Snippet, ...]
    used_bytes: int

    @property
    def shortened(self) -> int:
        """How many of the snippets do not show all of their text."""
        return sum(snippet.cut for snippet in self.snippets)


def json_bytes(value: Any) -> bytes:
    """Return compact JSON in UTF-8; what is counted here and what the service sends is the same."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def fitted(snippets: Sequence[Snippet], *, budget_bytes: int) -> Page:
    """Return as many snippets, from the first, as the budget holds, and at least one if there are any.

    If not even the first fits, it loses its last fields, then its first field is cut, then its identifiers go.

    Args:
        budget_bytes: >= 256, which holds the id of any document.
    """
    used = len("[]")
    kept: list[Snippet] = []
    for snippet in snippets:
        size = len(json_bytes(snippet.as_json())) + (1 if kept else 0)
        if used + size > budget_bytes:
            break
        kept.append(snippet)
        used += size
    if snippets and not kept:
        smallest = _smallest(snippets[0], budget_bytes - used)
        kept, used = [smallest], used + len(json_bytes(smallest.as_json()))
    return Page(tuple(kept), used)


def _smallest(snippet: Snippet, budget_bytes: int) -> Snippet:
    named = {name: text for name, text in snippet.fields.items() if name in snippet.identifiers}
    texts = [(name, text) for name, text in snippet.fields.items() if name not in named]
    for count in range(len(texts) - 1, 0, -1):
        fewer = Snippet(snippet.id, dict(texts[:count]) | named, snippet.identifiers, cut=True)
        if len(json_bytes(fewer.as_json())) <= budget_bytes:
            return fewer
    if texts:
        name, text = texts[0]
        low, high = LEAST_CHARS - 1, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            shorter = Snippet(snippet.id, {name: excerpt(text, middle)} | named, snippet.identifiers, cut=True)
            fits = len(json_bytes(shorter.as_json())) <= budget_bytes
            low, high = (middle, high) if fits else (low, middle - 1)
        if low > len(ELLIPSIS):
            return Snippet(snippet.id, {name: excerpt(text, low)} | named, snippet.identifiers, cut=True)
    only = Snippet(snippet.id, named, snippet.identifiers, cut=True)
    return only if len(json_bytes(only.as_json())) <= budget_bytes else Snippet(snippet.id, {}, cut=True)
