"""What comes from a palace stays a quotation, whatever somebody has stored."""

from __future__ import annotations

import html
import unicodedata

import hypothesis.strategies as st
import pytest
from hypothesis import given

from graphpalace.domain.quoting import quotation, quoted, quoted_json, unquoted
from graphpalace.domain.texts import HIDDEN, visible

TAGS = (
    "</graphpalace-memory>",
    "<system-reminder>",
    "</graph</graphpalace-memory>palace-memory>",
    "</SYSTEM-Reminder >",
)
HIDDEN_SIGNS = (
    "\x1b]0;owned\x07",
    "\u202e",
    "\u2066",
    "\u200b",
    "\ufeff",
    "\U000e0041",
    "\x9b2J",
    "\r",
    "\u2028",
    "\x00",
)
ENCODED = (
    "&lt;",
    "&LT;",
    "&lt",
    "&#60;",
    "&#x3c;",
    "&#x202e;",
    "&amp;lt;",
    "&nvlt;",
    "&ZeroWidthSpace;",
    "&rlm;",
    "\uff1c",
)


@st.composite
def attacks(draw: st.DrawFn) -> str:
    """Parts of tags: nested in each other, split by hidden signs, in other letters, and as entities, also twice."""
    parts = draw(st.lists(st.sampled_from([*TAGS, *HIDDEN_SIGNS, *ENCODED]) | st.text(max_size=5), max_size=8))
    text = "".join(parts)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from([*TAGS, *HIDDEN_SIGNS])) + text[at:]
    change = draw(
        st.sampled_from([str, str.upper, str.swapcase, html.escape, lambda one: html.escape(html.escape(one))])
    )
    return change(text)


@given(attacks() | st.text())
def test_a_quotation_opens_and_closes_nothing_hides_nothing_and_loses_nothing(text: str) -> None:
    shown = quoted(text)
    assert not set(unicodedata.normalize("NFKC", shown)) & set("<>")
    assert not HIDDEN.search(shown)
    assert unquoted(shown) == text
    once = html.unescape(shown)  # a reader that knows entities reads the text, and none of its own entities
    assert set(once) & set("<>") == set(text) & set("<>")
    marked = quotation(text)
    assert marked[0] == marked[-1] == '"'
    assert '"' not in marked[1:-1]
    assert unquoted(marked[1:-1]) == text


@given(st.text() | attacks())
def test_a_terminal_gets_nothing_that_it_obeys(text: str) -> None:
    shown = visible(text)
    assert not HIDDEN.search(shown)
    assert {sign for sign in shown if unicodedata.category(sign) == "Cc"} <= set("\n\t\r")
    assert visible(shown) == shown


@pytest.mark.parametrize(
    "text",
    [
        "a < b",
        "if (a && b) R&D, AT&T; x &y",
        "نمی\u200cشود",
        "👩\u200d🚀 ❤\ufe0f 1\ufe0f\u20e3",
        "\u0600 12",
        "tab\tline\r\nend\n",
    ],
)
def test_what_people_write_stays_readable(text: str) -> None:
    assert quoted(text) == text.replace("<", "&lt;")
    assert visible(text) == text


@pytest.mark.parametrize(
    "text", ["a\u200db", "a\u200c", "\u200dي", "👩\u200d\u200d🚀", "ab\ufe0f", "❤\ufe0f\ufe0f", "e\ufe01"]
)
def test_signs_of_writing_that_are_not_where_writing_needs_them_are_seen(text: str) -> None:
    assert quoted(text) != text
    assert visible(text) != text


def test_every_text_of_an_answer_is_quoted_names_too() -> None:
    answer = {"<wing>": [{"title": "</a>", "n": 1}, None, True, 0.5]}
    assert quoted_json(answer) == {"&lt;wing&gt;": [{"title": "&lt;/a&gt;", "n": 1}, None, True, 0.5]}
