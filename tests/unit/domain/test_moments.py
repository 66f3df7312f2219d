from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.moments import TIMES, moment
from graphpalace.errors import InvalidInput

NOW = datetime(2026, 3, 31, 15, 30, 12)  # a Tuesday


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("2026-05-31", datetime(2026, 5, 31)),
        (" 2026-05-31T14:30 ", datetime(2026, 5, 31, 14, 30)),
        ("2026-05-31T14:30+02:00", datetime(2026, 5, 31, 14, 30, tzinfo=timezone(timedelta(hours=2)))),
        ("now", NOW),
        ("Today", datetime(2026, 3, 31)),
        ("yesterday", datetime(2026, 3, 30)),
        ("tuesday", datetime(2026, 3, 31)),
        ("Monday", datetime(2026, 3, 30)),
        ("wednesday", datetime(2026, 3, 25)),
        ("90 minutes ago", datetime(2026, 3, 31, 14, 0, 12)),
        ("an  hour ago", datetime(2026, 3, 31, 14, 30, 12)),
        ("3 days ago", datetime(2026, 3, 28)),
        ("0 days ago", datetime(2026, 3, 31)),
        ("a week ago", datetime(2026, 3, 24)),
        ("1 month ago", datetime(2026, 2, 28)),
        ("13 months ago", datetime(2025, 2, 28)),
        ("3 months ago", datetime(2025, 12, 31)),
        ("4 months ago", datetime(2025, 11, 30)),
        ("2 years ago", datetime(2024, 3, 31)),
        ("this week", datetime(2026, 3, 30)),
        ("last week", datetime(2026, 3, 23)),
        ("this month", datetime(2026, 3, 1)),
        ("last month", datetime(2026, 2, 1)),
        ("this year", datetime(2026, 1, 1)),
        ("last year", datetime(2025, 1, 1)),
    ],
)
def test_a_time_is_understood_as_a_person_writes_it(text: str, meant: datetime) -> None:
    assert moment("since", text, now=NOW) == meant


@pytest.mark.parametrize(
    "text", ["", "soon", "2026-13-01", "31.5.2026", "-1 days ago", "3 moons ago", "9999 years ago"]
)
def test_what_is_no_time_is_refused_with_what_would_be_one(text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        moment("since", text, now=NOW)
    assert refused.value.message == f"since is {text!r}; it must be a time, for example {TIMES}"


@given(st.datetimes(datetime(1000, 1, 1)), st.integers(0, 999))
def test_months_ago_is_the_same_day_or_the_last_of_a_shorter_month(now: datetime, months: int) -> None:
    then = moment("since", f"{months} months ago", now=now)
    assert (now.year - then.year) * 12 + now.month - then.month == months
    assert then.day == now.day or (then + timedelta(days=1)).day == 1


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("2026-05-31", datetime(2026, 6, 1)),
        ("20260531", datetime(2026, 6, 1)),
        ("2026-05-31T00:00", datetime(2026, 5, 31)),
        ("2026-05-31T14:30", datetime(2026, 5, 31, 14, 30)),
        ("now", NOW),
        ("today", datetime(2026, 4, 1)),
        ("yesterday", datetime(2026, 3, 31)),
        ("monday", datetime(2026, 3, 31)),
        ("90 minutes ago", datetime(2026, 3, 31, 14, 0, 12)),
        ("3 days ago", datetime(2026, 3, 29)),
        ("a month ago", datetime(2026, 3, 1)),
        ("last week", datetime(2026, 3, 30)),
        ("last month", datetime(2026, 3, 1)),
        ("this month", datetime(2026, 4, 1)),
        ("last year", datetime(2026, 1, 1)),
    ],
)
def test_the_end_of_a_range_includes_a_date_and_excludes_a_moment(text: str, ends: datetime) -> None:
    assert moment("until", text, now=NOW, end=True) == ends


def test_the_last_day_of_the_calendar_ends_in_it() -> None:
    assert moment("until", "9999-12-31", now=NOW, end=True) == datetime(9999, 12, 31, 23, 59, 59)
