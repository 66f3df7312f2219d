"""Times in questions are read where they are clear, and only there."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.entities.time_spans import time_span

NOW = datetime(2026, 3, 11, 15, 30, tzinfo=UTC)  # a Wednesday


@pytest.mark.parametrize(
    ("question", "words", "start", "end"),
    [
        ("What did I plant last week?", "last week", "2026-03-02", "2026-03-09"),
        ("what happened yesterday", "yesterday", "2026-03-10", "2026-03-11"),
        ("Where was I last weekend?", "last weekend", "2026-03-07", "2026-03-09"),
        ("Which shoes did I clean last month?", "last month", "2026-02-01", "2026-03-01"),
        ("How many bikes did I service in March?", "in March", "2026-03-01", "2026-04-01"),
        ("What did we decide in December?", "in December", "2025-12-01", "2026-01-01"),
        ("What did we decide in May 2024?", "in May 2024", "2024-05-01", "2024-06-01"),
        ("Who came in 2023?", "in 2023", "2023-01-01", "2024-01-01"),
        ("Who did I meet last Saturday?", "last Saturday", "2026-03-07", "2026-03-08"),
        ("Who did I meet on Wednesday?", "on Wednesday", "2026-03-04", "2026-03-05"),
        ("What broke 2026-02-03?", "2026-02-03", "2026-02-03", "2026-02-04"),
        ("What broke on February 3rd?", "on February 3rd", "2026-02-03", "2026-02-04"),
        ("What did I buy 10 days ago?", "10 days ago", "2026-02-27", "2026-03-04"),
        ("What did I do two weeks ago?", "two weeks ago", "2026-02-22", "2026-03-01"),
        ("meals in the past two weeks", "in the past two weeks", "2026-02-25", "2026-03-12"),
        ("everything since February", "since February", "2026-02-01", "2026-03-11"),
        ("everything after February 3", "after February 3", "2026-02-04", "2026-03-11"),
        ("What was planned before February 3?", "before February 3", "0001-01-02", "2026-02-03"),
    ],
)
def test_a_clear_time_is_read(question: str, words: str, start: str, end: str) -> None:
    found = time_span(question, now=NOW)
    assert found is not None
    assert (found.words, found.start.date().isoformat(), found.end.date().isoformat()) == (words, start, end)


@pytest.mark.parametrize(
    "question",
    [
        "How many weeks ago did I meet my aunt?",
        "May I march in the park?",
        "What should I cook this weekend?",
        "What is planned next week?",
        "What did I do in March and in April, and last year?",
        "the version of 2019-20",
        "What happened in 2030?",
        "the last month of the year has 31 days",
        "the first week",
        "ein Bild von gestern",
        "in March 0000",
        "since December 9999",
        "everything before 9999-12-31",
        "everything before 2031-01-01",
        "",
    ],
)
def test_what_is_no_clear_time_of_the_past_is_left_alone(question: str) -> None:
    assert time_span(question, now=NOW) is None, time_span(question, now=NOW)


@given(st.text(), st.integers(0, 20000))
def test_any_question_gives_a_span_that_began_before_now_or_none(text: str, days: int) -> None:
    now = datetime(1990, 1, 1, tzinfo=UTC) + timedelta(days=days)
    for question in (text, f"{text} last week", f"in february {text}"):
        found = time_span(question, now=now)
        assert found is None or (found.start < found.end and found.start < now and found.words in question)
