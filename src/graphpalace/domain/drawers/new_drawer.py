"""A text to be stored, changes to one that is stored, and whether a palace has it already.

Requests are checked before anything is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal

from graphpalace.domain.field import Field
from graphpalace.domain.identity import MOST_TITLE_CHARS, MOST_URI_CHARS, place_name
from graphpalace.domain.palaces.languages import ANALYZERS
from graphpalace.errors import InvalidInput, TooLarge

MOST_CHARS = 1_000_000
MOST_AT_ONCE = 1000  # drawers that one request adds

MOST_FOUND = 200  # drawers that say the same or nearly the same, in one answer

Text = Annotated[
    str, Field(min_length=1, max_length=MOST_CHARS, description="at least one word, at most a million characters")
]
Title = Annotated[
    str | None,
    Field(
        min_length=1,
        max_length=MOST_TITLE_CHARS,
        description="title of its document; default: the notes of the room",
    ),
]
Author = Annotated[str | None, Field(min_length=1, max_length=MOST_TITLE_CHARS, description="who said it")]
SaidAt = Annotated[datetime | None, Field(description="when it was said")]
NamedLanguage = Annotated[
    Annotated[str, Field(json_schema_extra={"enum": list(ANALYZERS)})] | None,
    Field(
        description="ISO 639-1 code of the language of its wing, such as de, by which all words of the wing are"
        " stemmed; default: as the settings say, or else it is guessed, once"
    ),
]
Importance = Field(ge=0, le=1, description="above 0.5 raises the drawer in answers, below 0.5 lowers it")


@dataclass(frozen=True, slots=True)
class NewDrawer:
    """A text to be stored verbatim in one drawer.

    The drawer goes into the closet of its `source_uri`; without one, into the notes of its room.
    """

    text: Text
    wing: Annotated[
        str, Field(min_length=1, max_length=200, description="where to put it; it is made if it is missing")
    ]
    room: Annotated[
        str, Field(min_length=1, max_length=200, description="of the wing; it is made if it is missing")
    ] = "general"
    title: Title = None
    source_uri: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=MOST_URI_CHARS,
            description="names the document; texts of one document stand one after the other in one closet",
        ),
    ] = None
    author: Author = None
    occurred_at: SaidAt = None
    importance: Annotated[float, Importance] = 0.5
    embedding: Annotated[
        Sequence[float] | None,
        Field(description="vector of the palace's dimension; default: it is computed from the text"),
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

    text: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=MOST_CHARS,
            description="at least one word, at most a million characters; it gets a new embedding and new neighbours",
        ),
    ] = None
    title: Annotated[
        str | None, Field(min_length=1, max_length=MOST_TITLE_CHARS, description="title of the drawer's document")
    ] = None
    author: Author = None
    occurred_at: SaidAt = None
    importance: Annotated[float | None, Importance] = None

    def check(self) -> None:
        """Check the values.

        Raises:
            InvalidInput: If nothing is given, the text is blank, a name is not valid, or a number or time is out of
                range.
            TooLarge: If the text is too long.
        """
        if (self.text, self.title, self.author, self.occurred_at, self.importance) == (None,) * 5:
            raise InvalidInput("there is nothing to change: give text, title, author, occurred_at or importance")
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
        raise InvalidInput("text is blank; give the words to store", field="text", value=text)
    if len(text) > MOST_CHARS:
        raise TooLarge(f"text has {len(text)} characters; a drawer holds at most {MOST_CHARS}", field="text")


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A drawer that has the same text, or a similar one.

    Attributes:
        exact: Whether its text is the same, character for character.
        same: Whether it says the same: it differs only in case and white space, or it has the same numbers and nearly
            the same words.
        cosine: Of the vectors of both texts, -1 to 1. Nothing that was learned changes it.
    """

    id: str
    wing: str
    room: str
    source_uri: str
    text: str
    exact: Annotated[bool, Field(description="the same text, character for character")]
    same: Annotated[
        bool, Field(description="the same but for case and white space, or the same numbers and nearly the same words")
    ]
    cosine: Annotated[float, Field(description="plain cosine of both texts, -1 to 1")]
    also_at: Annotated[Sequence[str], Field(description="other drawers that say what this one says")]


@dataclass(frozen=True, slots=True)
class SimilarDrawer:
    """A drawer that stands for a text, which was therefore not stored.

    Attributes:
        how: `exact`: it has the same text; `same`: it says the same, as `Duplicate` has it; `near`: its cosine is high
            enough.
    """

    id: str
    how: Annotated[
        Literal["exact", "same", "near"],
        Field(description="exact: the same text; same: the same in nearly the same words; near: a similar meaning"),
    ]
    cosine: Annotated[float, Field(description="plain cosine of both texts, -1 to 1")]


@dataclass(frozen=True, slots=True)
class DuplicateCheck:
    """The drawers that have a text already or are near it.

    Exact ones stand first, then those that say the same, then the others by cosine.
    """

    duplicate: Annotated[bool, Field(description="whether there is any")]
    found: Sequence[Duplicate]


def _check_importance(importance: float) -> None:
    if not 0 <= importance <= 1:
        raise InvalidInput(f"importance is {importance}; it must be 0 to 1", field="importance", value=importance)


def _check_names(**names: str | None) -> None:
    for field, name in names.items():
        if name is not None:
            place_name(field, name, most_chars=MOST_TITLE_CHARS)
