"""Remembers texts, and tells whether another says the same as one of them."""

from __future__ import annotations

import re
from collections import Counter

from graphpalace.fuse.near_equal import LEAST_OVERLAP, normalised, shingles

_NUMBER = re.compile(r"\d+")


class DistinctTexts:
    """Texts of which no two are nearly equal, as `near_equal` defines it. Each text is cut into shingles only once."""

    def __init__(self) -> None:
        self._forms: set[str] = set()
        self._kept: list[tuple[frozenset[tuple[str, ...]], Counter[str]]] = []

    def add(self, text: str) -> bool:
        """Remember a text, and return True, unless it says the same as one that is remembered.

        >>> texts = DistinctTexts()
        >>> texts.add("The door code is 4711."), texts.add("the door  code is 4711"), texts.add("It is 4712.")
        (True, False, True)
        """
        form = normalised(text)
        parts, numbers = shingles(text), Counter(_NUMBER.findall(text))
        if form in self._forms or any(numbers == other[1] and _alike(parts, other[0]) for other in self._kept):
            return False
        self._forms.add(form)
        self._kept.append((parts, numbers))
        return True


def _alike(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> bool:
    fewer, more = sorted((len(one), len(other)))
    return fewer >= LEAST_OVERLAP * more > 0 and len(one & other) >= LEAST_OVERLAP * len(one | other)
