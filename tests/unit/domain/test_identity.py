from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.identity import palace_name, stable_id
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
