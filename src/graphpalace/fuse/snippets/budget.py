"""Fits snippets into a budget of bytes (seed 004, 5.3)."""

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
        fields: Text by name of the field, most important first. If the budget is short, the last one is dropped first.
        identifiers: Names of fields that are dropped only after all others.
        cut: Whether some text was shortened or dropped.
    """

    id: str
    fields: Mapping[str, str]
    identifiers: frozenset[str] = frozenset()
    cut: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the snippet as it is sent to clients."""
        return {"id": self.id, "fields": dict(self.fields)}


@dataclass(frozen=True, slots=True)
class Page:
    """Snippets that fit into a budget.

    Attributes:
        used_bytes: Size of the snippets as they are sent: compact JSON in UTF-8 without escaped characters.
    """

    snippets: tuple[Snippet, ...]
    used_bytes: int

    @property
    def shortened(self) -> int:
        """Number of snippets that do not show all of their text."""
        return sum(snippet.cut for snippet in self.snippets)


def json_bytes(value: Any) -> bytes:
    """Return compact JSON in UTF-8. The service sends the same form, so sizes counted here are exact."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def fitted(snippets: Sequence[Snippet], *, budget_bytes: int) -> Page:
    """Return the first snippets, as many as fit into the budget, and at least one if there are any.

    If even the first does not fit, its last fields are dropped, then its first field is shortened, and finally its
    identifiers are dropped.

    Args:
        budget_bytes: Size of the page as JSON, >= 256, which is enough for the id of any document.
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
