"""Escape a user's words for Lucene's classic query parser, so that it reads only words and phrases."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

_SPECIAL = re.compile(r'([+\-!(){}\[\]^"~*?:\\/&|])')
_ENDS = re.compile(r"^\W+|\W+$")
# Lucene refuses a query with more than 1024 clauses, and an analyzer may turn one word into several clauses.
_MOST_WORDS = 256
_MOST_PAIRS = 32


def word_weights(text: str) -> dict[str, float]:
    """Return the words of a text, each once and escaped, with its weight: the square root of how often it occurs.

    A wordy question repeats what it is about. The same word with other punctuation or capitals is the same word; it is
    returned as it is first written. AND, OR and NOT are operators in upper case, so they are changed to lower case.

    >>> word_weights("a AND b:c")
    {'a': 1.0, 'and': 1.0, 'b\\\\:c': 1.0}
    """
    words = _words(text)
    counts = Counter(map(bare, words))
    return {word: math.sqrt(counts[bare(word)]) for word in list(dict.fromkeys(_first(words)))[:_MOST_WORDS]}


def weighted(weights: Mapping[str, float]) -> str:
    """Return a query for words that are escaped, each with its weight.

    >>> weighted({"spare": 1.0, "key": 2.0})
    'spare key^2'
    """
    return " ".join(word if weight == 1 else f"{word}^{weight:.4g}" for word, weight in weights.items())


def neighbours(text: str) -> list[tuple[str, str]]:
    """Return each pair of different neighbouring words of a text, once and escaped; at most 32 pairs.

    The words are written as in `word_weights`.

    >>> neighbours("the spare key of the spare key")
    [('the', 'spare'), ('spare', 'key'), ('key', 'of'), ('of', 'the')]
    """
    words = _first(_words(text))[:_MOST_WORDS]
    return [pair for pair in dict.fromkeys(pairwise(words)) if pair[0] != pair[1]][:_MOST_PAIRS]


def phrase(words: Sequence[str], *, weight: float) -> str:
    """Return a query for escaped words as a phrase, with a weight. A single word has weight 1.

    >>> phrase(("spare", "key"), weight=0.4)
    '"spare key"^0.4'
    """
    return f'"{" ".join(words)}"^{weight:g}'


def _words(text: str) -> list[str]:
    return [
        _SPECIAL.sub(r"\\\1", word.lower() if word in {"AND", "OR", "NOT", "TO"} else word)
        for word in text.replace("\0", " ").split()
    ]


def bare(word: str) -> str:
    """Return what makes a word the same word: no capitals, and no punctuation at its ends."""
    return _ENDS.sub("", word).casefold() or word


def _first(words: Sequence[str]) -> list[str]:
    """Return the words, each as it is written the first time."""
    first: dict[str, str] = {}
    return [first.setdefault(bare(word), word) for word in words]
