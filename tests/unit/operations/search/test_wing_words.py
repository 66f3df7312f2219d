"""The words of one wing: their scores follow from the wing alone, and order its drawers as BM25 does."""

from __future__ import annotations

from typing import Any, cast

import pytest

from graphpalace.operations.search.lanes.wing_words import WingQuestion, wing_scores
from graphpalace.store.search.fulltext import MatchedDrawer, WingMatches
from graphpalace.store.search.lucene import neighbours, query_words

ASKED = "ladder pruning"
QUESTION = WingQuestion(query_words(ASKED), neighbours(ASKED), 0.8, 0.4, only_text=False)


def scored(
    texts: dict[str, str], has: dict[str, set[int]], *, size: int = 10
) -> tuple[dict[str, float], dict[str, float]]:
    asked = QUESTION.asked()
    counts = [sum(key in one for one in has.values()) for key in range(len(asked))]
    found = [MatchedDrawer(one, frozenset(has[one]), text) for one, text in texts.items()]
    return wing_scores(asked, WingMatches(cast(Any, None), size, counts, found))


def test_stems_words_and_pairs_are_looked_up() -> None:
    assert [(one.kind, one.query, one.weight) for one in QUESTION.asked()] == [
        ("stems", "ladder", 1.0),
        ("stems", "pruning", 1.0),
        ("exact", "ladder", 0.8),
        ("exact", "pruning", 0.8),
        ("exact", '"ladder pruning"', 0.4),
    ]


def test_a_code_is_looked_up_as_a_whole_in_all_of_its_spellings_and_not_by_its_parts() -> None:
    (code, plain) = query_words("F-16 engine")
    assert code.whole == '(F16 "F 16")'
    assert plain.whole == "engine"


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (("a ladder for pruning", {0, 1, 2, 3}), ("a ladder for apples", {0, 2})),  # more words
        (("ladder, ladder and ladder", {0, 2}), ("ladder, a spade and a rake", {0, 2})),  # more often
        (("the ladder", {0, 2}), ("the ladder " + "and other things " * 50, {0, 2})),  # a shorter text
        (("the ladder pruning", {0, 1, 2, 3, 4}), ("pruning the ladder", {0, 1, 2, 3})),  # side by side
        (("the pruning", {1, 3}), ("the prunings", {1})),  # as it is written
    ],
)
def test_what_has_more_of_the_question_comes_first(better: tuple[str, set[int]], worse: tuple[str, set[int]]) -> None:
    scores, _ = scored({"a": worse[0], "b": better[0]}, {"a": worse[1], "b": better[1]})
    assert scores["b"] > scores["a"] > 0


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    texts = {"rare": "pruning", **{f"common{n}": "ladder" for n in range(6)}}
    scores, best = scored(texts, {one: {1, 3} if one == "rare" else {0, 2} for one in texts})
    assert scores["rare"] > 2 * scores["common0"]
    assert best == {"ladder": pytest.approx(scores["common0"]), "pruning": pytest.approx(scores["rare"])}


def test_a_word_that_no_read_text_has_is_worth_one_occurrence_and_one_that_is_nowhere_nothing() -> None:
    asked = QUESTION.asked()
    scores, best = wing_scores(asked, WingMatches(cast(Any, None), 10, [3, 0, 3, 0, 0], []))
    assert scores == {}
    assert set(best) == {"ladder"}
    assert 0 < best["ladder"] < 2


def test_an_empty_text_and_one_of_signs_do_no_harm() -> None:
    scores, _ = scored({"a": "", "b": "!!!"}, {"a": {0}, "b": {0, 2}})
    assert scores["b"] > scores["a"] > 0


def test_a_pair_is_worth_the_rarity_of_its_words_and_not_its_own() -> None:
    has = {"a": {0, 1, 2, 3, 4}, "b": {0, 1, 2, 3}, "c": {0, 2}, "d": {1, 3}}
    scores, best = scored(dict.fromkeys(has, "ladder pruning"), has)
    assert scores["c"] == pytest.approx(best["ladder"])
    of_words = scores["b"] / 1.8  # the rarities of both words, for one occurrence
    assert scores["a"] - scores["b"] == pytest.approx(0.4 * of_words)
