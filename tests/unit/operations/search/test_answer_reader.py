from __future__ import annotations

import pytest

from graphpalace.operations.search.answer_reader import keep_verbatim

TEXTS = {"a": "one", "b": "two", "c": "Find  the\nOuter Bud here", "d": "the outer bud too"}


@pytest.mark.parametrize(
    ("order", "before", "query", "top_k", "kept"),
    [
        ("abc", "cab", "the outer bud", 2, "ac"),  # it takes the last place
        ("cab", "cab", "the outer bud", 2, "ca"),  # it is there as it is
        ("abcd", "cdab", "THE OUTER bud", 3, "acd"),
        ("abcd", "cdab", "the outer bud", 2, "cd"),
        ("abcd", "cdab", "the outer bud", 1, "c"),  # of two, the better one by what was learned
        ("abc", "cab", "bud outer", 2, "ab"),  # not in this order
        ("abc", "cab", " ", 2, "ab"),
    ],
)
def test_a_drawer_with_the_question_word_for_word_is_not_pushed_out(
    order: str, before: str, query: str, top_k: int, kept: str
) -> None:
    assert "".join(keep_verbatim(order, before[:top_k], TEXTS, query, top_k=top_k)) == kept


def test_a_drawer_that_is_gone_is_not_kept() -> None:
    assert keep_verbatim("ab", "xa", {"a": "one", "b": "two"}, "words", top_k=2) == ["a", "b"]
