"""Chooses the part of a text that a snippet shows, and fits snippets into a budget of bytes (seed 004, 5.3)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphpalace.domain.runs.run import LEAST_SNIPPET_CHARS, Strategy

ELLIPSIS = "..."
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
        low, high = LEAST_SNIPPET_CHARS - 1, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            shorter = Snippet(snippet.id, {name: excerpt(text, middle)} | named, snippet.identifiers, cut=True)
            fits = len(json_bytes(shorter.as_json())) <= budget_bytes
            low, high = (middle, high) if fits else (low, middle - 1)
        if low > len(ELLIPSIS):
            return Snippet(snippet.id, {name: excerpt(text, low)} | named, snippet.identifiers, cut=True)
    only = Snippet(snippet.id, named, snippet.identifiers, cut=True)
    return only if len(json_bytes(only.as_json())) <= budget_bytes else Snippet(snippet.id, {}, cut=True)


def excerpt(text: str, chars: int, *, strategy: Strategy = "head", query: str = "") -> str:
    """Shorten a text to some characters, with "..." at each cut. A text that is short enough stays as it is.

    - `head` shows the beginning of the text.
    - `match` shows the window with the most distinct words of the query, the earliest if there are several. If the text
      has none of the words, or there is no room for two cuts, it shows the beginning.
    - `mix` shows the beginning in its first half, and a match from the rest of the text in its second half.

    Args:
        chars: Largest number of characters (code points) of the result, >= 4.
        query: The words to look for.
    """
    if len(text) <= chars:
        return text
    found = [] if strategy == "head" else word_places(text, query)
    if strategy == "mix" and chars >= 4 * LEAST_SNIPPET_CHARS:
        half = chars // 2
        later = [(start, word) for start, word in found if start >= half - len(ELLIPSIS)]
        if later:
            rest = text[half - len(ELLIPSIS) :]
            shifted = [(start - (len(text) - len(rest)), word) for start, word in later]
            return text[: half - len(ELLIPSIS)] + _window(rest, chars - half + len(ELLIPSIS), shifted)
    return _window(text, chars, found) if found else text[: chars - len(ELLIPSIS)] + ELLIPSIS


def word_places(text: str, query: str) -> list[tuple[int, str]]:
    """Return the positions and words of all matches of query words in the text, in order.

    Words match as substrings, which also works for scripts without spaces.
    """
    words = {word for word in re.findall(r"\w+", query.casefold()) if len(word) > 1 or not word.isascii()}
    if not words:
        return []
    folded = text.casefold()
    if len(folded) != len(text):  # case folding may lengthen a text ("ß"), which would shift the positions
        folded = text.lower() if len(text.lower()) == len(text) else text
    return sorted((match.start(), word) for word in words for match in re.finditer(re.escape(word), folded))


def _window(text: str, chars: int, hits: Sequence[tuple[int, str]]) -> str:
    room = max(1, chars - 2 * len(ELLIPSIS))
    lead = room // 4  # some context before the first match
    best, most = 0, -1
    for at, (start, _) in enumerate(hits):
        end = start - lead + room if start > lead else chars - len(ELLIPSIS)
        inside = {word for place, word in hits[at : at + 200] if place + len(word) <= end}
        if len(inside) > most:
            best, most = start, len(inside)
    start = max(0, min(best - lead, len(text) - room))
    at_end = start + room >= len(text)
    if start == 0 or (not at_end and chars <= 2 * len(ELLIPSIS)):  # there is no room for two cuts
        return text[: chars - len(ELLIPSIS)] + ELLIPSIS
    if at_end:
        return ELLIPSIS + text[len(text) - (chars - len(ELLIPSIS)) :]
    return ELLIPSIS + text[start : start + room] + ELLIPSIS
