"""Times in questions, such as "last week" or "in March 2023": only what clearly says when something happened.

The words are English; dates in figures such as 2023-03-05 are read in any language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from graphpalace.entities.dates import date_in

_MONTHS: str = "january|february|march|april|may|june|july|august|september|october|november|december"
_DAYS: str = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "couple of": 2, "a couple of": 2, "three": 3, "few": 3, "a few": 3,
           "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12}  # fmt: skip
_COUNT = "|".join(sorted((*_COUNTS, r"\d{1,3}"), key=len, reverse=True))
_DAYS_OF = {"day": 1, "week": 7, "month": 30, "year": 365}

_AGO = re.compile(rf"\b({_COUNT})\s+(day|week|month|year)s?\s+ago\b", re.I)
_LATELY = re.compile(
    rf"\b(?:in|over|during|within|for)\s+the\s+(?:last|past)\s+(?:({_COUNT})\s+)?(day|week|month|year)s?\b", re.I
)
_PERIOD = re.compile(r"(?<!\bthe )\b(this|last|previous)\s+(weekend|week|month|year)\b|\b(past)\s+(weekend)\b", re.I)
_WEEKDAY = re.compile(rf"\b(?:last|past|this|on)\s+({_DAYS})\b", re.I)
_DAY = re.compile(r"\b(yesterday|today|last night|this morning)\b", re.I)
_DATE = re.compile(
    rf"\b(?:on\s+)?((?:{_MONTHS})\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+\d{{4}})?"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTHS})(?:,?\s+\d{{4}})?|\d{{4}}-\d{{2}}-\d{{2}})\b",
    re.I,
)
# A month needs a word before it: "may" and "march" are verbs too.
_MONTH = re.compile(rf"\b(?:in|during|since|from|of|last|this)\s+({_MONTHS})(?:,?\s+(?:of\s+)?(\d{{4}}))?\b", re.I)
_YEAR = re.compile(r"\b(?:in|during)\s+((?:19|20)\d{2})\b(?!\s*-)", re.I)
_OPEN = re.compile(r"\b(before|until|till|after|since|from)\s+$", re.I)

# First and last character, and first and last moment; the last ones are exclusive.
_Found = tuple[int, int, datetime, datetime]


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A time that a question names.

    Attributes:
        words: As the question has them.
        start, end: From the one and before the other.
    """

    words: str
    start: datetime
    end: datetime


def time_span(question: str, *, now: datetime) -> TimeSpan | None:
    """Return the time that a question names; None if it names none, more than one, or one that is still to come.

    Args:
        now: With a zone. Days begin in this zone.

    >>> found = time_span("what did I plant last month?", now=datetime(2026, 3, 10, 9, tzinfo=UTC))
    >>> found.words, found.start.date().isoformat(), found.end.date().isoformat()
    ('last month', '2026-02-01', '2026-03-01')
    """
    found: list[_Found] = []
    for read in (_ago, _lately, _date, _weekday, _period, _day, _month, _year):
        for start, end, begins, ends in read(question, now):
            if all(end <= one or start >= other for one, other, _, _ in found):
                found.append((start, end, begins, ends))
    if len(found) != 1:
        return None
    start, end, begins, ends = found[0]
    if (opened := _OPEN.search(question, 0, start)) is not None:
        start = opened.start()
    word = question[start:end].split(maxsplit=1)[0].lower()
    if word in ("before", "until", "till"):
        begins, ends = datetime(1, 1, 2, tzinfo=UTC), begins
    elif word in ("after", "since", "from"):
        begins, ends = (ends if word == "after" else begins), now
    if begins >= now or ends <= begins:
        return None
    return TimeSpan(question[start:end], begins, ends)


def _ago(text: str, now: datetime) -> Iterator[_Found]:
    for match in _AGO.finditer(text):
        count, unit = _count(match[1]), match[2].lower()
        middle = _midnight(now) - timedelta(days=count * _DAYS_OF[unit])
        slack = count // 4 if unit == "day" else _DAYS_OF[unit] // 2  # nobody counts days exactly
        yield *match.span(), middle - timedelta(days=slack), middle + timedelta(days=slack + 1)


def _lately(text: str, now: datetime) -> Iterator[_Found]:
    for match in _LATELY.finditer(text):
        days = (_count(match[1]) if match[1] else 1) * _DAYS_OF[match[2].lower()]
        yield *match.span(), _midnight(now) - timedelta(days=days), now + timedelta(days=1)


def _period(text: str, now: datetime) -> Iterator[_Found]:
    today = _midnight(now)
    for match in _PERIOD.finditer(text):
        this, unit = (match[1] or "").lower() == "this", (match[2] or match[4]).lower()
        if this and unit == "weekend":  # which may be still to come
            continue
        monday = today - timedelta(days=today.weekday())
        if unit == "weekend":
            begins = monday - timedelta(days=2)
            yield *match.span(), begins, begins + timedelta(days=2)
        elif unit == "week":
            begins = monday - timedelta(days=0 if this else 7)
            yield *match.span(), begins, begins + timedelta(days=7)
        else:
            first = today.replace(day=1) if unit == "month" else today.replace(month=1, day=1)
            before = (first - timedelta(days=1)).replace(day=1)
            before = before if unit == "month" else before.replace(month=1)
            yield (*match.span(), first, now + timedelta(days=1)) if this else (*match.span(), before, first)


def _weekday(text: str, now: datetime) -> Iterator[_Found]:
    names = _DAYS.split("|")
    for match in _WEEKDAY.finditer(text):
        back = (now.weekday() - names.index(match[1].lower())) % 7 or 7
        begins = _midnight(now) - timedelta(days=back)
        yield *match.span(), begins, begins + timedelta(days=1)


def _day(text: str, now: datetime) -> Iterator[_Found]:
    for match in _DAY.finditer(text):
        begins = _midnight(now) - timedelta(days=match[1].lower() in ("yesterday", "last night"))
        yield *match.span(), begins, begins + timedelta(days=1)


def _date(text: str, now: datetime) -> Iterator[_Found]:
    for match in _DATE.finditer(text):
        day = date_in(match[1], said_at=now)
        if day is not None and (begins := day.replace(tzinfo=now.tzinfo)) <= now:
            yield *match.span(), begins, begins + timedelta(days=1)


def _month(text: str, now: datetime) -> Iterator[_Found]:
    names = _MONTHS.split("|")
    for match in _MONTH.finditer(text):
        month = names.index(match[1].lower()) + 1
        year = int(match[2]) if match[2] else now.year - (month > now.month)
        if not 1 < year <= now.year:
            continue
        begins = _midnight(now).replace(year=year, month=month, day=1)
        yield *match.span(), begins, (begins + timedelta(days=32)).replace(day=1)


def _year(text: str, now: datetime) -> Iterator[_Found]:
    for match in _YEAR.finditer(text):
        begins = _midnight(now).replace(year=int(match[1]), month=1, day=1)
        yield *match.span(), begins, begins.replace(year=begins.year + 1)


def _count(text: str) -> int:
    return int(text) if text.isdecimal() else _COUNTS[" ".join(text.lower().split())]


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)
