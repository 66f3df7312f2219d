"""Chooses the part of a text that a snippet shows (seed 004, peek strategies)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphpalace.domain.search.run_requests import LEAST_CHARS, Strategy

ELLIPSIS = "..."


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
    if strategy == "mix" and chars >= 4 * LEAST_CHARS:
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
    best, most = 0, -1
    for at, (start, _) in enumerate(hits):
        inside = {word for place, word in hits[at : at + 200] if place + len(word) <= start + room}
        if len(inside) > most:
            best, most = start, len(inside)
    lead = room // 4  # some context before the first match
    start = max(0, min(best - lead, len(text) - room))
    at_end = start + room >= len(text)
    if start == 0 or (not at_end and chars <= 2 * len(ELLIPSIS)):  # there is no room for two cuts
        return text[: chars - len(ELLIPSIS)] + ELLIPSIS
    if at_end:
        return ELLIPSIS + text[len(text) - (chars - len(ELLIPSIS)) :]
    return ELLIPSIS + text[start : start + room] + ELLIPSIS
