"""Whether a text has the form of a name: of a person, or of whatever a document is about."""

from __future__ import annotations

import re

from graphpalace.entities.words import ROLES, SMALL

_MOST_WORDS, _MOST_CHARS = 8, 80
_READ_CHARS = 2000  # of a text, by which its capitals are judged
_LEAST_WORDS, _CAPITALS_SHARE = 5, 0.7
_PATH_OR_FILE = re.compile(r"[\\/]|\.[A-Za-z][A-Za-z0-9]{0,4}$|^\.|://")
_SENTENCE_END = re.compile(r"[.!?;:…]$")
_BRACKETED = re.compile(r"\s*\([^()]*\)\s*$")
_OF_A_ROOM = re.compile(r" notes$")
_NUMBERED = re.compile(r"^(?:\d+(?:\.\d+)*[.)]?|chapter \d+:?)\s+", re.IGNORECASE)


def as_title_name(title: str) -> str | None:
    """Return the name in a document's title, without what stands behind it in brackets; None if it is no name.

    A path, a sentence, and a title most of whose words start small are no names.

    >>> as_title_name("Ed Wood (film)"), as_title_name("Analytical engine"), as_title_name("Lord of the Rings")
    ('Ed Wood', 'Analytical engine', 'Lord of the Rings')
    >>> [as_title_name(title) for title in ("src/main.py", "How do I bake bread?", "Learning to bake bread")]
    [None, None, None]
    """
    name = _BRACKETED.sub("", title).strip()
    if not name or len(name) > _MOST_CHARS or _PATH_OR_FILE.search(name) or _OF_A_ROOM.search(name):
        return None
    if _SENTENCE_END.search(name) and not name.endswith(("Jr.", "Sr.", "Inc.", "Ltd.", "Co.")):
        return None
    words = name.split()
    weighty = [word for word in words if word.lower() not in SMALL]
    if not weighty or len(words) > _MOST_WORDS or _NUMBERED.match(name):
        return None
    large = sum(word.lstrip("\"'(\u201c\u2018")[:1].isupper() or word[:1].isdigit() for word in weighty)
    if any(letter.isupper() for letter in name):
        return name if 2 * large >= len(weighty) else None
    return None if any(letter.islower() for letter in name) else _uncased(name)


def is_in_capitals(text: str) -> bool:
    """Return whether a text is written in capitals throughout, so that capitals do not tell names from other words.

    >>> is_in_capitals("THE USE OF ABSTRACTS BY CHEMISTS"), is_in_capitals("NASA and ESA"), is_in_capitals("IBM")
    (True, False, False)
    """
    words = [word for word in text[:_READ_CHARS].split() if any(letter.isalpha() for letter in word)]
    return len(words) >= _LEAST_WORDS and sum(word.isupper() for word in words) > _CAPITALS_SHARE * len(words)


def looks_like_person(name: str) -> bool:
    """Return whether a text may be the name of somebody who writes or speaks: one to four words that start large.

    >>> looks_like_person("Ada Lovelace"), looks_like_person("assistant"), looks_like_person("Note")
    (True, False, False)
    """
    words = name.split()
    if not 1 <= len(words) <= 4 or name.lower() in ROLES:
        return False
    return all(word[:1].isupper() or word.lower() in SMALL for word in words) and words[0].lower() not in SMALL


def _uncased(name: str) -> str | None:
    """Return a name in a script without capitals, such as Chinese, if it is short."""
    return name if any(letter.isalpha() for letter in name) and len(name) <= _MOST_CHARS // 4 else None
