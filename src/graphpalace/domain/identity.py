"""Names of palaces, wings, rooms and closets, and ids derived from place and content.

A name is one line that people can see and type: see `place_name`. HTTP, MCP and the command line check names here,
before they load anything.

An id depends only on the place of a thing and, for a drawer, on its text. So ingesting a file twice creates no
duplicates, and the ids of two palaces never collide.
"""

from __future__ import annotations

import re
import unicodedata

from graphpalace.domain.texts import HIDDEN
from graphpalace.errors import InvalidInput

PALACE_NAME = "^[a-z][a-z0-9_]{0,62}$"
MOST_NAME_CHARS = 200
MOST_TITLE_CHARS = 1000
MOST_URI_CHARS = 4000
DEFAULT_NAMESPACE = "default"  # of the documents of callers who name none

# Unicode categories of characters that end a line, move the cursor of a terminal or cannot be stored: controls, lone
# surrogates, line and paragraph separators. They part words; other hidden signs have no width.
_UNPRINTABLE = frozenset({"Cc", "Cs", "Zl", "Zp"})


def palace_name(name: str) -> str:
    """Return the name if it can name a palace.

    Raises:
        InvalidInput: If it is not 1 to 63 characters of a-z, 0-9 and _, starting with a letter. The alphabet is small
            because the name becomes part of a label and of index names, which cannot be parameters in Cypher.
    """
    if not re.fullmatch(PALACE_NAME, name):
        raise InvalidInput(
            f"palace is {name!r}; it must be 1 to 63 characters of a-z, 0-9 and _, starting with a letter",
            field="palace",
            value=name,
        )
    return name


def place_name(field: str, name: str, *, most_chars: int = MOST_NAME_CHARS) -> str:
    """Return the name if it is valid for a wing or a room, or as the title, source or author of a closet.

    Args:
        field: Name of the value in error messages.
        name: One line of 1 to `most_chars` characters, at least one of them visible, without blanks at either end.
        most_chars: >= 1.
    Raises:
        InvalidInput: If the name is not of this form.
    """
    right = f"it must be 1 to {most_chars} characters"
    shown = repr(name) if len(name) <= 100 else f"{name[:100]!r}... of {len(name)} characters"
    if not _is_visible(name):
        raise InvalidInput(f"{field} is {shown}, which has no visible character; {right}", field=field, value=name)
    if len(name) > most_chars:
        raise InvalidInput(f"{field} is {shown}; {right}", field=field, value=name[:100])
    if name != name.strip():
        raise InvalidInput(f"{field} is {shown}; {right} without blanks at the start or end", field=field, value=name)
    found = HIDDEN.search(name)
    if found is not None or _UNPRINTABLE & {unicodedata.category(character) for character in name}:
        hidden = "" if found is None else f" (it has {unicodedata.name(found[0], ascii(found[0]))} at {found.start()})"
        raise InvalidInput(
            f"{field} is {shown}; {right} on one line, without control characters and invisible characters{hidden}",
            field=field,
            value=name,
        )
    return name


def as_place_name(text: str, *, most_chars: int = MOST_NAME_CHARS) -> str:
    """Return a valid name made from any text, such as a heading; "" if the text has no visible character.

    >>> as_place_name(" Roses \x1b[31m and\n  soil ", most_chars=9)
    'Roses [31'
    """
    plain = "".join(" " if unicodedata.category(character) in _UNPRINTABLE else character for character in text)
    name = " ".join(HIDDEN.sub("", plain).split())[:most_chars]
    name = HIDDEN.sub("", name).strip()  # a joiner that the cut left at the end
    return name if _is_visible(name) else ""


def _is_visible(name: str) -> bool:
    return any(unicodedata.category(character)[0] not in "CZ" for character in name)


def stable_id(kind: str, *place: str) -> str:
    """Return the id of a thing from its kind and place: the kind's first letters and 26 hexadecimal digits.

    >>> stable_id("wing", "main", "python") == stable_id("wing", "main", "python")
    True
    """
    from hashlib import blake2b  # a command that only asks the service makes no ids

    # Length-prefixed, so that ("a", "bc") and ("ab", "c") differ.
    key = "".join(f"{len(part)}:{part}" for part in (kind, *place))
    return f"{kind}-{blake2b(key.encode(), digest_size=13).hexdigest()}"


def text_hash(text: str) -> str:
    """Return a hash of a text as 32 hexadecimal digits."""
    from hashlib import blake2b

    return blake2b(text.encode(), digest_size=16).hexdigest()
