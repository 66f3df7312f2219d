"""Days, weeks, months and years as periods from one moment to before another."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from graphpalace.domain.moments import midnight, months_before

DAY = timedelta(days=1)


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
