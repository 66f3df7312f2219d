"""Names that texts mention, and their mentions in drawers as the database stores them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from graphpalace.domain.field import Field
from graphpalace.domain.identity import place_name, stable_id
from graphpalace.errors import InvalidInput

REFERENCE_COST, RELATION_COST = 0.5, 1.0  # of walking a REFERENCES or RELATES_TO edge without pheromone
MOST_ALIASES = 50  # of one entity; later ones are not kept

_ARTICLE = re.compile(r"^(?:the|a|an)\s+(?=\S)")
_POSSESSIVE = re.compile(r"['\u2019]s?(?=\s|$)")
_INITIALS = re.compile(r"(?<![\w.])(?:[^\W\d_]\.[ ]?)+")
_DOT_AT_END_OF_WORD = re.compile(r"\.(?=\s)")
_QUOTES = str.maketrans(dict.fromkeys('"\u201c\u201d\u201e\u00ab\u00bb`*', " "))


class EntityType(StrEnum):
    """What a name stands for."""

    PERSON = "person"
    ORGANISATION = "organisation"
    PLACE = "place"
    EVENT = "event"
    WORK = "work"
    CONCEPT = "concept"
    CODE = "code"

    @property
    def sure(self) -> bool:
        """Whether it is right nine times in ten, so that people are shown it; all others are what a model guesses."""
        return self is EntityType.CODE


@dataclass(frozen=True, slots=True)
class NewEntity:
    """A name that the palace shall know.

    Attributes:
        name: As it is written, see `normalised_name`.
        aliases: Other ways in which it was written.
    """

    name: str
    entity_type: EntityType = EntityType.CONCEPT
    aliases: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Entity:
    """A name that drawers mention, or that facts are about.

    Attributes:
        name: As it was first written.
        normalised_name: One for all ways of writing it that `normalised_name` does not tell apart.
        aliases: Other ways in which it was written, and names that were merged into it.
        drawer_count: How many drawers mention it.
        created_at: As ISO 8601 writes it.
    """

    id: str
    name: Annotated[str, Field(examples=["Ada Lovelace"])]
    normalised_name: Annotated[str, Field(examples=["ada lovelace"])]
    aliases: Sequence[str]
    entity_type: Annotated[EntityType, Field(description="a guess unless it is code")]
    drawer_count: Annotated[int, Field(description="how many drawers mention it")]
    created_at: str


def normalised_name(text: str) -> str:
    """Return one text for all ways of writing a name that differ in case, blanks, quotes, articles or dots of initials.

    The result is "" for a text without letters and digits.

    >>> normalised_name("The  Analytical\u00a0Engine's"), normalised_name("J. R. R. Tolkien"), normalised_name("U.S.")
    ('analytical engine', 'jrr tolkien', 'us')
    >>> normalised_name("argparse.ArgumentParser"), normalised_name("A. Smith,"), normalised_name("C++")
    ('argparse.argumentparser', 'a smith', 'c++')
    """
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().translate(_QUOTES).split())
    plain = _ARTICLE.sub("", _POSSESSIVE.sub("", plain))
    plain = _INITIALS.sub(lambda found: found[0].replace(".", "").replace(" ", "") + " ", plain)
    plain = " ".join(_DOT_AT_END_OF_WORD.sub("", plain).split())
    start, end = 0, len(plain)
    while start < end and not plain[start].isalnum() and plain[start] != "_":
        start += 1
    while end > start and not plain[end - 1].isalnum() and plain[end - 1] not in "_+#":
        end -= 1
    return plain[start:end] if any(letter.isalnum() for letter in plain[start:end]) else ""


def checked_name(field: str, name: str) -> str:
    """Return the name if a caller may give it to an entity.

    Raises:
        InvalidInput: If it is not one line of 1 to 200 characters, at least one of them a letter or a digit.
    """
    place_name(field, name)
    if not normalised_name(name):
        raise InvalidInput(f"{field} is {name!r}; it must have at least one letter or digit", field=field, value=name)
    return name


def entity_id(palace: str, normalised: str) -> str:
    """Return the id of the entity with a normalised name in a palace."""
    return stable_id("entity", palace, normalised)


@dataclass(frozen=True, slots=True)
class MentionColumns:
    """Mentions as columns of equal length.

    Attributes:
        drawers, names: Ids.
        is_title: Whether the name is the title of the drawer's document.
        success: Success pheromone at the cycle of `cycles`, >= 0.
        cycles: -1 if there is no pheromone.
    """

    drawers: Sequence[str] = ()
    names: Sequence[str] = ()
    is_title: Sequence[bool] = ()
    success: Sequence[float] = ()
    cycles: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class SpellingColumns:
    """Names as columns of equal length.

    Attributes:
        shown: How each is written.
        normalised: The same as `normalised_name` returns it.
        aliases: Other ways of writing it.
    """

    ids: Sequence[str] = ()
    shown: Sequence[str] = ()
    normalised: Sequence[str] = ()
    aliases: Sequence[Sequence[str]] = ()


@dataclass(frozen=True, slots=True)
class MentionChanges:
    """What changed since a revision of a palace.

    Attributes:
        born: When the palace was created, which distinguishes it from a later palace of the same name.
        revision, cycle: Of the palace now.
        entries: Number of entries of the change feed; fewer than the revisions passed if some were deleted.
        removed: Ids of drawers that were deleted.
        named: Ids of drawers whose mentions, or their pheromones, changed.
    """

    born: str
    revision: int
    cycle: int
    entries: int
    removed: frozenset[str]
    named: frozenset[str]
