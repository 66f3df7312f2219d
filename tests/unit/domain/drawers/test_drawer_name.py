"""What people call a drawer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.drawers.drawer_text import MOST_CHARS, drawer_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("```bash\nnpm install tools\n```", "npm install tools"),
        ("# Making **bread** ##\nKnead it.", "Making bread"),
        ("\n\n- *knead* the `dough`.", "knead the dough."),
        ("> a proverb", "a proverb"),
        ("---\nafter the rule", "after the rule"),
        ("def __init__(self, snake_case):", "def __init__(self, snake_case):"),
        ("5 * 3 * 2 is thirty", "5 * 3 * 2 is thirty"),
        ("  two   spaces\tand a tab", "two spaces and a tab"),
        ("word " * 40, ("word " * 16).strip()),
        ("...", "..."),
        ("", ""),
    ],
)
def test_a_drawer_is_called_by_its_first_words_without_marks(text: str, name: str) -> None:
    assert drawer_name(text) == name


@given(st.text())
def test_a_name_is_one_short_line_and_there_if_there_are_words_at_the_beginning(text: str) -> None:
    name = drawer_name(text)
    assert len(name) <= MOST_CHARS
    assert len(name.splitlines()) <= 1
    assert name or not any(line[0].isalnum() for line in text[:MOST_CHARS].splitlines() if line)
