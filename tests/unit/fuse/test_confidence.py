"""The features of confidence, worked by hand, and what must hold of the fitted coefficients."""

from __future__ import annotations

from dataclasses import replace
from math import log, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.search.answer import Ranking
from graphpalace.domain.search.evidence import Calibration
from graphpalace.fuse.confidence import (
    ANSWER_FEATURES,
    HIT_FEATURES,
    FoundHits,
    FoundLists,
    Logistic,
    confidence_features,
)
from graphpalace.fuse.confidence_coefficients import ANSWER, HIT
from graphpalace.fuse.word_overlap import WordCover

RARE = WordCover.of({"walks": 6.0, "for": 1.5, "zebra": 0.0})
HITS = FoundHits(
    scores=[0.8, 0.5],
    cosines=[0.6, 0.7],
    evidence=[0.9, 0.0],
    text_ranks=[1, 0],
    cosine_ranks=[3, 1],
    words=[frozenset({"walks"}), frozenset({"for"})],
    likeness=0.25,
    name_scores=[0.0, 1.5],
    from_first=[0.0, 0.75],
)
LISTS = FoundLists(
    fused=[0.8, 0.5, 0.4, 0.3],
    text=Ranking("fulltext", ("a", "c"), (4.0, 1.0), 5.0),
    meaning=Ranking("semantic", ("b", "c", "a"), (0.7, 0.65, 0.6)),
    cover=RARE,
    named=True,
)


def test_words_weigh_by_rarity_and_those_that_occur_nowhere_as_much_as_the_rarest() -> None:
    assert RARE.weights == {"walks": 1.0, "for": 0.25, "zebra": 1.0}
    assert RARE.share({"walks"}) == pytest.approx(1 / 2.25)
    assert RARE.share({"walks", "for", "zebra"}) == 1
    assert WordCover.of({}).share(frozenset()) == 0


def test_long_words_may_have_another_ending_and_short_ones_not() -> None:
    assert RARE.words_in("Walking forth") == {"walks"}
    assert RARE.words_in("we walk FOR zebras") == {"walks", "for", "zebra"}
    assert RARE.words_in("") == set()


@pytest.mark.parametrize(
    ("word", "text", "occurs"),
    [
        ("tree", "tree", True),
        ("tree", "trees", False),
        ("flower", "flowing", True),  # of six letters, four must be there
        ("flower", "floats", False),
        ("stories", "storied", True),  # of seven, five
        ("stories", "storing", True),
        ("stories", "stored", False),
        ("zebra", "a zebra", True),
        ("zebra", "zebu", False),  # of five letters, four
        ("zebra", "alphabet", False),  # where no word follows in the alphabet
    ],
)
def test_the_last_two_letters_may_differ_but_the_first_four_not(word: str, text: str, occurs: bool) -> None:
    assert (WordCover.of({word: 1.0}).words_in(text) == {word}) is occurs


def test_a_long_text_is_read_up_to_ten_thousand_characters() -> None:
    cover = WordCover.of({"tree": 1.0})
    assert cover.words_in(" " * 9_996 + "tree") == {"tree"}
    assert cover.words_in(" " * 9_997 + "tree") == set()


def test_of_a_word_in_two_forms_the_greater_score_counts() -> None:
    assert WordCover.of({"Tree": 2.0, "tree": 4.0, "TREE": 3.0, "oak": 8.0}).weights == {"tree": 0.5, "oak": 1.0}
    assert WordCover.of({"tree": 0.25, "oak": 0.5}).weights == {"tree": 0.5, "oak": 1.0}


def test_marks_around_words_do_not_count() -> None:
    escaped = WordCover.of({"os.path\\:join": 3.0, "(tree)": 1.0})
    assert set(escaped.weights) == {"os", "path", "join", "tree"}
    assert escaped.words_in("path_join of a tree") == {"path", "join", "tree"}


def of_hits(hits: FoundHits, lists: FoundLists) -> list[dict[str, float]]:
    return [dict(zip(HIT_FEATURES, row, strict=True)) for row in confidence_features(hits, lists).hits.tolist()]


def of_answer(hits: FoundHits, lists: FoundLists) -> dict[str, float]:
    return dict(zip(ANSWER_FEATURES, confidence_features(hits, lists).answer.tolist(), strict=True))


def test_the_features_of_hits_by_hand() -> None:
    first, second = of_hits(HITS, LISTS)
    assert first == pytest.approx(
        {
            "score": 0.8,
            "margin": 0.8 - 0.4,
            "lead": 0.0,
            "rank": 0.0,
            "cosine": 0.6,
            "agreement": 1 / log2(4),
            "names": 0.0,
            "from_first": 0.0,
            "first_cosine": 0.7,
            "first_apart": 0.7 - 0.25,
            "first_text_lead": 0.75,
            "first_overlap": 0.2,
            "first_named": 1.0,
        }
    )
    assert second == pytest.approx(
        {
            "score": 0.5,
            "margin": 0.5 - 0.35,
            "lead": -0.3,
            "rank": log(2),
            "cosine": 0.7,
            "agreement": 1 / log2(201),  # the words did not find it
            "names": log(2.5),
            "from_first": 0.75,
            "first_cosine": 0.35,
            "first_apart": 0.225,
            "first_text_lead": 0.375,
            "first_overlap": 0.1,
            "first_named": 0.5,
        }
    )
    assert of_hits(HITS, replace(LISTS, named=False))[0]["first_named"] == 0


def test_the_features_of_an_answer_by_hand() -> None:
    together = 1.25 / 2.25
    assert of_answer(HITS, LISTS) == pytest.approx(
        {
            "score": 0.8 * together,
            "margin": 0.4 * together,
            "spread": 0.35 * together,
            "cosine": 0.7,
            "apart": 0.7 - 0.25,
            "evidence": 0.9 * together,
            "text_lead": (1 - 1.0 / 4.0) * together,
            "overlap": 0.2,
            "cover": 1 / 2.25,
            "cover_together": together,
            "names": log(2.5),
        }
    )


def test_what_stands_further_down_does_not_count() -> None:
    six = FoundHits(
        scores=[0.9, 0.8, 0.7, 0.7, 0.5, 0.3],
        cosines=[0.1, 0.2, 0.3, 0.4, 0.5, 0.9],
        evidence=[0.0] * 6,
        text_ranks=[1, 2, 3, 4, 5, 6],
        cosine_ranks=[1, 2, 3, 4, 5, 6],
        words=[frozenset(), frozenset(), frozenset({"for"}), frozenset({"walks"}), frozenset(), frozenset()],
        likeness=0.0,
        name_scores=[0.0, 0.0, 0.0, 0.0, 1.5, 9.0],
        from_first=[0.0] * 6,
    )
    lists = FoundLists(
        fused=[0.9, 0.8, 0.7, 0.7, 0.5, 0.3, 0.1],
        text=Ranking("fulltext", tuple("abcdefghijk"), (10.0, 5.0, 4.0, 4.0, 1.0, 1.0, 0.5, 0.5, 0.5, 0.5, 0.5)),
        meaning=Ranking("semantic", tuple("k123456789a"), (0.5,) * 11),
        cover=RARE,
        named=False,
    )
    together = 0.25 / 2.25  # of the first three hits
    found = of_answer(six, lists)
    assert found["margin"] == pytest.approx((0.9 - 0.6) * together)  # the mean of the next five
    assert found["text_lead"] == pytest.approx((1 - 3 / 10) * together)
    assert found["spread"] == pytest.approx((0.9 - 0.7) * together)  # the median of all seven
    assert (found["cosine"], found["names"]) == (0.5, pytest.approx(log(2.5)))  # of the first five hits
    assert found["overlap"] == 0  # of the first ten of both lanes
    assert found["cover_together"] == pytest.approx(together)
    assert of_hits(six, lists)[2]["margin"] == pytest.approx(0.7 - 0.3)  # only three have less


def test_lanes_without_results_have_features_too() -> None:
    empty = replace(LISTS, text=Ranking("fulltext", (), ()), meaning=Ranking("semantic", (), ()))
    found = of_answer(HITS, empty)
    assert (found["text_lead"], found["overlap"]) == (0.0, 0.0)
    single = replace(LISTS, text=Ranking("fulltext", ("a",), (4.0,)), fused=[0.8])
    found = of_answer(HITS, single)
    assert (found["text_lead"], found["margin"], found["spread"]) == (1.25 / 2.25, 0.0, 0.0)
    worthless = replace(LISTS, text=Ranking("fulltext", ("a", "c"), (0.0, 0.0)))
    assert of_answer(HITS, worthless)["text_lead"] == 0
    small = replace(LISTS, text=Ranking("fulltext", ("a", "c"), (0.8, 0.2)))
    assert of_answer(HITS, small)["text_lead"] == pytest.approx(0.75 * 1.25 / 2.25)


def test_a_hit_with_a_better_score_than_the_first_has_no_lead() -> None:
    assert [hit["lead"] for hit in of_hits(replace(HITS, scores=[0.5, 0.8]), LISTS)] == [0, 0]


def test_log_odds_are_a_weighted_sum() -> None:
    model = Logistic(-1.0, {"cosine": 2.0, "cover": 0.5})
    assert model.log_odds(np.array([[0.5, 1.0], [0.0, 0.0]])).tolist() == [0.5, -1.0]


def test_the_coefficients_are_those_of_the_features_in_their_order() -> None:
    assert tuple(HIT.weights) == HIT_FEATURES
    assert tuple(ANSWER.weights) == ANSWER_FEATURES


def test_what_speaks_for_a_hit_never_lowers_its_confidence() -> None:
    assert all(weight >= 0 for feature, weight in ANSWER.weights.items())
    assert all(weight <= 0 if feature == "rank" else weight >= 0 for feature, weight in HIT.weights.items())


unit = st.floats(0, 1)


@given(unit, unit, unit, unit)
def test_a_hit_with_a_greater_cosine_and_more_of_its_names_is_at_least_as_sure(
    low: float, high: float, few: float, many: float
) -> None:
    low, high, few, many = *sorted((low, high)), *sorted((few, many))
    place = {name: at for at, name in enumerate(HIT_FEATURES)}
    worse = confidence_features(HITS, LISTS).hits[0].copy()
    better = worse.copy()
    worse[[place["cosine"], place["names"]]] = low, few
    better[[place["cosine"], place["names"]]] = high, many
    probability = Calibration().probability(HIT.log_odds(np.stack([worse, better])))
    assert 0 < probability[0] <= probability[1] < 1


@given(st.lists(st.floats(-8, 8), min_size=2, max_size=6), st.floats(0.5, 2), st.floats(-2, 2))
def test_a_calibration_keeps_the_order(odds: list[float], scale: float, shift: float) -> None:
    ordered = np.array(sorted(odds))
    probability = Calibration(scale, shift).probability(ordered)
    assert (np.diff(probability) >= 0).all()
    assert ((probability > 0) & (probability < 1)).all()
