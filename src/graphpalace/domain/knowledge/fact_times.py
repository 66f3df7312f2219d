"""Times of facts: a year, a month, a day or a moment. Whatever has no zone is UTC, on every machine."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated

from graphpalace.domain.field import TIME, Field
from graphpalace.errors import InvalidInput

FACT_TIMES = "2019, 2019-05, 2019-05-31 or 2019-05-31T14:30Z"

_YEAR = re.compile(r"\d{4}")
_MONTH = re.compile(r"(\d{4})-(\d{2})")

FactTime = Annotated[str, Field(min_length=1, max_length=40, examples=["2019-05-31"]), TIME]


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
