from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.identity import as_place_name, palace_name, place_name, stable_id
from graphpalace.errors import InvalidInput


@given(st.lists(st.text(), min_size=1, max_size=4), st.lists(st.text(), min_size=1, max_size=4))
def test_two_places_have_one_id_only_if_they_are_the_same(first: list[str], second: list[str]) -> None:
    assert (stable_id("x", *first) == stable_id("x", *second)) == (first == second)


@pytest.mark.parametrize("name", ["", "1a", "Main", "a-b", "a b", "a" * 64, "a`b", "ä"])
def test_a_name_that_could_not_be_part_of_a_label_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match="palace is"):
        palace_name(name)


def test_a_plain_name_is_taken() -> None:
    assert palace_name("lab_2") == "lab_2"


NAMELESS = ["", " ", "\u200b", "\u3000"]
NO_NAMES = [" a", "a ", "a\nb", "a\tb", "a\x00b", "\x1b[2J", "a\x7f", "a\u2028b", "a\ud800", "a" * 201]


@pytest.mark.parametrize("name", [*NAMELESS, *NO_NAMES])
def test_a_name_that_nobody_could_see_or_type_is_refused_with_its_field(name: str) -> None:
    with pytest.raises(InvalidInput, match=r"wing is .*; it must be 1 to 200 characters") as refused:
        place_name("wing", name)
    assert refused.value.detail["field"] == "wing"
    assert len(refused.value.message) < 500


@pytest.mark.parametrize("name", ["a", "a b", "a/b", "[bold]", "ä", "日本", "نمی\u200cشود", "👩\u200d🚀", "a" * 200])
def test_any_line_of_any_script_is_a_name(name: str) -> None:
    assert place_name("wing", name) == name


@given(st.text(st.characters(), max_size=300))
def test_what_is_made_of_any_text_is_a_name_or_nothing(text: str) -> None:
    made = as_place_name(text)
    assert made == "" or place_name("room", made) == made


@pytest.mark.parametrize(
    "name",
    ["gar\u200bden", "\u202enedrag", "garden\u2069", "gar\u200dden", "garden\ufeff", "gar\xadden", "g\U000e0061rden"],
)
def test_a_name_with_a_sign_that_nobody_sees_is_refused_and_says_which(name: str) -> None:
    with pytest.raises(InvalidInput, match="invisible characters") as raised:
        place_name("wing", name)
    assert " at " in str(raised.value)
    assert as_place_name(name) in ("garden", "nedrag", "grden")


def test_a_control_character_becomes_a_blank_in_a_name_that_is_made() -> None:
    assert as_place_name("one\x00two\n\nthree\ud800") == "one two three"
    assert as_place_name("\x1b") == ""
    assert as_place_name("ab cd", most_chars=3) == "ab"
