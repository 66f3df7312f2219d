"""The part of a text that a snippet shows (seed 004, peek strategies)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

Strategy = Literal["head", "match", "mix"]
ELLIPSIS = "..."
LEAST_CHARS = 4


def excerpt(text: str, chars: int, *, strategy: Strategy = "head", query: str = "") -> str:
    """Return a text if it is short enough, else a part of it with "..." where it was cut.

    - head: the first chars - 3 characters and "...".
    - match: the window with most different words of the query, the earliest of those, with "..." at each cut end;
      the head if the text has none of the words, or there is no room for two cuts.
    - mix: the first half as head, the second as match of what follows it.

    Args:
        chars: Most characters (code points) of the result, >= 4.
        query: The words to look for.
    """
    if len(text) <= chars:
        return text
    found = [] if strategy == "head" else _hits(text, query)
    if strategy == "mix" and chars >= 4 * LEAST_CHARS:
        half = chars // 2
        later = [(start, word) for start, word in found if start >= half - len(ELLIPSIS)]
        if later:
            rest = text[half - len(ELLIPSIS) :]
            shifted = [(start - (len(text) - len(rest)), word) for start, word in later]
            return text[: half - len(ELLIPSIS)] + _window(rest, chars - half + len(ELLIPSIS), shifted)
    return _window(text, chars, found) if found else text[: chars - len(ELLIPSIS)] + ELLIPSIS


def _hits(text: str, query: str) -> list[tuple[int, str]]:
    """Return where the query's words begin in the text, in order; scripts without spaces are matched by substring."""
    words = {word for word in re.findall(r"\w+", query.casefold()) if len(word) > 1 or not word.isascii()}
    if not words:
        return []
    folded = text.casefold()
    if len(folded) != len(text):  # casefolding may lengthen ("ß"), which would shift the places
        folded = text.lower() if len(text.lower()) == len(text) else text
    return sorted((match.start(), word) for word in words for match in re.finditer(re.escape(word), folded))


def _window(text: str, chars: int, hits: Sequence[tuple[int, str]]) -> str:
    room = max(1, chars - 2 * len(ELLIPSIS))
    best, most = 0, -1
    for at, (start, _) in enumerate(hits):
        inside = {word for place, word in hits[at : at + 200] if place + len(word) <= start + room}
        if len(inside) > most:
            best, most = start, len(inside)
    lead = room // 4  # some words before the first hit, to be understood
    start = max(0, min(best - lead, len(text) - room))
    at_end = start + room >= len(text)
    if start == 0 or (not at_end and chars <= 2 * len(ELLIPSIS)):  # there is no room for two cuts
        return text[: chars - len(ELLIPSIS)] + ELLIPSIS
    if at_end:
        return ELLIPSIS + text[len(text) - (chars - len(ELLIPSIS)) :]
    return ELLIPSIS + text[start : start + room] + ELLIPSIS
