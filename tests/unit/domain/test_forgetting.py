"""When a question quotes a text, and which choices can be meant."""

from __future__ import annotations

import pytest

from graphpalace.domain.forgetting import ForgetChoice, ForgottenTraces, plain, quotes
from graphpalace.errors import InvalidInput

TEXTS = [plain("The door code of the  old mill is 4711."), plain("Bread")]


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("is the door code of the mill known", True),  # "the door code of" are four words in a row
        ("the DOOR\ncode of?", False),  # the fourth word is "of?"
        ("door code of", False),
        ("what is the code", False),
        ("where is bread", True),  # it has a whole text
        ("", False),
    ],
)
def test_a_question_quotes_four_words_in_a_row_or_a_whole_text(question: str, quoted: bool) -> None:
    assert quotes(question, TEXTS) is quoted


def test_a_choice_says_what_kinds_it_has_and_no_values() -> None:
    choice = ForgetChoice(wing="home", pattern="4711")
    choice.check()
    assert (choice.kinds, choice.place_only, choice.matches) == (["wing", "pattern"], False, True)
    assert ForgetChoice(conversation="codex/a/b").uri == "conversation:codex/a/b"
    assert ForgetChoice(wing="home").place_only
    for bad in (ForgetChoice(conversation="codex/"), ForgetChoice(conversation="/1"), ForgetChoice(regex=True)):
        with pytest.raises(InvalidInput):
            bad.check()


def test_numbers_of_traces_are_added_kind_by_kind() -> None:
    total = ForgottenTraces(history=1, runs=2) + ForgottenTraces(runs=3, names=1)
    assert total == ForgottenTraces(history=1, runs=5, names=1)
