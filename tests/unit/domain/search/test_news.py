from __future__ import annotations

import pytest

from graphpalace.domain.search.news import asks_about_past


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
