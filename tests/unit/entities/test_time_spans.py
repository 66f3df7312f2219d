"""Times in questions are read where they are clear, and only there.

Each range was worked out by hand with a calendar. 11 March 2026 is a Wednesday; its week began on 9 March.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.entities.time_spans import time_span

NOW = datetime(2026, 3, 11, 15, 30, tzinfo=UTC)
EVER, TODAY = "0001-01-02", "2026-03-11"  # the beginning of "before", and the end of "since"


@pytest.mark.parametrize(
    ("question", "words", "start", "end"),
    [
        # days
        ("What did I note today?", "today", "2026-03-11", "2026-03-12"),
        ("what happened yesterday", "yesterday", "2026-03-10", "2026-03-11"),
        ("what did Lena say yesterday evening?", "yesterday evening", "2026-03-10", "2026-03-11"),
        ("Who called last night?", "last night", "2026-03-10", "2026-03-11"),
        ("What was the plan earlier today?", "earlier today", "2026-03-11", "2026-03-12"),
        ("Who phoned this morning?", "this morning", "2026-03-11", "2026-03-12"),
        ("what did I note the day before yesterday", "the day before yesterday", "2026-03-09", "2026-03-10"),
        ("The day before yesterday, who came?", "The day before yesterday", "2026-03-09", "2026-03-10"),
        ("what did we sow two days before yesterday", "two days before yesterday", "2026-03-08", "2026-03-09"),
        ("who came the day before last Monday", "the day before last Monday", "2026-03-08", "2026-03-09"),
        ("who came the day after last Saturday", "the day after last Saturday", "2026-03-08", "2026-03-09"),
        ("what broke the day before 3 March 2026", "the day before 3 March 2026", "2026-03-02", "2026-03-03"),
        ("Who called the night before last?", "the night before last", "2026-03-09", "2026-03-10"),
        # counted back
        ("what did I note two days ago", "two days ago", "2026-03-09", "2026-03-10"),
        ("what did I note 1 day ago", "1 day ago", "2026-03-10", "2026-03-11"),
        ("what did I note three nights ago", "three nights ago", "2026-03-08", "2026-03-09"),
        ("What did I buy 10 days ago?", "10 days ago", "2026-02-27", "2026-03-04"),
        ("What did I buy a couple of days ago?", "a couple of days ago", "2026-03-09", "2026-03-10"),
        ("What did I buy twenty-one days ago?", "twenty-one days ago", "2026-02-13", "2026-02-24"),
        ("What did I do a week ago?", "a week ago", "2026-03-01", "2026-03-08"),
        ("What did I do two weeks ago?", "two weeks ago", "2026-02-22", "2026-03-01"),
        ("What did I do a fortnight ago?", "a fortnight ago", "2026-02-22", "2026-03-01"),
        ("Where did we stay two months ago?", "two months ago", "2025-12-27", "2026-01-27"),
        ("Where did we stay a year ago?", "a year ago", "2024-09-10", "2025-09-10"),
        ("Where did we stay ten years ago?", "ten years ago", "2015-09-11", "2016-09-10"),
        ("what did I plant a week ago today", "a week ago today", "2026-03-04", "2026-03-05"),
        ("what did I plant two weeks ago yesterday", "two weeks ago yesterday", "2026-02-24", "2026-02-25"),
        ("what did I plant a year ago today", "a year ago today", "2025-03-11", "2025-03-12"),
        ("what did you say two hours ago", "two hours ago", "2026-03-11", "2026-03-12"),
        ("what did you say 20 hours ago", "20 hours ago", "2026-03-10", "2026-03-11"),
        ("what did you say half an hour ago", "half an hour ago", "2026-03-11", "2026-03-12"),
        ("whom did I meet two Mondays ago", "two Mondays ago", "2026-03-02", "2026-03-03"),
        ("whom did I meet three Fridays ago", "three Fridays ago", "2026-02-20", "2026-02-21"),
        ("whom did I meet two weekends ago", "two weekends ago", "2026-02-28", "2026-03-02"),
        # weekdays
        ("Who did I meet last Saturday?", "last Saturday", "2026-03-07", "2026-03-08"),
        ("Who did I meet on Wednesday?", "on Wednesday", "2026-03-04", "2026-03-05"),
        ("Who did I meet on Monday morning?", "on Monday morning", "2026-03-09", "2026-03-10"),
        ("Who did I meet this past Sunday?", "past Sunday", "2026-03-08", "2026-03-09"),
        ("Who did I meet last Monday but one?", "last Monday but one", "2026-03-02", "2026-03-03"),
        ("Who did I meet the Monday before last?", "the Monday before last", "2026-03-02", "2026-03-03"),
        ("Who came on the Friday before last?", "the Friday before last", "2026-02-27", "2026-02-28"),
        ("Who came on Thursday last week?", "on Thursday last week", "2026-03-05", "2026-03-06"),
        ("Who came on Monday of last week?", "on Monday of last week", "2026-03-02", "2026-03-03"),
        ("Who came last week on Friday?", "last week on Friday", "2026-03-06", "2026-03-07"),
        ("Who came on Monday this week?", "on Monday this week", "2026-03-09", "2026-03-10"),
        ("Who came this Monday?", "this Monday", "2026-03-09", "2026-03-10"),
        ("Who came on Monday, March 2?", "on Monday, March 2", "2026-03-02", "2026-03-03"),
        # weeks, months and years
        ("What did I plant last week?", "last week", "2026-03-02", "2026-03-09"),
        ("what is in my notes from last week", "from last week", "2026-03-02", "2026-03-09"),
        ("What did I plant last week but one?", "last week but one", "2026-02-23", "2026-03-02"),
        ("What did I plant the week before last?", "the week before last", "2026-02-23", "2026-03-02"),
        ("In the week before last week I planted what?", "the week before last week", "2026-02-23", "2026-03-02"),
        ("What did I plant this week?", "this week", "2026-03-09", "2026-03-16"),
        ("What did I plant earlier this week?", "earlier this week", "2026-03-09", "2026-03-16"),
        ("Where was I last weekend?", "last weekend", "2026-03-07", "2026-03-09"),
        ("Where was I the weekend before last?", "the weekend before last", "2026-02-28", "2026-03-02"),
        ("Which shoes did I clean last month?", "last month", "2026-02-01", "2026-03-01"),
        ("Which shoes did I clean the month before last?", "the month before last", "2026-01-01", "2026-02-01"),
        ("Which shoes did I clean this month?", "this month", "2026-03-01", "2026-04-01"),
        ("Where did we stay last year?", "last year", "2025-01-01", "2026-01-01"),
        ("Where did we stay the year before last?", "the year before last", "2024-01-01", "2025-01-01"),
        ("Where did we stay this year?", "this year", "2026-01-01", "2027-01-01"),
        ("How many bikes did I service in March?", "in March", "2026-03-01", "2026-04-01"),
        ("How many bikes did I service last March?", "last March", "2025-03-01", "2025-04-01"),
        ("What did we decide in December?", "in December", "2025-12-01", "2026-01-01"),
        ("What did we decide in May 2024?", "in May 2024", "2024-05-01", "2024-06-01"),
        ("What did we decide in May last year?", "in May last year", "2025-05-01", "2025-06-01"),
        ("What did we decide last year in May?", "last year in May", "2025-05-01", "2025-06-01"),
        ("What did we decide in February of this year?", "in February of this year", "2026-02-01", "2026-03-01"),
        ("What did we decide in 2025-11?", "in 2025-11", "2025-11-01", "2025-12-01"),
        ("Who came in 2023?", "in 2023", "2023-01-01", "2024-01-01"),
        ("Which song was new in the 1990s?", "in the 1990s", "1990-01-01", "2000-01-01"),
        # dates
        ("What broke 2026-02-03?", "2026-02-03", "2026-02-03", "2026-02-04"),
        ("What broke on February 3rd?", "on February 3rd", "2026-02-03", "2026-02-04"),
        ("What broke on the 3rd of February?", "3rd of February", "2026-02-03", "2026-02-04"),
        ("What broke on Feb 3, 2025?", "on Feb 3, 2025", "2025-02-03", "2025-02-04"),
        ("What broke on 20 March?", "on 20 March", "2025-03-20", "2025-03-21"),
        ("What broke on 14.2.2026?", "on 14.2.2026", "2026-02-14", "2026-02-15"),
        ("What broke on 2/14/2026?", "on 2/14/2026", "2026-02-14", "2026-02-15"),
        ("What broke on 2026/02/14?", "on 2026/02/14", "2026-02-14", "2026-02-15"),
        ("notes from 14.2.2026 to 2.3.2026", None, "", ""),
        ("notes from 14.2.2026 to 20.2.2026", "from 14.2.2026 to 20.2.2026", "2026-02-14", "2026-02-21"),
        # the last so many
        ("meals in the past two weeks", "in the past two weeks", "2026-02-25", "2026-03-12"),
        ("meals over the last year", "over the last year", "2025-03-11", "2026-03-12"),
        ("meals within the last couple of days", "within the last couple of days", "2026-03-09", "2026-03-12"),
        ("meals of the last 10 days", "of the last 10 days", "2026-03-01", "2026-03-12"),
        # with a beginning or an end only
        ("everything since February", "since February", "2026-02-01", TODAY),
        ("everything since Monday", "since Monday", "2026-03-09", TODAY),
        ("What has changed since Friday morning?", "since Friday morning", "2026-03-06", TODAY),
        ("everything since 2024", "since 2024", "2024-01-01", TODAY),
        ("everything since the day before yesterday", "since the day before yesterday", "2026-03-09", TODAY),
        ("everything from Monday on", None, "", ""),
        ("everything from last Monday on", "from last Monday on", "2026-03-09", TODAY),
        ("everything after February 3", "after February 3", "2026-02-04", TODAY),
        ("What was planned before February 3?", "before February 3", EVER, "2026-02-03"),
        ("what did I note before yesterday", "before yesterday", EVER, "2026-03-10"),
        ("what did I note before the day before yesterday", "before the day before yesterday", EVER, "2026-03-09"),
        ("what did I note before last week", "before last week", EVER, "2026-03-02"),
        ("what did I note prior to last week", "prior to last week", EVER, "2026-03-02"),
        ("what did I note until yesterday", "until yesterday", EVER, "2026-03-11"),
        ("what did I note up to 3 February 2026", "up to 3 February 2026", EVER, "2026-02-04"),
        # from one to another
        ("sales from January to February", "from January to February", "2026-01-01", "2026-03-01"),
        ("sales between October and December 2024", "between October and December 2024", "2024-10-01", "2025-01-01"),
        ("sales between 2019 and 2021", "between 2019 and 2021", "2019-01-01", "2022-01-01"),
        ("notes from 2026-02-03 until 2026-02-05", "from 2026-02-03 until 2026-02-05", "2026-02-03", "2026-02-06"),
    ],
)
def test_a_clear_time_is_read(question: str, words: str | None, start: str, end: str) -> None:
    found = time_span(question, now=NOW)
    if words is None:
        assert found is None
        return
    assert found is not None
    assert (found.words, found.start.date().isoformat(), found.end.date().isoformat()) == (words, start, end)


@pytest.mark.parametrize(
    "question",
    [
        # no time of the past
        "How many weeks ago did I meet my aunt?",
        "May I march in the park?",
        "What should I cook this weekend?",
        "What is planned next week?",
        "What is due on Monday next week?",
        "What will we do on Friday?",
        "Whom shall I meet this Friday?",
        "What happened in 2030?",
        "in March 0000",
        "since December 9999",
        "everything before 9999-12-31",
        "everything before 2031-01-01",
        "the version of 2019-20",
        "the first week",
        "ein Bild von gestern",
        "what happens every Monday",
        "what do we do in March each year",
        "",
        # more than one
        "What did I do in March and in April, and last year?",
        "What did I do in March or April?",
        "What did I do yesterday or the day before?",
        "What did I do yesterday and the day before that?",
        "What did I do on Monday three weeks ago?",
        # not sure which
        "What did I do the other day?",
        "What did I do a few days ago?",
        "What did I do over the past few weeks?",
        "What did I do several years ago?",
        "What did I do two or three days ago?",
        "What did I do 3-4 days ago?",
        "What did I do on 3/4?",
        "What did I do on 3/4/2025?",
        "What did I do on 14.13.2025?",
        "Which host has 10.20.2025.1?",
        "What was not done since Monday?",
        "What did we close since Monday is a holiday?",
        "notes between 2026-02-05 and 2026-02-03",
        "What did I do more than a year ago?",
        "What did I do less than two weeks ago?",
        "What did I do 1.5 years ago?",
        "What did I do half a year ago?",
        "What did I do one hundred and two days ago?",
        "What did I do a year and a half ago?",
        "What did I do this time last year?",
        "What did I do in the last days?",
        "What did I do in the last week of March?",
        "What did I do on the first day of last month?",
        "What did I do at the end of last year?",
        "What did I do at the beginning of March?",
        "What did I do early last week?",
        "the last month of the year has 31 days",
        "the last Monday of the month",
        "What did I do a week last Monday?",
        "What did I do yesterday week?",
        "What did I do the week before yesterday?",
        "What did I do the week before last Christmas?",
        "What did I do shortly before yesterday?",
        "What did I do long before last year?",
        "What did I say before yesterday's meeting?",
        "What was done by last week?",
        "What has not been done since last week?",
        "What was known as of yesterday?",
        "What did I do, except last week?",
        "What did I do last week or so?",
        "What did I do from March to the summer?",
        "What did I do on 31 Feb 2025?",
        "What did I do on Monday, March 3, 2026?",
        'who sang "Yesterday"?',
        "Did the Beatles write Yesterday?",
    ],
)
def test_what_is_no_clear_time_of_the_past_is_left_alone(question: str) -> None:
    assert time_span(question, now=NOW) is None, time_span(question, now=NOW)


@given(st.text(), st.integers(0, 20000))
def test_any_question_gives_a_span_that_began_before_now_or_none(text: str, days: int) -> None:
    now = datetime(1990, 1, 1, tzinfo=UTC) + timedelta(days=days)
    for question in (text, f"{text} last week", f"in february {text}", f"the day before {text} yesterday"):
        found = time_span(question, now=now)
        assert found is None or (found.start < found.end and found.start < now and found.words in question)


@pytest.mark.parametrize("year", [1, 2, 9999])
@pytest.mark.parametrize("words", ["ten years ago", "last year", "the day before yesterday", "in December"])
def test_a_clock_at_the_end_of_the_calendar_breaks_nothing(year: int, words: str) -> None:
    for now in (datetime(year, 1, 1, tzinfo=UTC), datetime(year, 12, 31, tzinfo=UTC)):
        found = time_span(words, now=now)
        assert found is None or found.start < found.end
