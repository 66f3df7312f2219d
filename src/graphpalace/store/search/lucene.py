"""Words of a user as a query that Lucene's classic parser reads as nothing but words, or phrases of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

_SPECIAL = re.compile(r'([+\-!(){}\[\]^"~*?:\\/&|])')
# Lucene refuses a query of more than 1024 clauses; an analyzer may make several of one word.
_MOST_WORDS = 256
_MOST_PAIRS = 32


def escaped(text: str) -> str:
    """Return the words of a text, each once, escaped, for `db.index.fulltext.queryNodes`.

    Upper-case AND, OR and NOT are operators there; in lower case they are words.

    >>> escaped('a AND b:c')
    'a and b\\\\:c'
    """
    return " ".join(list(dict.fromkeys(_words(text)))[:_MOST_WORDS])


def neighbours(text: str) -> list[tuple[str, str]]:
    """Return each pair of different words that stand side by side in a text, once, escaped; no more than Lucene takes.

    >>> neighbours("the spare key of the spare key")
    [('the', 'spare'), ('spare', 'key'), ('key', 'of'), ('of', 'the')]
    """
    words = _words(text)[:_MOST_WORDS]
    return [pair for pair in dict.fromkeys(pairwise(words)) if pair[0] != pair[1]][:_MOST_PAIRS]


def phrase(words: Sequence[str], *, weight: float) -> str:
    """Return a query for escaped words side by side, worth so much of what a word is.

    >>> phrase(("spare", "key"), weight=0.4)
    '"spare key"^0.4'
    """
    return f'"{" ".join(words)}"^{weight:g}'


def _words(text: str) -> list[str]:
    return [
        _SPECIAL.sub(r"\\\1", word.lower() if word in {"AND", "OR", "NOT", "TO"} else word)
        for word in text.replace("\0", " ").split()
    ]
