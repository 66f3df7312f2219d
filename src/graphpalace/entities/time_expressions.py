"""Expressions of time in English, and the periods that they mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from graphpalace.domain.moments import midnight, months_before
from graphpalace.entities.dates import (
    COUNT,
    DAY,
    PERIODS,
    Period,
    count,
    date_in,
    day_of,
    month_of,
    week_of,
    weekday_before,
    weekend_of,
    year_of,
)

_DAYS: str = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_MONTHS: str = "january|february|march|april|may|june|july|august|september|october|november|december"
_SHORT_MONTHS: str = r"(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?"
_OF_DAY = r"(?:\s+(?:morning|afternoon|evening|night))?"
_BUT = r"(?:\s+but\s+(one|two|three))?"
_ANY_MONTH = rf"(?:{_MONTHS}|{_SHORT_MONTHS})"
_DATE = (
    rf"(?:{_ANY_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+(?:of\s+)?\d{{4}})?"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_ANY_MONTH}(?:,?\s+(?:of\s+)?\d{{4}})?|\d{{4}}-\d{{2}}-\d{{2}}"
    r"|(?<![\d./])(?:\d{4}/\d{1,2}/\d{1,2}|\d{1,2}/\d{1,2}/\d{4}|\d{1,2}\.\d{1,2}\.\d{4})(?![\d/]|\.\d))"
)
_MONTH = rf"(?:(?:{_MONTHS})(?:,?\s+(?:of\s+)?\d{{4}})?|\d{{4}}-\d{{2}})"
_YEAR = r"(?:19|20)\d{2}"
_POINT = rf"(?:{_DATE}|{_MONTH}|{_YEAR})"
OPENERS = "before|prior to|until|till|up to|after|since|from"
_SLACK_DAYS = {"week": 3, "month": 15, "year": 182}
_FUTURE = re.compile(r"\b(?:will|shall|should|tomorrow|upcoming|going to|due|next)\b|'ll\b", re.I)


@dataclass(frozen=True, slots=True)
class FoundTime:
    """An expression of time in a text.

    Attributes:
        start, end: Its first and last character, the last one exclusive.
        period: What it means; None if that is not sure.
    """

    start: int
    end: int
    period: Period | None


def times_in(text: str, *, now: datetime) -> list[FoundTime]:
    """Return the expressions of time in a text. Of two that overlap, the one that is read first counts."""
    found: list[FoundTime] = []
    for pattern, read in _READERS:
        for match in pattern.finditer(text):
            start, end = match.span("core") if "core" in pattern.groupindex else match.span()
            if all(end <= one.start or start >= one.end for one in found):
                found.append(FoundTime(start, end, read(match, now)))
    return found


def _ago(match: re.Match[str], now: datetime) -> Period:
    number, unit, exact = count(match[1]), match[2].lower(), match[3]
    if unit == "fortnight":
        number, unit = 2 * number, "week"
    if unit in ("month", "year"):
        middle = day_of(months_before(midnight(now), number * (12 if unit == "year" else 1)))
    else:
        middle = day_of(now, before=number * (7 if unit == "week" else 1))
    if exact:
        return middle.moved(-(exact.lower() == "yesterday"))
    slack = _SLACK_DAYS.get(unit, number // 4)  # nobody counts days exactly
    return Period(middle.begins - slack * DAY, middle.ends + slack * DAY)


def _hours_ago(match: re.Match[str], now: datetime) -> Period:
    number = 0.5 if match[1].lower().startswith("half") else count(match[1])
    return day_of(now - number * timedelta(**{f"{match[2].lower()}s": 1}))


def _named_ago(match: re.Match[str], now: datetime) -> Period:
    number, name = count(match[1]), match[2].lower()
    return weekend_of(now, before=number) if name == "weekend" else weekday_before(now, _day(name), times=number)


def _lately(match: re.Match[str], now: datetime) -> Period | None:
    if match[1] is None and match[3]:  # in the last days
        return None
    number, unit = count(match[1]) if match[1] else 1, match[2].lower()
    days = {"hour": 0, "day": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365}[unit]
    begins = midnight(now) - number * days * DAY if days else now - timedelta(hours=number)
    return Period(begins, now + DAY)


def _day_in_week(match: re.Match[str], now: datetime) -> Period:
    which, name = (match[2], match[1]) if match[1] else (match[3], match[4])
    return day_of(week_of(now, before=which.lower() == "last").begins, before=-_day(name))


def _month_in_year(match: re.Match[str], now: datetime) -> Period:
    which, name = (match[2], match[1]) if match[1] else (match[3], match[4])
    return month_of(now.replace(day=1, month=_month_number(name), year=now.year - (which.lower() == "last")))


def _before_last(match: re.Match[str], now: datetime) -> Period:
    name = match[1].lower()
    return PERIODS[name](now, before=2) if name in PERIODS else weekday_before(now, _day(name), times=2)


def _period(match: re.Match[str], now: datetime) -> Period | None:
    which, unit = match[1].lower(), match[2].lower()
    if which == "this" and unit == "weekend":  # which may be still to come
        return None
    return PERIODS[unit](now, before=0 if which == "this" else 1 + _but(match[3]))


def _weekday(match: re.Match[str], now: datetime) -> Period | None:
    which, weekday = match[1].lower(), _day(match[2])
    if which == "this":
        return day_of(week_of(now).begins, before=-weekday) if weekday <= now.weekday() else None
    if which == "on" and _FUTURE.search(match.string):
        return None
    return weekday_before(now, weekday, times=1 + _but(match[3]))


def _since_weekday(match: re.Match[str], now: datetime) -> Period:
    return weekday_before(now, _day(match["weekday"]))


def _named_day(match: re.Match[str], now: datetime) -> Period | None:
    words = match[0]
    if words[0].isupper() and match.string[: match.start()].strip()[-1:] not in ("", *".!?,;:"):  # perhaps a title
        return None
    begun = {"morning": 0, "afternoon": 12, "evening": 17}
    of_today = words.lower().removeprefix("this ")
    if of_today in begun:
        return day_of(now) if now.hour >= begun[of_today] else None
    return day_of(now, before="today" not in words.lower())


def _date(match: re.Match[str], now: datetime) -> Period | None:
    found = _point(match[2], now)
    if found is None or (match[1] and found.begins.weekday() != _day(match[1])):
        return None
    return found


def _month(match: re.Match[str], now: datetime) -> Period | None:
    found, which = _point(match["month"], now), (match.groupdict().get("which") or "").lower()
    if found is None or (which == "this" and found.begins.year != now.year):
        return None
    return month_of(found.begins, before=12) if which == "last" and found.ends > now else found


def _year(match: re.Match[str], now: datetime) -> Period:
    given = match.groupdict()
    begins = midnight(now).replace(year=int(given.get("year") or given["decade"]), month=1, day=1)
    return Period(begins, begins.replace(year=begins.year + (1 if given.get("year") else 10)))


def _between(match: re.Match[str], now: datetime) -> Period | None:
    first, last = match[1], match[2]
    if re.search(r"\d{4}$", last) and re.fullmatch(_MONTHS, first, re.I):  # between October and December 2024
        first = f"{first} {last[-4:]}"
    begins, ends = _point(first, now), _point(last, now)
    if begins is None or ends is None or ends.begins <= begins.begins:
        return None
    return Period(begins.begins, ends.ends)


def _point(text: str, now: datetime) -> Period | None:
    """Return the day, month or year that a date without further words means; None if there is no such date."""
    today = midnight(now)
    if re.fullmatch(_YEAR, text):
        return year_of(today.replace(year=int(text), month=1, day=1))
    if re.fullmatch(_MONTH, text, re.I):
        named = re.match(_MONTHS, text, re.I)
        month = _month_number(named[0]) if named else int(text[5:])
        written = re.search(r"\d{4}", text)
        year = int(written[0]) if written else now.year - (month > now.month)
        return month_of(today.replace(year=year, month=month, day=1)) if year > 1 and 1 <= month <= 12 else None
    day = date_in(text, said_at=now)
    return None if day is None else day_of(day.replace(tzinfo=now.tzinfo))


def _day(name: str) -> int:
    return _DAYS.split("|").index(name.lower())


def _month_number(name: str) -> int:
    return _MONTHS.split("|").index(name.lower()) + 1


def _but(number: str | None) -> int:
    return count(number) if number else 0


def _readers() -> Iterator[tuple[str, Callable[[re.Match[str], datetime], Period | None]]]:
    yield rf"\b(?:from|between)\s+({_POINT})\s+(?:to|till|until|through|and)\s+({_POINT})\b", _between
    yield rf"\b({COUNT})\s+(day|night|week|fortnight|month|year)s?\s+ago\b(?:\s+(today|yesterday)\b)?", _ago
    yield rf"\b(half\s+an|{COUNT})\s+(minute|hour)s?\s+ago\b", _hours_ago
    yield rf"\b({COUNT})\s+({_DAYS}|weekend)s\s+ago\b", _named_ago
    yield (
        rf"\b(?:in|over|during|within|for|of|from)\s+the\s+(?:last|past)\s+(?:({COUNT})\s+)?"
        r"(hour|day|week|fortnight|month|year)(s?)\b",
        _lately,
    )
    yield (
        rf"\b(?:on\s+)?({_DAYS})\s+(?:(?:of|in)\s+)?(last|this)\s+week\b"
        rf"|\b(last|this)\s+week(?:'s)?\s+(?:on\s+)?({_DAYS})\b",
        _day_in_week,
    )
    yield (
        rf"\b(?:in\s+)?({_MONTHS})\s+(?:of\s+)?(last|this)\s+year\b"
        rf"|\b(last|this)\s+year(?:'s)?\s+(?:in\s+)?({_MONTHS})\b",
        _month_in_year,
    )
    yield rf"\b(?:the\s+)?({_DAYS}|night|week|weekend|month|year)\s+before\s+last\b(?:\s+\1\b)?", _before_last
    yield rf"\b(?:earlier\s+)?(?<!\bthe )\b(this|last|previous)\s+(week|month|year)\b{_BUT}", _period
    yield rf"(?<!\bthe )\b(this|last|previous|past)\s+(weekend)\b{_BUT}", _period
    yield rf"(?<!\bthe )\b(last|past|this|on)\s+({_DAYS})\b(?!,?\s+{_DATE}){_OF_DAY}{_BUT}", _weekday
    yield rf"\bsince\s+(?P<core>(?P<weekday>{_DAYS})\b{_OF_DAY})(?!\s+(?:is|was|has|had|will)\b)", _since_weekday
    yield (
        rf"\byesterday{_OF_DAY}\b|\b(?:earlier\s+)?today\b|\blast night\b|\bthis (?:morning|afternoon|evening)\b",
        _named_day,
    )
    yield rf"\b(?:on\s+)?(?:({_DAYS}),?\s+)?({_DATE})\b", _date
    # A month needs a word before it: "may" and "march" are verbs too.
    yield rf"\b(?P<which>in|during|of|last|this)\s+(?P<month>{_MONTH})\b(?!-)", _month
    yield rf"\b(?:{OPENERS})\s+(?P<core>(?P<month>{_MONTH}))\b(?!-)", _month
    yield rf"\b(?:in|during)\s+(?:the\s+year\s+)?(?P<year>{_YEAR})\b(?!\s*-)", _year
    yield r"\bin\s+the\s+(?P<decade>(?:19|20)\d0)s\b", _year
    # A number is a year only where nothing is counted with it.
    yield rf"\b(?:{OPENERS})\s+(?P<core>(?P<year>{_YEAR}))(?=\s*(?:[?.!,;:)]|$))", _year


_READERS = [(re.compile(pattern, re.I), read) for pattern, read in _readers()]
