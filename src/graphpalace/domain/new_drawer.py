"""A text to be stored, and changes to one that is stored. Both are checked before anything is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated

from pydantic import Field

from graphpalace.domain.identity import MOST_TITLE_CHARS, MOST_URI_CHARS, place_name
from graphpalace.domain.languages import ANALYZERS, Language
from graphpalace.errors import InvalidInput, TooLarge

MOST_CHARS = 1_000_000
MOST_AT_ONCE = 1000  # drawers that one request adds

Text = Annotated[str, Field(min_length=1, max_length=MOST_CHARS)]
Title = Annotated[str | None, Field(min_length=1, max_length=MOST_TITLE_CHARS)]
NamedLanguage = Annotated[
    Language | None,
    Field(
        description="ISO 639-1 code of the language of its wing, by which all words of the wing are stemmed; as the "
        "settings say, or guessed, if absent"
    ),
]
Importance = Field(ge=0, le=1, description="above 0.5 raises the drawer in answers, below 0.5 lowers it")


@dataclass(frozen=True, slots=True)
class NewDrawer:
    """A text to be stored verbatim in one drawer.

    `wing`, `room`, `title`, `source_uri` and `author` follow the rules of `domain.identity.place_name`. The drawer goes
    into the closet of its `source_uri`; without one, into the notes of its room.
    """

    text: Text
    wing: Annotated[str, Field(min_length=1, max_length=200)]
    room: Annotated[str, Field(min_length=1, max_length=200)] = "general"
    title: Title = None
    source_uri: Annotated[str | None, Field(min_length=1, max_length=MOST_URI_CHARS)] = None
    author: Title = None
    occurred_at: datetime | None = None
    importance: Annotated[float, Importance] = 0.5
    embedding: Annotated[
        Sequence[float] | None, Field(description="vector of the palace's dimension; computed from the text if absent")
    ] = None
    language: NamedLanguage = None

    @property
    def uri(self) -> str:
        """The URI of its source."""
        return self.source_uri or f"notes:{self.room}"

    def check(self) -> None:
        """Check the values.

        Raises:
            InvalidInput: If the text is blank, a name is not valid, or a number or time is out of range.
            TooLarge: If the text is too long.
        """
        check_text(self.text)
        _check_importance(self.importance)
        place_name("wing", self.wing)
        place_name("room", self.room)
        _check_names(title=self.title, author=self.author)
        if self.source_uri is not None:
            place_name("source_uri", self.source_uri, most_chars=MOST_URI_CHARS)
        if self.language is not None and self.language not in ANALYZERS:
            raise InvalidInput(
                f"language is {self.language!r}; it must be one of {', '.join(ANALYZERS)}",
                field="language",
                value=self.language,
            )
        zoned(self.occurred_at)


@dataclass(frozen=True, slots=True)
class DrawerUpdate:
    """Changes to a stored drawer. What is None stays as it is."""

    text: Annotated[str | None, Field(min_length=1, max_length=MOST_CHARS)] = None
    title: Annotated[
        str | None, Field(min_length=1, max_length=MOST_TITLE_CHARS, description="title of the drawer's document")
    ] = None
    author: Title = None
    occurred_at: datetime | None = None
    importance: Annotated[float | None, Importance] = None

    def check(self) -> None:
        """Check the values.

        Raises:
            InvalidInput: If nothing is given, the text is blank, a name is not valid, or a number or time is out of
                range.
            TooLarge: If the text is too long.
        """
        if (self.text, self.title, self.author, self.occurred_at, self.importance) == (None,) * 5:
            raise InvalidInput("nothing is to be changed: give text, title, author, occurred_at or importance")
        if self.text is not None:
            check_text(self.text)
        if self.importance is not None:
            _check_importance(self.importance)
        _check_names(title=self.title, author=self.author)
        zoned(self.occurred_at)


def zoned(moment: datetime | None) -> datetime | None:
    """Return a time with an offset that Neo4j can store, at most 18 hours from UTC.

    A time without a zone is taken as local time.

    Raises:
        InvalidInput: If the time is outside the years 1 to 9999 of UTC.
    """
    if moment is None:
        return None
    try:
        utc = moment.astimezone(UTC)
        local = moment if moment.tzinfo else moment.astimezone()
    except (OverflowError, ValueError):
        raise InvalidInput(
            f"occurred_at is {moment}; it must be in the years 1 to 9999 of UTC", field="occurred_at"
        ) from None
    return local if abs(local.utcoffset() or timedelta()) <= timedelta(hours=18) else utc


def check_text(text: str) -> None:
    """Check a text that is to be kept.

    Raises:
        InvalidInput: If it is blank.
        TooLarge: If it has more than a million characters.
    """
    if not text.strip():
        raise InvalidInput("text is blank; give the words to be kept", field="text", value=text)
    if len(text) > MOST_CHARS:
        raise TooLarge(f"text has {len(text)} characters; a drawer holds at most {MOST_CHARS}", field="text")


def _check_importance(importance: float) -> None:
    if not 0 <= importance <= 1:
        raise InvalidInput(f"importance is {importance}; it must be 0 to 1", field="importance", value=importance)


def _check_names(**names: str | None) -> None:
    for field, name in names.items():
        if name is not None:
            place_name(field, name, most_chars=MOST_TITLE_CHARS)
