"""Compares texts by their words: whether two say the same, and which words of a question a text has."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass

from graphpalace.domain.search.search_words import search_words

LEAST_COSINE = 0.95
LEAST_OVERLAP = 0.9
_SHINGLE_WORDS = 3
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+")
_COVERED_WORD = re.compile(r"[^\W_]+")
_MOST_CHARS = 10_000  # of a text; longer ones are read only so far
_WHOLE = 4  # words of up to this many letters must occur as they are; longer ones may have other endings
_ENDING = 2  # so many letters at the end of a word may differ


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


@dataclass(frozen=True, slots=True)
class WordCover:
    """The words of a question with their weights.

    Attributes:
        weights: Weight of each word in lower case, above 0 to 1. The rarest word has 1.
    """

    weights: Mapping[str, float]

    @classmethod
    def of(cls, best: Mapping[str, float]) -> WordCover:
        """Return the words of a question.

        A word that occurs nowhere counts as much as the rarest one that does.

        Args:
            best: For each word of the question, the best score that it alone gives to any drawer; 0 if it occurs
                nowhere. The score grows with the rarity of the word, as BM25 does.

        Example:
            >>> WordCover.of({"Apple": 8.0, "pie": 0.0, "for": 2.0}).weights
            {'apple': 1.0, 'pie': 1.0, 'for': 0.25}
        """
        scores: dict[str, float] = {}
        for word, score in best.items():
            for part in _COVERED_WORD.findall(word.casefold()):
                scores[part] = max(scores.get(part, 0.0), score)
        most = max(scores.values(), default=0.0) or 1.0
        return cls({word: score / most if score > 0 else 1.0 for word, score in scores.items()})

    def words_in(self, text: str) -> frozenset[str]:
        """Return the words of the question that a text has.

        Words of more than four letters may differ in their last two, so that *walks* occurs in "walking".
        """
        spelled = sorted(set(_COVERED_WORD.findall(search_words(text[:_MOST_CHARS]).casefold())))
        return frozenset(word for word in self.weights if _occurs(word, spelled))

    def share(self, words: Set[str]) -> float:
        """Return the share of the weights that some of the words have, 0 to 1; 0 for a question without words."""
        return sum(self.weights[word] for word in words) / (sum(self.weights.values()) or 1.0)


def _occurs(word: str, spelled: Sequence[str]) -> bool:
    stem = word if len(word) <= _WHOLE else word[: max(_WHOLE, len(word) - _ENDING)]
    at = bisect_left(spelled, stem)
    if at == len(spelled):
        return False
    return spelled[at] == stem if len(word) <= _WHOLE else spelled[at].startswith(stem)
