"""Times of facts: years, months, days and moments, in UTC."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.moments import fact_time, shown_time
from graphpalace.errors import InvalidInput


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2019", datetime(2019, 1, 1, tzinfo=UTC)),
        ("2019-05", datetime(2019, 5, 1, tzinfo=UTC)),
        (" 2019-05-31 ", datetime(2019, 5, 31, tzinfo=UTC)),
        ("2019-05-31T14:30", datetime(2019, 5, 31, 14, 30, tzinfo=UTC)),
        ("2019-05-31T14:30+02:00", datetime(2019, 5, 31, 12, 30, tzinfo=UTC)),
        ("2019-05-31T14:30:00.25Z", datetime(2019, 5, 31, 14, 30, 0, 250_000, tzinfo=UTC)),
    ],
)
def test_a_time_is_a_year_a_month_a_day_or_a_moment(text: str, moment: datetime) -> None:
    assert fact_time("at", text) == moment


@pytest.mark.parametrize("text", ["", "yesterday", "0000", "2019-13", "2019-02-30", "12", "0001-01-01T00:00+05:00"])
def test_what_is_no_time_is_refused_with_examples(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"valid_from is .*; it must be a time such as 2019, 2019-05"):
        fact_time("valid_from", text)


@given(st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30)))
def test_a_time_that_is_shown_is_read_as_it_was(moment: datetime) -> None:
    assert fact_time("at", shown_time(moment.replace(tzinfo=UTC))) == moment.replace(tzinfo=UTC)
