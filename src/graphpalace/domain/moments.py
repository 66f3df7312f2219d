"""Times that callers give: of searches and lists, and of facts.

A range of times goes from `since` to `until`. A date, or words for days such as "last week", is included as a whole at
either end; a moment such as 2026-05-31T14:30 is where the range begins, or before which it ends.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any

from graphpalace.domain.field import TIME, Field
from graphpalace.errors import InvalidInput

TIMES = "2026-05-31, 2026-05-31T14:30, today, yesterday, monday, 3 days ago, last week, this month"

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_AGO = re.compile(r"(\d{1,6}|an?) (minute|hour|day|week|month|year)s? ago")
_PERIOD = re.compile(r"(this|last) (week|month|year)")
_DAY = timedelta(days=1)
_Range = tuple[datetime, datetime]  # from the one and before the other


def milliseconds(field: str, moment: datetime | None) -> int | None:
    """Return a time in milliseconds since 1970. A time without a zone is local time.

    Raises:
        InvalidInput: If the time is outside the years 1 to 9999 of UTC.
    """
    try:
        return None if moment is None else int(moment.timestamp() * 1000)
    except (OverflowError, ValueError):
        raise InvalidInput(f"{field} is {moment}; it must be in the years 1 to 9999 of UTC", field=field) from None


def whole_day(value: Any) -> Any:
    """Return the moment before which a range ends: of a date the start of the next day. Other values stay as they are.

    >>> whole_day("2026-05-31"), whole_day("2026-05-31T14:30")
    (datetime.datetime(2026, 6, 1, 0, 0), '2026-05-31T14:30')
    """
    if isinstance(value, str):
        with suppress(ValueError):
            value = date.fromisoformat(value.strip())
    if isinstance(value, date) and not isinstance(value, datetime):
        begins = datetime(value.year, value.month, value.day)
        return begins + _DAY if value < date.max else begins.replace(hour=23, minute=59, second=59)
    return value


def moment(field: str, text: str, *, now: datetime, end: bool = False) -> datetime:
    """Return the time that a text describes.

    Words mean a day or a period. For example, `monday` is the latest Monday (today, if it is one), `3 days ago` is that
    day, and `last week` goes from Monday to Sunday. Hours and minutes are counted from now.

    Args:
        field: Name of the value in error messages.
        text: ISO 8601, with or without a zone, or words as in `TIMES`.
        now: Local time, without a zone.
        end: Whether to return the moment before which a range ends, which includes the day or period, and not where it
            begins.
    Raises:
        InvalidInput: If the text is neither, or the time is before the year 1.

    >>> moment("since", "yesterday", now=datetime(2026, 3, 1, 15, 30))
    datetime.datetime(2026, 2, 28, 0, 0)
    """
    words = " ".join(text.lower().split())
    try:
        begins, ends = _named(words, now) or _ago(words, now) or _period(words, now) or _written(text.strip())
    except (ValueError, OverflowError):
        raise InvalidInput(
            f"{field} is {text!r}; it must be a time, for example {TIMES}", field=field, value=text
        ) from None
    return ends if end else begins


def _written(text: str) -> _Range:
    ends = whole_day(text)
    return datetime.fromisoformat(text), datetime.fromisoformat(text) if isinstance(ends, str) else ends


def _day(begins: datetime) -> _Range:
    return begins, begins + _DAY


def _named(words: str, now: datetime) -> _Range | None:
    today = midnight(now)
    if words in _DAYS:
        return _day(today - (today.weekday() - _DAYS.index(words)) % 7 * _DAY)
    return {"now": (now, now), "today": _day(today), "yesterday": _day(today - _DAY)}.get(words)


def _ago(words: str, now: datetime) -> _Range | None:
    found = _AGO.fullmatch(words)
    if not found:
        return None
    count = 1 if found[1].startswith("a") else int(found[1])
    unit = found[2]
    if unit in ("minute", "hour"):
        back = now - timedelta(**{f"{unit}s": count})
        return back, back
    if unit in ("month", "year"):
        return _day(months_before(midnight(now), count * (12 if unit == "year" else 1)))
    return _day(midnight(now) - count * (7 if unit == "week" else 1) * _DAY)


def _period(words: str, now: datetime) -> _Range | None:
    found = _PERIOD.fullmatch(words)
    if not found:
        return None
    today, before = midnight(now), found[1] == "last"
    if found[2] == "week":
        monday = today - (today.weekday() + 7 * before) * _DAY
        return monday, monday + 7 * _DAY
    first, months = (today.replace(day=1), 1) if found[2] == "month" else (today.replace(month=1, day=1), 12)
    return months_before(first, months * before), months_before(first, months * (before - 1))


def months_before(day: datetime, months: int) -> datetime:
    """Return the same day of an earlier month, or its last day if that month is shorter."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    following = datetime(year + month // 11, (month + 1) % 12 + 1, 1)
    return day.replace(year=year, month=month + 1, day=min(day.day, (following - timedelta(days=1)).day))


def midnight(moment: datetime) -> datetime:
    """Return the start of the day of a moment."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


FACT_TIMES = "2019, 2019-05, 2019-05-31 or 2019-05-31T14:30Z"

_YEAR = re.compile(r"\d{4}")
_MONTH = re.compile(r"(\d{4})-(\d{2})")

_CLOCK = r"([01]\d|2[0-3]):[0-5]\d"
_FACT_TIME = (
    rf"^\d{{4}}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01])([T ]{_CLOCK}(:[0-5]\d(\.\d{{1,6}})?)?(Z|[+-]{_CLOCK})?)?)?)?$"
)

FactTime = Annotated[
    str,
    Field(min_length=1, max_length=40, examples=["2019-05-31"], json_schema_extra={"pattern": _FACT_TIME}),
    TIME,
]


def fact_time(field: str, text: str) -> datetime:
    """Return the moment that a time means: the start of a year, a month or a day, or the moment itself, in UTC.

    Args:
        field: Name of the value in error messages.

    Raises:
        InvalidInput: If the text is not such a time, or outside the years 1 to 9999 of UTC.

    >>> fact_time("valid_from", "2019-05").isoformat()
    '2019-05-01T00:00:00+00:00'
    """
    given = text.strip()
    try:
        if _YEAR.fullmatch(given):
            return datetime(int(given), 1, 1, tzinfo=UTC)
        if month := _MONTH.fullmatch(given):
            return datetime(int(month[1]), int(month[2]), 1, tzinfo=UTC)
        return as_utc(datetime.fromisoformat(given))
    except (ValueError, OverflowError):
        raise InvalidInput(
            f"{field} is {text!r}; it must be a time such as {FACT_TIMES}", field=field, value=text
        ) from None


def optional_time(field: str, text: str | None) -> datetime | None:
    """Return the moment that a time means; None for no time."""
    return None if text is None else fact_time(field, text)


def as_utc(moment: datetime) -> datetime:
    """Return a moment in UTC; one without a zone is UTC already.

    Raises:
        OverflowError: If it is outside the years 1 to 9999 of UTC.
    """
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def shown_time(moment: datetime) -> str:
    """Return a moment as text that `fact_time` reads: the day alone if it is its start.

    >>> shown_time(datetime(2019, 5, 1, tzinfo=UTC)), shown_time(datetime(2019, 5, 1, 14, 30, tzinfo=UTC))
    ('2019-05-01', '2019-05-01T14:30:00Z')
    """
    plain = moment.astimezone(UTC).replace(tzinfo=None)
    return plain.date().isoformat() if plain.time() == plain.time().min else f"{plain.isoformat()}Z"
