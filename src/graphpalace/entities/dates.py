"""Dates in words, such as "April 2023" or "vor zwei Jahren". Only a span that is a date is read, never a whole text."""

from __future__ import annotations

import re
from datetime import UTC, datetime

_MOST_CHARS = 60
_LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pt"]  # loading every language takes seconds
_BEFORE = re.compile(r"(?:since|until|till|from|to|in|on|as of|seit|bis|ab|am|im|depuis|desde|hasta)\s+", re.I)
_YEAR, _MONTH = re.compile(r"\d{4}"), re.compile(r"\d{4}-\d{1,2}")
_ISO = re.compile(r"\d{4}(-|$)")
# dateparser reads "before yesterday" as yesterday, and "in the 1990s" as today.
_NO_ONE_DAY = re.compile(
    r"(?<!\bday )\bbefore\b|\bbefore (?!yesterday\b)|\b(?:after|than|or|but|between)\b|\d0s\b", re.I
)
_EITHER_WAY = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.]\d{2,4}")


def date_in(span: str, *, said_at: datetime) -> datetime | None:
    """Return the day that a date means, at midnight UTC; None if it means none, or might mean two.

    A year or a month is its first day. A date such as 4/5/2020 is not read, because it has two meanings.

    Args:
        span: A date in words or figures, at most 60 characters.
        said_at: When it was said, for "yesterday" and "in April".

    >>> date_in("since April 2023", said_at=datetime(2024, 1, 1, tzinfo=UTC))
    datetime.datetime(2023, 4, 1, 0, 0, tzinfo=datetime.timezone.utc)
    """
    text = " ".join(span.split()).strip(" .,;:")
    while shorter := _BEFORE.match(text):
        text = text[shorter.end() :]
    if not text or len(text) > _MOST_CHARS or not any(character.isalnum() for character in text):
        return None
    if (figures := _EITHER_WAY.fullmatch(text)) and figures[1] != figures[2] and max(map(int, figures.groups())) <= 12:
        return None
    if _NO_ONE_DAY.search(text):
        return None
    found = _parsed(text, said_at)
    return None if found is None else datetime(found.year, found.month, found.day, tzinfo=UTC)


def _parsed(text: str, said_at: datetime) -> datetime | None:
    if _ISO.match(text):
        parts = text.split("-") if _MONTH.fullmatch(text) else [text, "1"] if _YEAR.fullmatch(text) else None
        try:
            return datetime.fromisoformat(text) if parts is None else datetime(int(parts[0]), int(parts[1]), 1)
        except ValueError:
            return None
    import dateparser  # takes a third of a second

    return dateparser.parse(
        text,
        languages=_LANGUAGES,
        settings={
            "RELATIVE_BASE": said_at.astimezone(UTC).replace(tzinfo=None),
            "PREFER_DATES_FROM": "past",
            "PREFER_DAY_OF_MONTH": "first",
        },
    )
