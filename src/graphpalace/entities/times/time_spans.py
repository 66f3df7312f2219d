"""Times in questions, such as "last week" or "in March 2023": only what clearly says when something happened.

The words are English; dates in figures such as 2023-03-05 are read in any language.

Of 97 expressions whose ranges were worked out by hand, dateparser finds a moment in 43 of the ranges and a wrong one
for 22 expressions, timefhuman 37 and 23, parsedatetime 35 and 42, ctparse 11 and 33: they read what they know of an
expression that they do not know as a whole, such as "yesterday" in "the day before yesterday". So dateparser reads what
it is right about, which are dates, and the other expressions are read here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from graphpalace.entities.times.counts import COUNT, count
from graphpalace.entities.times.periods import Period
from graphpalace.entities.times.readers import OPENERS, FoundTime, times_in
from graphpalace.entities.times.surroundings import makes_unsure

_SHIFT = re.compile(rf"\b(?:the\s+day|({COUNT})\s+days?)\s+(before|after)\s+$", re.I)
_OPEN = re.compile(rf"\b({OPENERS})\s+$", re.I)
_ONWARDS = re.compile(r"\s+(?:on|onwards?)\b", re.I)
_EVER = datetime(1, 1, 2, tzinfo=UTC)


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
    """Return the time that a question names.

    Args:
        now: With a zone. Days begin in this zone.
    Returns:
        None if it names none, more than one, or one that is still to come, or if it is not sure which one it names.

    >>> found = time_span("what did I plant last month?", now=datetime(2026, 3, 10, 9, tzinfo=UTC))
    >>> found.words, found.start.date().isoformat(), found.end.date().isoformat()
    ('last month', '2026-02-01', '2026-03-01')
    """
    try:
        found = times_in(question, now=now)
        return _opened(question, _shifted(question, found[0]), now) if len(found) == 1 else None
    except (OverflowError, ValueError):  # it is outside of the calendar
        return None


def _shifted(text: str, found: FoundTime) -> FoundTime:
    """Return what "the day before" or "two days after" makes of a day that follows."""
    while found.period is not None and found.period.is_day and (shift := _SHIFT.search(text, 0, found.start)):
        days = count(shift[1]) if shift[1] else 1
        period = found.period.moved(-days if shift[2].lower() == "before" else days)
        found = FoundTime(shift.start(), found.end, period)
    return found


def _opened(text: str, found: FoundTime, now: datetime) -> TimeSpan | None:
    """Return what "since", "before" and the like make of a time that follows."""
    period, start, end = found.period, found.start, found.end
    if period is None or period.begins >= now:
        return None
    opener = _OPEN.search(text, 0, start)
    word = opener[1].lower() if opener else ""
    if opener:
        start = opener.start()
    if word == "from" and (onwards := _ONWARDS.match(text, end)):
        word, end = "since", onwards.end()
    if makes_unsure(text, start, end, opener=word, whole_day=period.is_day):
        return None
    match word:
        case "before" | "prior to":
            period = Period(_EVER, period.begins)
        case "until" | "till" | "up to":
            period = Period(_EVER, period.ends)
        case "after":
            period = Period(period.ends, now)
        case "since":
            period = Period(period.begins, now)
    if period.ends <= period.begins:
        return None
    return TimeSpan(text[start:end], period.begins, period.ends)
