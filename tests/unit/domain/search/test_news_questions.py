from __future__ import annotations

import pytest

from graphpalace.domain.search.news import asks_about_past, asks_for_older


@pytest.mark.parametrize(
    "question",
    [
        "What did we use for the newsletter before?",
        "Which pier did the ferry use before the change?",
        "Who used to water the plants?",
        "What was the previous code of the shed?",
        "Where was the office originally?",
        "What was the old price?",
        "Wo lag der Schlüssel früher?",
    ],
)
def test_questions_about_what_was_are_recognised(question: str) -> None:
    assert asks_about_past(question)


@pytest.mark.parametrize(
    "question",
    [
        "Which pier does the ferry use?",
        "What must be done before the guests arrive?",
        "How old is the dog?",
        "Who arrives first on Monday?",
        "",
    ],
)
def test_other_questions_are_about_what_is(question: str) -> None:
    assert not asks_about_past(question)


FOUR, NINE = "The ferry leaves from pier four.", "The ferry leaves from pier nine now."


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("pier four", FOUR, NINE),
        ("LEAVES  from pier, four?", FOUR, NINE),
        ("What did I do on day 7?", "day 7: dug the pond", "day 10: dug the well"),
        ("alpha number1", "alpha number1", "alpha number10"),
        ("why E1204", "The pump shows E1204", "The pump shows E1310"),
        ("東京塔", "東京塔很高", "東京橋很高"),
    ],
)
def test_a_question_that_has_what_only_the_older_text_has_asks_for_it(question: str, older: str, newer: str) -> None:
    assert asks_for_older(question, older, newer)
    assert not asks_for_older(question, newer, older)


@pytest.mark.parametrize(
    "question",
    [
        "Does the ferry leave from pier four?",  # in the words of what one remembers
        "four pier",
        "the ferry leaves from pier",
        "leaves from pier four now?",
        "pier fou",
        "",
        "?",
    ],
)
def test_other_questions_do_not(question: str) -> None:
    assert not asks_for_older(question, FOUR, NINE)
    assert not asks_for_older("Is pier 4 still open?", "pier 4 is open", "pier 5 is open")
