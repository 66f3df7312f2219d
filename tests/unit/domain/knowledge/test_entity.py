"""Names as they are written, and the one text for them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.knowledge.entity import checked_name, entity_id, normalised_name
from graphpalace.errors import InvalidInput


@pytest.mark.parametrize(
    ("written", "normalised"),
    [
        ("Ada Lovelace", "ada lovelace"),
        ("  ADA\n LOVELACE ", "ada lovelace"),
        ("Ada Lovelace's", "ada lovelace"),
        ("the Analytical Engine,", "analytical engine"),
        ("“The Raven”", "raven"),
        ("J. R. R. Tolkien", "jrr tolkien"),
        ("J.R.R. Tolkien", "jrr tolkien"),
        ("A. Smith", "a smith"),
        ("U.S.", "us"),
        ("St. Louis", "st louis"),
        ("\uff2e\uff21\uff33\uff21", "nasa"),
        ("argparse.ArgumentParser", "argparse.argumentparser"),
        ("__init__", "__init__"),
        ("C++", "c++"),
        ("C#", "c#"),
        ("Москва", "москва"),
        ("東京", "東京"),
        ("The", "the"),
        ("...", ""),
        ("__", ""),
        ("", ""),
    ],
)
def test_ways_of_writing_a_name_have_one_text(written: str, normalised: str) -> None:
    assert normalised_name(written) == normalised


def test_accents_and_digits_tell_names_apart() -> None:
    assert len({normalised_name(name) for name in ("Muller", "Müller", "Apollo 11", "Apollo 12")}) == 4


@given(st.text(max_size=40))
def test_blanks_case_and_compatible_characters_do_not_matter(text: str) -> None:
    assert normalised_name(f"  {text}\t") == normalised_name(text)


def test_ids_differ_between_palaces() -> None:
    assert entity_id("a", "ada") != entity_id("b", "ada")


@pytest.mark.parametrize("name", ["", " ", "?!", "two\nlines", "x" * 201])
def test_a_name_of_a_caller_has_a_letter_or_a_digit_and_one_line(name: str) -> None:
    with pytest.raises(InvalidInput, match=r"^name is"):
        checked_name("name", name)
