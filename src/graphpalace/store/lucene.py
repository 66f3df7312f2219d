"""Words of a user as a query that Lucene's classic parser reads as nothing but words."""

from __future__ import annotations

import re

_SPECIAL = re.compile(r'([+\-!(){}\[\]^"~*?:\\/&|])')
_MOST_WORDS = 256  # Lucene refuses a query of more than 1024 clauses; an analyzer may make several of one word


def escaped(text: str) -> str:
    """Return the words of a text, each once, escaped, for `db.index.fulltext.queryNodes`.

    Upper-case AND, OR and NOT are operators there; in lower case they are words.

    >>> escaped('a AND b:c')
    'a and b\\\\:c'
    """
    words = dict.fromkeys(
        word.lower() if word in {"AND", "OR", "NOT", "TO"} else word for word in text.replace("\0", " ").split()
    )
    return " ".join(_SPECIAL.sub(r"\\\1", word) for word in list(words)[:_MOST_WORDS])
