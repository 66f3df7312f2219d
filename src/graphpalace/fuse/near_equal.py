"""Tells whether two texts say the same: in the same words, or in nearly the same."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping

LEAST_COSINE = 0.95
LEAST_OVERLAP = 0.9
_SHINGLE_WORDS = 3

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+")


def normalised(text: str) -> str:
    """Return a text without differences of case, white space and Unicode form."""
    composed = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return " ".join(composed.casefold().split())


def shingles(text: str) -> frozenset[tuple[str, ...]]:
    """Return every three neighbouring words of a text; all of its words if it has fewer."""
    words = _WORD.findall(text.casefold())
    return frozenset(tuple(words[at : at + _SHINGLE_WORDS]) for at in range(max(1, len(words) - _SHINGLE_WORDS + 1)))


def overlap(one: str, other: str) -> float:
    """Return how many of the shingles of two texts both have, 0 to 1 (Jaccard).

    >>> overlap("the cat sat on the mat", "The cat sat on the rug")
    0.6

    Source: Broder 1997, "On the resemblance and containment of documents".
    """
    mine, yours = shingles(one), shingles(other)
    return len(mine & yours) / len(mine | yours)


def nearly_equal(one: str, other: str) -> bool:
    """Return whether two texts have the same numbers, and at least nine of ten shingles in common.

    Two reports that differ only in a date or an amount say different things, so different numbers are never equal.
    """
    numbers = Counter(_NUMBER.findall(one)), Counter(_NUMBER.findall(other))
    return numbers[0] == numbers[1] and overlap(one, other) >= LEAST_OVERLAP


def says_the_same(one: str, other: str, *, cosine: float) -> bool:
    """Return whether two texts say the same: they differ only in case and white space, or are nearly equal.

    Args:
        cosine: Of their vectors.
    """
    return normalised(one) == normalised(other) or (cosine >= LEAST_COSINE and nearly_equal(one, other))


def folded(texts: Mapping[str, str], *, close: Callable[[str, str], bool], question: str = "") -> dict[str, list[str]]:
    """Return the texts that stay, each with those that say the same and stand further down.

    A text that contains the question word for word is never folded into one that does not.

    Args:
        texts: The texts by id, best first.
        close: Whether the embeddings of two texts, given by id, are near enough for the texts to be compared.
        question: What was searched for.
    """
    words = normalised(question)
    kept: dict[str, list[str]] = {}
    forms = {one: normalised(text) for one, text in texts.items()}
    first: dict[str, str] = {}
    for one, text in texts.items():
        quotes = bool(words) and words in forms[one]

        def same(other: str, one: str = one, text: str = text, quotes: bool = quotes) -> bool:
            alike = close(other, one) and (bool(words) and words in forms[other]) == quotes
            return alike and nearly_equal(texts[other], text)

        leader = first.get(forms[one]) or next((other for other in kept if same(other)), None)
        if leader is None:
            kept[one] = []
            first[forms[one]] = one
        else:
            kept[leader].append(one)
    return kept
