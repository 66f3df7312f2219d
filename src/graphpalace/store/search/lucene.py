"""Write a user's words for Lucene's classic query parser, escaped, so that it reads only words and phrases."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from graphpalace.domain.search.search_words import Word, words_of

_SPECIAL = re.compile(r'([+\-!(){}\[\]^"~*?:\\/&|])')
_ENDS = re.compile(r"^\W+|\W+$")
# Lucene refuses a query with more than 1024 clauses, and an analyzer may turn one word into several clauses.
_MOST_CLAUSES = 256
_MOST_PAIRS = 32
# A word with several spellings is one word, whose weight is divided among the spellings. Its parts are worth half of a
# word together, because they may stand apart in a drawer; less, and a code such as TL-06 counts too little. Side by
# side, as in "KX 505" where KX505 is asked for, they are worth a quarter of a word more.
_FORMS, _PARTS, _SIDE_BY_SIDE = 1.0, 0.5, 0.25
# The parts of "boundary-layer" are words that count by themselves; written as one word, it adds so much.
_PROSE = 0.25


@dataclass(frozen=True, slots=True)
class QueryWord:
    """A word of a question.

    Attributes:
        word: The word, in the first of its spellings.
        query: Query for it, in all of its spellings, as one clause.
        phrase: The word inside a phrase.
        weight: The square root of how often the question has it.
        whole: Query that finds the word as a whole only, in all of its spellings, and not a part of it.
    """

    word: str
    query: str
    phrase: str
    weight: float
    whole: str


def query_words(question: str) -> list[QueryWord]:
    """Return the words of a question, each once.

    A wordy question repeats what it is about. The same word in another spelling, with other punctuation or capitals, is
    the same word; it is returned as it is first written. AND, OR and NOT are operators in upper case, so they are
    changed to lower case.

    >>> [(word.query, word.weight) for word in query_words("a AND b:c F-16 a")]
    [('a', 1.4142135623730951), ('and', 1.0), ('b', 1.0), ('c', 1.0), ('(F16 F^0.25 16^0.25 "F 16"^0.125)', 1.0)]
    """
    words = words_of(question)
    counts = Counter(map(_same, words))
    return [replace(word, weight=math.sqrt(counts[same])) for same, word in _first(words).items()]


def weighted(clauses: Iterable[tuple[str, float]]) -> str:
    """Return a query for clauses, each with its weight.

    >>> weighted([("spare", 1.0), ("key", 2.0)])
    'spare key^2'
    """
    return " ".join(query if weight == 1 else f"{query}^{weight:.4g}" for query, weight in clauses)


def neighbours(question: str) -> list[tuple[QueryWord, QueryWord]]:
    """Return each pair of different neighbouring words of a question, once; at most 32 pairs.

    >>> [(one.word, other.word) for one, other in neighbours("the spare key of the spare key")]
    [('the', 'spare'), ('spare', 'key'), ('key', 'of'), ('of', 'the')]
    """
    words = words_of(question)
    first = _first(words)
    found = [first[same] for same in map(_same, words) if same in first]
    return [pair for pair in dict.fromkeys(pairwise(found)) if pair[0] != pair[1]][:_MOST_PAIRS]


def phrase(words: Sequence[QueryWord], *, weight: float) -> str:
    """Return a query for words as a phrase, with a weight. A single word has weight 1."""
    return f'"{" ".join(word.phrase for word in words)}"^{weight:g}'


def escaped(word: str) -> str:
    """Return a word that is no operator."""
    return _SPECIAL.sub(r"\\\1", word.lower() if word in {"AND", "OR", "NOT", "TO"} else word)


def bare(word: str) -> str:
    """Return what makes a word the same word: no capitals, and no punctuation at its ends."""
    return trimmed(word).casefold() or word


def trimmed(word: str) -> str:
    """Return a word without punctuation at its ends."""
    return _ENDS.sub("", word)


def _first(words: Sequence[Word]) -> dict[str, QueryWord]:
    """Return the words, each as it is written the first time, by what makes it the same word."""
    first: dict[str, QueryWord] = {}
    clauses = 0
    for word in words:
        clauses += len(word.forms) + len(word.text.split())
        if clauses > _MOST_CLAUSES:
            break
        if (same := _same(word)) not in first:
            written = word.forms[0] if word.forms and not word.prose else word.text
            first[same] = QueryWord(written, _query(word), _escaped(word.text), 1.0, _whole(word))
    return first


def _same(word: Word) -> str:
    return bare(word.forms[0] if word.forms else word.text)


def _query(word: Word) -> str:
    parts = word.text.split()
    if not word.forms:
        return _escaped(word.text)
    forms, rest = (_PROSE, float(len(parts))) if word.prose else (_FORMS, _PARTS)
    clauses = [(escaped(form), forms / len(word.forms)) for form in word.forms]
    clauses += [(escaped(part), rest / len(parts)) for part in parts]
    if len(parts) > 1 and not word.prose:
        clauses.append((f'"{_escaped(word.text)}"', _SIDE_BY_SIDE / len(parts)))
    return f"({weighted(clauses)})"


def _whole(word: Word) -> str:
    if not word.forms or word.prose:
        return _query(word)
    return f'({" ".join(map(escaped, word.forms))} "{_escaped(word.text)}")'


def _escaped(text: str) -> str:
    return " ".join(map(escaped, text.split()))
