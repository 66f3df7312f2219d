"""How good a drawer with all words of a question would be."""

from __future__ import annotations

import pytest

from graphpalace.operations.search.lanes.fulltext import MOST_COUNTED, reachable

SILENT = {"where", "is", "the", "did", "not"}


def test_words_that_occur_add_their_best_scores_by_their_weights() -> None:
    assert reachable({"key": 1.0, "cellar": 2.0}, {"key": 1.5, "cellar": 0.5}) == 2.5


def test_a_word_that_occurs_nowhere_counts_as_the_rarest_that_does() -> None:
    weights = dict.fromkeys(["lobby", "heater", "stopped"], 1.0)
    assert reachable(weights, {"lobby": 0.0, "heater": 0.0, "stopped": 1.2}) == pytest.approx(3.6)
    assert reachable(weights, dict.fromkeys(weights, 0.0)) == 0


@pytest.mark.parametrize("word", ["Where", "where's", "(the)", "didn't", "didn\u2019t", "not?", "l", "?", "--"])
def test_a_word_that_says_nothing_is_not_missed(word: str) -> None:
    assert reachable({word: 1.0, "key": 1.0}, {word: 0.0, "key": 1.5}, silent=SILENT) == 1.5


@pytest.mark.parametrize("word", ["Nadia's", "min_cost", "7", "鍵", "Schlüssel"])
def test_every_other_word_is_missed(word: str) -> None:
    assert reachable({word: 1.0, "key": 1.0}, {word: 0.0, "key": 1.5}, silent=SILENT) == 3.0


def test_no_more_than_ten_words_are_expected_of_a_drawer() -> None:
    weights = {f"word{chr(ord('a') + number)}": 1.0 for number in range(MOST_COUNTED + 5)}
    assert reachable(weights, dict.fromkeys(weights, 0.0) | {"worda": 0.5}) == pytest.approx(MOST_COUNTED * 0.5)


@pytest.mark.parametrize("thing", ["E4417", "ORA01652", "10.40.7.12", "2031", "min_cost", "maxLength", "KX-505"])
def test_beside_a_known_code_number_or_identifier_no_other_word_is_missed(thing: str) -> None:
    words = ("we", "get", thing, "again")
    assert reachable(dict.fromkeys(words, 1.0), dict.fromkeys(words, 0.0) | {thing: 3.0, "we": 0.5}) == 3.5
    unknown = reachable(dict.fromkeys(words, 1.0), dict.fromkeys(words, 0.0) | {"get": 3.0, "we": 0.5})
    assert unknown == pytest.approx(0.5 + 3 * 3.0)


@pytest.mark.parametrize("word", ["8", "2a", "Lisbon", "USA", "don't", "_emphasis_"])
def test_beside_other_words_what_is_not_there_is_missed(word: str) -> None:
    assert reachable({word: 1.0, "again": 1.0}, {word: 3.0, "again": 0.0}) == pytest.approx(6.0)
