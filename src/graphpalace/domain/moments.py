"""Times that callers give."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from graphpalace.errors import InvalidInput

TIMES = "2026-05-31, 2026-05-31T14:30, today, yesterday, monday, 3 days ago, last week, this month"

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_AGO = re.compile(r"(\d{1,6}|an?) (minute|hour|day|week|month|year)s? ago")
_PERIOD = re.compile(r"(this|last) (week|month|year)")


def milliseconds(field: str, moment: datetime | None) -> int | None:
    """Return a time in milliseconds since 1970. A time without a zone is local time.

    Raises:
        InvalidInput: If the time is outside the years 1 to 9999 of UTC.
    """
    try:
        return None if moment is None else int(moment.timestamp() * 1000)
    except (OverflowError, ValueError):
        raise InvalidInput(f"{field} is {moment}; it must be in the years 1 to 9999 of UTC", field=field) from None


def moment(field: str, text: str, *, now: datetime) -> datetime:
    """Return the time that a text describes.

    Words mean the start of a period. For example, `yesterday` and `3 days ago` are the start of that day, `monday` is
    the start of the latest Monday (today, if it is one), `last week` is the start of the Monday of the week before, and
    `this month` is the start of its first day. Hours and minutes are counted from now.

    Args:
        field: Name of the value in error messages.
        text: ISO 8601, with or without a zone, or words as in `TIMES`.
        now: Local time, without a zone.
    Raises:
        InvalidInput: If the text is neither, or the time is before the year 1.

    >>> moment("since", "yesterday", now=datetime(2026, 3, 1, 15, 30))
    datetime.datetime(2026, 2, 28, 0, 0)
    """
    words = " ".join(text.lower().split())
    try:
        found = _named(words, now) or _ago(words, now) or _period(words, now) or datetime.fromisoformat(text.strip())
    except (ValueError, OverflowError):
        raise InvalidInput(
            f"{field} is {text!r}; it must be a time, for example {TIMES}", field=field, value=text
        ) from None
    return found


def _named(words: str, now: datetime) -> datetime | None:
    today = midnight(now)
    if words in _DAYS:
        return today - timedelta(days=(today.weekday() - _DAYS.index(words)) % 7)
    return {"now": now, "today": today, "yesterday": today - timedelta(days=1)}.get(words)


def _ago(words: str, now: datetime) -> datetime | None:
    found = _AGO.fullmatch(words)
    if not found:
        return None
    count = 1 if found[1].startswith("a") else int(found[1])
    unit = found[2]
    if unit in ("minute", "hour"):
        return now - timedelta(**{f"{unit}s": count})
    if unit in ("month", "year"):
        return months_before(midnight(now), count * (12 if unit == "year" else 1))
    return midnight(now) - timedelta(days=count * (7 if unit == "week" else 1))


def _period(words: str, now: datetime) -> datetime | None:
    found = _PERIOD.fullmatch(words)
    if not found:
        return None
    today, before = midnight(now), found[1] == "last"
    if found[2] == "week":
        return today - timedelta(days=today.weekday() + 7 * before)
    first = today.replace(day=1)
    return months_before(first, before) if found[2] == "month" else months_before(first.replace(month=1), 12 * before)


def months_before(day: datetime, months: int) -> datetime:
    """Return the same day of an earlier month, or its last day if that month is shorter."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    following = datetime(year + month // 11, (month + 1) % 12 + 1, 1)
    return day.replace(year=year, month=month + 1, day=min(day.day, (following - timedelta(days=1)).day))


def midnight(moment: datetime) -> datetime:
    """Return the start of the day of a moment."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)
