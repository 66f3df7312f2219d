"""Which texts match a name or a pattern."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.errors import InvalidInput
from graphpalace.operations.forgetting import name_matcher, pattern_matcher

WORDS = st.text("abcdefghijklmnop .(+*[", min_size=1, max_size=12).filter(str.strip)


def test_a_name_is_found_as_whole_words_in_any_writing() -> None:
    matches = name_matcher(["Mara Quill", "M. Quill", "Zoë"])
    for text in ("mara  quill", "(Mara\nQuill)", "by M. Quill", "ZOË's boat", "Mara Quill"):
        assert matches([text]), text
    for text in ("Mara Quillon", "Tamara Quill", "Mara and Quill", "MXQuill", "Zoëlle", "éZoë", ""):
        assert not matches([text]), text


@given(WORDS, st.text(max_size=20), st.text(max_size=20))
def test_a_text_with_the_pattern_in_it_matches_whatever_signs_the_pattern_has(
    pattern: str, before: str, after: str
) -> None:
    assert pattern_matcher(pattern, regex=False)([f"{before} {pattern.upper()} {after}"])


@pytest.mark.parametrize("pattern", [r"(a+)+$", r"(a|aa)+c", r"(.*)*x", r"(\w+\s?)*!"])
def test_no_pattern_takes_longer_than_reading_the_texts(pattern: str) -> None:
    matches, start = pattern_matcher(pattern, regex=True), time.monotonic()
    assert not matches(["a" * 50_000 + "b"])
    assert time.monotonic() - start < 5


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("(a", r"no regular expression of RE2: missing \): \(a$"),
        ("[\u00e9", r"no regular expression of RE2: missing \]: \[\u00e9$"),
        ("x**", r"no regular expression of RE2: bad repetition operator: \*\*$"),
        (r"(a)\1", "no regular expression of RE2"),
        ("(?=a)", "no regular expression of RE2"),
        ("a{1000}{1000}", "no regular expression of RE2"),
        ("", "every text"),
        ("a*", "every text"),
    ],
)
def test_a_pattern_that_cannot_be_meant_is_refused_with_a_reason(pattern: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        pattern_matcher(pattern, regex=True)
