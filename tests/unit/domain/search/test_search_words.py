from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.search.search_words import search_words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("def min_cost(a)", "def min_cost min cost(a)"),
        ("minCost", "minCost min Cost"),
        ("parseHTTPResponse", "parseHTTPResponse parse HTTP Response"),
        ("path.join", "path.join path join"),
        ("os.path.join_all", "os.path.join_all os path join all"),
        ("__init__", "__init__"),
        ("_private_name", "_private_name private name"),
        ("MAX_SIZE2", "MAX_SIZE2 MAX SIZE 2"),
        ("größe_maximal", "größe_maximal größe maximal"),
        ("a_b and cD", "a_b a b and cD c D"),
        ("", ""),
        ("Plain prose; 3.14 stays, and so does v1.2.", "Plain prose; 3.14 stays, and so does v1.2."),
        ("NATO, ordinary-words (in brackets) 10:30", "NATO, ordinary-words (in brackets) 10:30"),
        ("the end.", "the end."),
        ("日本語の文。", "日本語の文。"),
    ],
)  # fmt: skip
def test_the_parts_of_an_identifier_follow_it(text: str, found: str) -> None:
    assert search_words(text) == found


_texts = st.one_of(st.text(), st.text(alphabet="aB1_. -(é", max_size=40))


@given(_texts)
def test_the_own_words_of_a_text_all_stay_in_order(text: str) -> None:
    written = iter(re.findall(r"\w+", search_words(text)))
    assert all(word in written for word in re.findall(r"\w+", text))


@given(_texts)
def test_only_parts_of_its_own_words_are_added(text: str) -> None:
    own = set(re.findall(r"\w+", text))
    added = [word for word in re.findall(r"\w+", search_words(text)) if word not in own]
    assert all(any(part in word for word in own) for part in added)


@given(st.lists(st.text(alphabet="abcdefgh", min_size=1), min_size=2))
def test_every_part_of_a_snake_case_name_is_a_word(parts: list[str]) -> None:
    name = "_".join(parts)
    assert search_words(name) == f"{name} {' '.join(parts)}"


@pytest.mark.parametrize("piece", ["a_", "aA", "a.", "a", "A", "_", ".", "1a", "a..", "-a", "éA", "a b ", "a_b.C "])
def test_a_megabyte_takes_less_than_two_seconds(piece: str) -> None:
    text = piece * (1_000_000 // len(piece)) + " a_b"  # the end makes the slower expression look at all of it
    start = time.perf_counter()
    search_words(text)
    assert time.perf_counter() - start < 2
