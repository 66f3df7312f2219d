"""Dates in words, such as "April 2023" or "vor zwei Jahren", and the periods and numbers that words name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from graphpalace.domain.moments import midnight, months_before

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
DAY = timedelta(days=1)
# fmt: off
_SMALL = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
          "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
# fmt: on
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_NUMBERS = {word: number for number, word in enumerate(_SMALL, 1)}
_NUMBERS |= {word: 10 * number for number, word in enumerate(_TENS, 2)}
NUMBER: str = rf"(?:(?:{'|'.join(_TENS)})(?:[\s-](?:{'|'.join(_SMALL[:9])}))?|{'|'.join(reversed(_SMALL))}|\d{{1,3}})"
COUNT: str = rf"(?:(?:a\s+)?couple(?:\s+of)?|{NUMBER}|an?)"


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


@dataclass(frozen=True, slots=True)
class Period:
    """A time from one moment to before another."""

    begins: datetime
    ends: datetime

    @property
    def is_day(self) -> bool:
        """Whether it is a whole day."""
        return self.ends - self.begins == DAY and self.begins == midnight(self.begins)

    def moved(self, days: int) -> Period:
        """Return the period some days later."""
        return Period(self.begins + days * DAY, self.ends + days * DAY)


def day_of(moment: datetime, *, before: int = 0) -> Period:
    """Return the day of a moment, or one some days before it."""
    begins = midnight(moment) - before * DAY
    return Period(begins, begins + DAY)


def week_of(moment: datetime, *, before: int = 0) -> Period:
    """Return the week of a moment, which begins on Monday, or one some weeks before it."""
    monday = midnight(moment) - (moment.weekday() + 7 * before) * DAY
    return Period(monday, monday + 7 * DAY)


def weekend_of(moment: datetime, *, before: int = 0) -> Period:
    """Return Saturday and Sunday of the week of a moment, or of one some weeks before it."""
    week = week_of(moment, before=before)
    return Period(week.ends - 2 * DAY, week.ends)


def month_of(moment: datetime, *, before: int = 0) -> Period:
    """Return the month of a moment, or one some months before it."""
    first = months_before(midnight(moment).replace(day=1), before)
    return Period(first, (first + 32 * DAY).replace(day=1))


def year_of(moment: datetime, *, before: int = 0) -> Period:
    """Return the year of a moment, or one some years before it."""
    first = months_before(midnight(moment).replace(month=1, day=1), 12 * before)
    return Period(first, first.replace(year=first.year + 1))


def weekday_before(moment: datetime, weekday: int, *, times: int = 1) -> Period:
    """Return the latest day of a name that is over, or an earlier one.

    Args:
        weekday: 0 for Monday.
        times: 1 for the latest, 2 for the one a week before it.
    """
    back = (moment.weekday() - weekday) % 7 or 7
    return day_of(moment, before=back + 7 * (times - 1))


PERIODS = {"night": day_of, "week": week_of, "weekend": weekend_of, "month": month_of, "year": year_of}


def count(text: str) -> int:
    """Return the number that a match of `COUNT` means.

    >>> count("twenty-one"), count("a couple of"), count("an"), count("12")
    (21, 2, 1, 12)
    """
    words = text.lower().replace("-", " ").split()
    if "couple" in words:
        return 2
    if words[-1] in ("a", "an"):
        return 1
    return sum(int(word) if word.isdecimal() else _NUMBERS[word] for word in words)
