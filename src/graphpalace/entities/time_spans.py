"""Times in questions, such as "last week" or "in March 2023": only what clearly says when something happened.

The words are English; dates in figures such as 2023-03-05 are read in any language.

Of 97 expressions whose ranges were worked out by hand, dateparser finds a moment in 43 of the ranges and a wrong one
for 22 expressions, timefhuman 37 and 23, parsedatetime 35 and 42, ctparse 11 and 33: they read what they know of an
expression that they do not know as a whole, such as "yesterday" in "the day before yesterday". So dateparser reads what
it is right about, which are dates, and the other expressions are read here.

The rules leave out a time rather than take a wrong one. For example, "by last week" and "half a year ago" have none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from graphpalace.entities.dates import COUNT, NUMBER, Period, count
from graphpalace.entities.time_expressions import OPENERS, FoundTime, times_in

_UNITS: str = (
    "minute|hour|day|night|morning|afternoon|evening|week|weekend|fortnight|month|quarter|year|time|while|moment"
)
_PARTS: str = (
    "start|beginning|middle|end|half|part|rest|first|second|third|last|ides|spring|summer|autumn|fall|winter|"
    "mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?"
)
_TIME = (
    r"\d|the\b|last\b|this\b|next\b|earlier\b|later\b|before\b|after\b|since\b|until\b|now\b|today\b|yesterday\b|tomorrow\b|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|january\b|february\b|march\b|april\b|may\b|june\b|july\b|"
    r"august\b|september\b|october\b|november\b|december\b"
)
# Before it: "the end of", "half", "more than", "as of", "three or", "1.", "a week" ...
_LEFT = re.compile(
    rf"(?:\b(?:(?:{_UNITS})s?|{_PARTS}|half|by|not|than|least|most|under|over|every|each|except|excluding|besides|without|"
    rf"starting|beginning|through|next|and|or|to|hundred|thousand|few|some|several|many|{NUMBER})"
    r"(?:\s+(?:of|in))?(?:\s+the)?|\bas\s+of|\d[.,/-]|[-\u2013/])\s*$",
    re.I,
)
# Before a longer time: only a part of it is meant.
_PART_OF_IT = re.compile(r"\b(?:early|earlier|late|later|mid|middle)[\s-]+(?:in\s+)?$", re.I)
# Before "before", "since" and the like: "shortly", "never", "the meeting" is not sure, "what did I note" is.
_BEFORE_OPENER = re.compile(
    rf"\b(?:(?:{_UNITS})s?|{_PARTS}|{NUMBER}|just|right|shortly|soon|immediately|directly|long|well|not|never|later|earlier|"
    rf"and|or|until|till|before|after|since|from)\s+$",
    re.I,
)
_NOT_SINCE = re.compile(r"\b(?:not|never|no\s+\w+)\b|n't\b", re.I)
# After it: "or so", "of the year", "- April", "week", "and in April", "to the summer" ...
_RIGHT = re.compile(
    r"\s*(?:[-\u2013\u2014/]\s*\w|\b(?:or|but|next|last|each|every|week|fortnight|of(?!\s+course))\b"
    rf"|\b(?:and|to|till|until|through)\s+(?:in\s+|on\s+)?(?:{_TIME}))",
    re.I,
)
_POSSESSIVE = re.compile(r"['\u2019]s\b")
# What may follow "before last", which can also go on: "the week before last Christmas".
_ENDS = re.compile(
    r"\s*(?:$|[^\w\s]|(?:i|you|he|she|it|we|they|what|who|whom|when|where|why|how|which|did|do|does|was|were|is|are|had|"
    r"have|has|and|with|at|in|on|about|for|the|a|an|my|our|his|her|their|that|there|because|as|if)\b)",
    re.I,
)
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


def makes_unsure(text: str, start: int, end: int, *, opener: str, whole_day: bool) -> bool:
    """Return whether the words around an expression make it unsure which time is meant.

    Args:
        start, end: First and last character of the expression and its opener, the last one exclusive.
        opener: Such as "since"; "" for none.
        whole_day: Whether it is a day, of which "early" leaves the day.
    """
    left, right = text[:start], text[end:]
    if _quoted(left) or _RIGHT.match(right):
        return True
    if text[start:end].lower().endswith("before last") and not _ENDS.match(right):
        return True
    if opener and opener != "from":
        return bool(_BEFORE_OPENER.search(left) or _POSSESSIVE.match(right)) or (
            opener == "since" and bool(_NOT_SINCE.search(left))
        )
    return bool(_LEFT.search(left)) or (not whole_day and bool(_PART_OF_IT.search(left)))


def _quoted(left: str) -> bool:
    return left.count('"') % 2 == 1 or left.count("“") > left.count("”")
