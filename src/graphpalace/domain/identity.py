"""Names of palaces, wings, rooms and closets, and ids derived from place and content.

A name is one line that can be seen and typed: see `place_name`. Every door checks names here, and before it loads
anything.

An id depends only on where something stands and, for a drawer, on what it says. So ingesting twice, or merging
two palaces, never duplicates and never collides.
"""

from __future__ import annotations

import re
import unicodedata
from hashlib import blake2b

from graphpalace.errors import InvalidInput

_PALACE_NAME = re.compile(r"[a-z][a-z0-9_]{0,62}")
MOST_NAME_CHARS = 200
MOST_TITLE_CHARS = 1000
MOST_URI_CHARS = 4000

# Unicode's categories of what ends a line, moves a terminal's cursor or cannot be stored: controls, half a surrogate
# pair, line and paragraph separators. Joiners (Cf) are allowed: Persian and emoji are written with them.
_UNPRINTABLE = frozenset({"Cc", "Cs", "Zl", "Zp"})


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


def place_name(field: str, name: str, *, most_chars: int = MOST_NAME_CHARS) -> str:
    """Return the name if it can name a wing or a room, or be the title, the source or the author of a closet.

    Args:
        field: For the message of an error.
        name: One line of 1 to `most_chars` characters with a visible one among them, without blanks at its ends.
        most_chars: >= 1.
    Raises:
        InvalidInput: If it is anything else.
    """
    right = f"it must be 1 to {most_chars} characters"
    shown = repr(name) if len(name) <= 100 else f"{name[:100]!r}... of {len(name)} characters"
    if not _is_visible(name):
        raise InvalidInput(f"{field} is {shown}, which nobody could see; {right}", field=field, value=name)
    if len(name) > most_chars:
        raise InvalidInput(f"{field} is {shown}; {right}", field=field, value=name[:100])
    if name != name.strip():
        raise InvalidInput(f"{field} is {shown}; {right} without blanks at its ends", field=field, value=name)
    if _UNPRINTABLE & {unicodedata.category(character) for character in name}:
        raise InvalidInput(
            f"{field} is {shown}; {right} of one line, without control characters", field=field, value=name
        )
    return name


def as_place_name(text: str, *, most_chars: int = MOST_NAME_CHARS) -> str:
    """Return a name made of a text that nobody chose as one, such as a heading; "" if nothing of it can be seen.

    >>> as_place_name(" Roses \x1b[31m and\n  soil ", most_chars=9)
    'Roses [31'
    """
    plain = "".join(" " if unicodedata.category(character) in _UNPRINTABLE else character for character in text)
    name = " ".join(plain.split())[:most_chars].rstrip()
    return name if _is_visible(name) else ""


def _is_visible(name: str) -> bool:
    return any(unicodedata.category(character)[0] not in "CZ" for character in name)


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
