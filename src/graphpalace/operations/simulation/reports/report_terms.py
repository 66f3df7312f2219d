"""Extract characteristic terms from findings, and suggest follow-up questions with them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import log

from graphpalace.domain.search.search_words import split_names

_WORD = re.compile(r"[^\W\d_]{3,}")
_STEM_CHARS = 4
_QUERY_WORDS = 5
_CODE_WORDS = """
args async await bool break case catch char class const continue def default del dict elif else enum except
export extends false final float func function impl import init instanceof int interface isinstance kwargs
lambda len let list match mod mut namespace new none null number object package pass private protected pub
public raise return self sizeof static str string struct super switch template this throw throws true try
tuple type typedef typeof union unsigned use using var void while with yield
"""


@lru_cache(maxsize=1)
def _stop_words() -> frozenset[str]:
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS  # takes a second to import

    return frozenset(_CODE_WORDS.split()) | ENGLISH_STOP_WORDS


def content_words(text: str) -> list[str]:
    """Return the content words of a text in lower case, with identifiers split and stop words removed."""
    found = (word.lower() for word in _WORD.findall(split_names(text)))
    return [word for word in found if word not in _stop_words()]


def question_words_in(query: str, words: Iterable[str]) -> list[str]:
    """Return the content words of the question that are among the given words."""
    present = set(words)
    return [word for word in dict.fromkeys(content_words(query)) if word in present]


def distinctive_terms(counts: Counter[str], everywhere: Sequence[Counter[str]], query: str, *, most: int) -> list[str]:
    """Return terms that are frequent in a text, rare in the other findings, and not in the question.

    The weight of a term is its count times 1 + ln(findings / findings with it). Ties are sorted alphabetically.

    Args:
        counts: Word counts of the text; one of `everywhere`.
        everywhere: Word counts of each finding.
        most: Largest number of terms.
    """
    weights = {
        term: count * (1 + log(len(everywhere) / sum(term in other for other in everywhere)))
        for term, count in counts.most_common(50)
    }
    return _best(weights, query, most)


def shared_terms(everywhere: Sequence[Counter[str]], query: str, *, most: int) -> list[str]:
    """Return terms that are frequent in many findings and not in the question.

    The weight of a term is its total count times the number of findings with it.
    """
    documents = Counter(term for counts in everywhere for term in counts)
    total: Counter[str] = Counter()
    for counts in everywhere:
        total.update(counts)
    return _best({term: documents[term] * total[term] for term in total}, query, most)


def follow_up_queries(query: str, terms: Iterable[str]) -> list[str]:
    """Return a follow-up question for each term: the first content words of the question, and the term."""
    base = list(dict.fromkeys(content_words(query)))[:_QUERY_WORDS]
    return [" ".join([*base, term]) for term in terms]


def _best(weights: dict[str, float], query: str, most: int) -> list[str]:
    taken, found = content_words(query), []
    for term in sorted(weights, key=lambda term: (-weights[term], term)):
        if len(found) == most:
            break
        if not any(_alike(term, word) for word in taken):
            found.append(term)
            taken.append(term)
    return found


def _alike(first: str, second: str) -> bool:
    """Return whether two words are equal, or one of at least 4 characters is the beginning of the other."""
    short, long = sorted((first, second), key=len)
    return short == long or (len(short) >= _STEM_CHARS and long.startswith(short))
