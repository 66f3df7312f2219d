"""Dates in words and figures."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graphpalace.entities.dates import date_in

SAID = datetime(2023, 5, 17, 12, tzinfo=UTC)  # a Wednesday


@pytest.mark.parametrize(
    ("span", "day"),
    [
        ("2019", (2019, 1, 1)),
        ("since 2019", (2019, 1, 1)),
        ("2023-04", (2023, 4, 1)),
        ("2023-04-05T10:00", (2023, 4, 5)),
        ("April 2023", (2023, 4, 1)),
        ("in April", (2023, 4, 1)),
        ("until the 5th of May 2020.", (2020, 5, 5)),
        ("yesterday", (2023, 5, 16)),
        ("the day before yesterday", (2023, 5, 15)),
        ("seit 3. März 2021", (2021, 3, 3)),
        ("depuis le 3 mars 2021", (2021, 3, 3)),
        ("25/12/2020", (2020, 12, 25)),
        ("5.5.2020", (2020, 5, 5)),
    ],
)
def test_a_date_is_its_first_day(span: str, day: tuple[int, int, int]) -> None:
    assert date_in(span, said_at=SAID) == datetime(*day, tzinfo=UTC)


@pytest.mark.parametrize(
    "span",
    [
        *("", "-", "in", "Acme", "the river", "4/5/2020", "04.05.2020", "2023-13", "x" * 61),
        *("before yesterday", "two days before yesterday", "the week before last", "after 3 March", "in the 1990s"),
        *("yesterday or today", "later than 2019"),
    ],
)
def test_what_is_no_date_or_might_be_two_is_none(span: str) -> None:
    assert date_in(span, said_at=SAID) is None
