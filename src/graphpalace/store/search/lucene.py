"""Escape a user's words for Lucene's classic query parser, so that it reads only words and phrases."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

_SPECIAL = re.compile(r'([+\-!(){}\[\]^"~*?:\\/&|])')
# Lucene refuses a query with more than 1024 clauses, and an analyzer may turn one word into several clauses.
_MOST_WORDS = 256
_MOST_PAIRS = 32


def escaped(text: str) -> str:
    """Return the words of a text, each once and escaped, as a query for `db.index.fulltext.queryNodes`.

    AND, OR and NOT are operators in upper case, so they are changed to lower case.

    >>> escaped('a AND b:c')
    'a and b\\\\:c'
    """
    return " ".join(list(dict.fromkeys(_words(text)))[:_MOST_WORDS])


def neighbours(text: str) -> list[tuple[str, str]]:
    """Return each pair of different neighbouring words of a text, once and escaped; at most 32 pairs.

    >>> neighbours("the spare key of the spare key")
    [('the', 'spare'), ('spare', 'key'), ('key', 'of'), ('of', 'the')]
    """
    words = _words(text)[:_MOST_WORDS]
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
