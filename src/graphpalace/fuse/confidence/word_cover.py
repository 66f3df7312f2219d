"""Measures which words of a question a text has, weighted by how rare they are in the palace."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from graphpalace.domain.search.search_words import search_words

_WORD = re.compile(r"[^\W_]+")
_MOST_CHARS = 10_000  # of a text; longer ones are read only so far
_WHOLE = 4  # words of up to this many letters must occur as they are; longer ones may have other endings
_ENDING = 2  # so many letters at the end of a word may differ


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
            for part in _WORD.findall(word.casefold()):
                scores[part] = max(scores.get(part, 0.0), score)
        most = max(scores.values(), default=0.0) or 1.0
        return cls({word: score / most if score > 0 else 1.0 for word, score in scores.items()})

    def words_in(self, text: str) -> frozenset[str]:
        """Return the words of the question that a text has.

        Words of more than four letters may differ in their last two, so that *walks* occurs in "walking".
        """
        spelled = sorted(set(_WORD.findall(search_words(text[:_MOST_CHARS]).casefold())))
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
