from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.fuse.word_overlap import (
    DistinctTexts,
    folded,
    nearly_equal,
    normalised,
    overlap,
    says_the_same,
    shingles,
)

LONG = " ".join(f"word{chr(97 + at % 26)}{chr(97 + at // 26)}" for at in range(80))


def always(_one: str, _other: str) -> bool:
    return True


def never(_one: str, _other: str) -> bool:
    return False


def test_case_white_space_and_unicode_form_do_not_matter() -> None:
    assert (
        normalised("  The\n CAFE\N{COMBINING ACUTE ACCENT} \ufb01ne ")
        == "the caf\N{LATIN SMALL LETTER E WITH ACUTE} fine"
    )
    assert normalised("a == b") != normalised("a = b")


def test_the_overlap_counts_shared_shingles() -> None:
    # the cat sat, cat sat on, sat on the, on the mat | on the rug: 3 of 5 are shared
    assert overlap("the cat sat on the mat", "The cat sat on the rug") == pytest.approx(3 / 5)
    assert overlap("one two", "one two") == 1.0
    assert overlap("one", "two") == 0.0
    assert shingles("...") == {()}


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (LONG, f"{LONG} more", True),  # 78 of 79 shingles
        (LONG, LONG.replace("wordua", "changed"), True),  # 75 of 81: three of each text differ
        (f"{LONG} on 3 May", f"{LONG} on 4 May", False),  # nearly the same words, another date
        ("pay the rent on Monday", "pay the rent on Friday", False),
        ("the same words", "the same words!", True),
    ],
)
def test_long_texts_with_a_word_changed_are_nearly_equal_but_not_with_another_number(
    one: str, other: str, equal: bool
) -> None:
    assert nearly_equal(one, other) is equal


def test_equal_texts_fold_into_the_best_of_them() -> None:
    texts = {"a": "Bread needs flour", "b": "roses", "c": "bread  needs\nflour", "d": "BREAD NEEDS FLOUR"}
    assert folded(texts, close=never) == {"a": ["c", "d"], "b": []}


def test_nearly_equal_texts_fold_only_if_their_embeddings_are_close() -> None:
    texts = {"a": LONG, "b": f"{LONG} more"}
    assert folded(texts, close=never) == {"a": [], "b": []}
    assert folded(texts, close=always) == {"a": ["b"]}


def test_a_text_with_the_question_word_for_word_is_not_folded_into_one_without() -> None:
    texts = {"a": LONG, "b": f"{LONG} blue  Whale", "c": f"{LONG} blue whale"}
    assert folded(texts, close=always, question="blue whale") == {"a": [], "b": ["c"]}
    assert folded(texts, close=always, question="whale song") == {"a": ["b", "c"]}


@given(st.lists(st.text("ab \n", max_size=6), max_size=12))
def test_every_text_is_kept_once_and_no_two_that_stay_are_equal(texts: list[str]) -> None:
    named = {str(at): text for at, text in enumerate(texts)}
    kept = folded(named, close=always)
    assert sorted([*kept, *(other for others in kept.values() for other in others)]) == sorted(named)
    forms = [normalised(named[one]) for one in kept]
    assert len(set(forms)) == len(forms)
    for one, others in kept.items():
        assert all(int(one) < int(other) for other in others)


def words(count: int) -> str:
    return " ".join("abcdefghijklmnop"[:count])


def test_nine_of_ten_shingles_are_enough_and_eight_of_nine_are_not() -> None:
    assert nearly_equal(words(11), words(12))  # 9 and 10 shingles
    assert not nearly_equal(words(10), words(11))
    texts = DistinctTexts()
    assert [texts.add(words(count)) for count in (10, 11, 12)] == [True, True, False]
    assert texts.add(words(11).replace("e", "x"))  # as long, but three of its nine shingles are others
    assert [DistinctTexts().add(""), texts.add(""), texts.add("")] == [True, True, False]


def test_texts_say_the_same_if_they_are_equal_or_nearly_equal_and_close() -> None:
    assert says_the_same("Bread needs flour", "bread  needs flour", cosine=-1.0)
    assert says_the_same(words(11), words(12), cosine=0.95)
    assert not says_the_same(words(11), words(12), cosine=0.949)
    assert not says_the_same(words(10), words(11), cosine=1.0)


def test_a_text_that_differs_in_a_number_is_another_text() -> None:
    texts = DistinctTexts()
    assert texts.add(f"{LONG} on 3 May")
    assert texts.add(f"{LONG} on 4 May")
    assert not texts.add(f"{LONG} on, 3 May")
