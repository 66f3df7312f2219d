from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.search.pseudo_feedback import RelevanceModel

SEA, SHIP = "the salt sea, the sea", "a ship at sea"


def test_words_are_offered_by_their_probability_as_worked_by_hand() -> None:
    # Of five words in the first text two are "sea"; of three in the second ("a" is too short) one is. The scores 3 and
    # 1 make 2/5 * 3/4 + 1/3 * 1/4 = 23/60. "the": 2/5 * 3/4. "salt": 1/5 * 3/4. "at", "ship": 1/3 * 1/4.
    offered = RelevanceModel().candidates([SEA, SHIP], [3.0, 1.0])
    assert list(offered) == ["sea", "the", "salt", "at", "ship"]
    assert list(offered.values()) == pytest.approx([23 / 60, 3 / 10, 3 / 20, 1 / 12, 1 / 12])


def test_the_question_and_the_added_words_are_mixed_as_worked_by_hand() -> None:
    # "ship" has 1/4 of the question and "sea" 3/4. "sea" .4 and "salt" .1 are kept, as .8 and .2 of the added words.
    mixed = RelevanceModel(terms=2, weight=0.6).expanded(
        {"ship": 1.0, "sea": 3.0}, {"sea": 0.4, "salt": 0.1, "at": 0.05}
    )
    assert mixed == pytest.approx({"ship": 0.4 / 4, "sea": 0.4 * 3 / 4 + 0.6 * 0.8, "salt": 0.6 * 0.2})


def test_without_words_or_weight_the_question_stays_as_it_is() -> None:
    assert RelevanceModel().expanded({"ship": 1.0, "sea": 3.0}, {}) == {"ship": 0.25, "sea": 0.75}
    assert RelevanceModel(weight=0.0).expanded({"ship": 1.0}, {"sea": 0.4}) == {"ship": 1.0}


def test_numbers_and_single_letters_are_not_added() -> None:
    assert RelevanceModel().candidates(["4711 x y2 _a 12th"], [1.0]) == {"y2": 1.0}
    assert RelevanceModel().candidates(["1 2 3", ""], [1.0, 1.0]) == {}


_words = st.text("abc", min_size=2, max_size=3)


@given(
    st.lists(st.tuples(st.lists(_words, max_size=8).map(" ".join), st.floats(0.1, 50)), min_size=1, max_size=5),
    st.dictionaries(_words, st.floats(0.1, 4), min_size=1, max_size=5),
    st.integers(1, 4),
    st.floats(0, 1),
)
def test_weights_are_shares(found: list[tuple[str, float]], asked: dict[str, float], terms: int, weight: float) -> None:
    model = RelevanceModel(terms=terms, weight=weight)
    offered = model.candidates([text for text, _ in found], [score for _, score in found])
    assert sum(offered.values()) <= 1 + 1e-9
    mixed = model.expanded(asked, offered)
    assert sum(mixed.values()) == pytest.approx(1)
    assert all(share > 0 for share in mixed.values())
    assert len(mixed) <= len(asked) + terms
