"""Names of palaces, and ids derived from place and content.

An id depends only on where something stands and, for a drawer, on what it says. So ingesting twice, or merging
two palaces, never duplicates and never collides.
"""

from __future__ import annotations

import re
from hashlib import blake2b

from graphpalace.errors import InvalidInput

_PALACE_NAME = re.compile(r"[a-z][a-z0-9_]{0,62}")


def palace_name(name: str) -> str:
    """Return the name if it can name a palace.

    Raises:
        InvalidInput: If it is not 1 to 63 of a-z, 0-9 and _, beginning with a letter. The name becomes part of a
            label and of index names, which Cypher does not take as parameters; hence the narrow alphabet.
    """
    if not _PALACE_NAME.fullmatch(name):
        raise InvalidInput(
            f"palace is {name!r}; it must be 1 to 63 of a-z, 0-9 and _, beginning with a letter",
            field="palace",
            value=name,
        )
    return name


def stable_id(kind: str, *place: str) -> str:
    """Return the id of the thing of a kind at a place: the kind's first letters and 26 hexadecimal digits.

    >>> stable_id("wing", "main", "python") == stable_id("wing", "main", "python")
    True
    """
    # Length-prefixed, so that ("a", "bc") and ("ab", "c") differ.
    key = "".join(f"{len(part)}:{part}" for part in (kind, *place))
    return f"{kind}-{blake2b(key.encode(), digest_size=13).hexdigest()}"


def text_hash(text: str) -> str:
    """Return 32 hexadecimal digits that stand for a text."""
    return blake2b(text.encode(), digest_size=16).hexdigest()
