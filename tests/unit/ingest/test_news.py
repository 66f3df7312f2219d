from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.ingest.news import OlderText, learned_log_odds, news_features, news_probabilities
from graphpalace.ingest.news_coefficients import INTERCEPT, WEIGHTS

NEW = "The ferry leaves from pier nine now."
OLD = OlderText("The ferry leaves from pier four.", 0.8)
OTHER = OlderText("Aunt Ilse grows three kinds of quince.", 0.1)


def test_the_features_are_as_counted_by_hand() -> None:
    near, far = news_features(NEW, [OLD, OTHER])
    # Of ferry, leaves, pier, nine and now, the older text has the first three, and four beside them. A word of one of
    # two older texts weighs ln(1 + 3/2), and one of none ln(1 + 3).
    one, none = np.log(2.5), np.log(4)
    assert near.tolist() == pytest.approx(
        [0.8, 3 * one / min(3 * one + 2 * none, 4 * one), 1.0, 0.0, np.log(len(NEW) / len(OLD.text)), np.log(60)]
    )
    assert far.tolist() == pytest.approx([0.1, 0.0, 1.0, np.log(2), np.log(len(NEW) / len(OTHER.text)), np.log(60)])
    assert news_features(NEW * 3, [OLD])[0][-1] == pytest.approx(np.log(3 * len(NEW)))


def test_the_probability_is_the_logistic_of_the_weighed_features() -> None:
    features = news_features(NEW, [OLD])[0]
    log_odds = INTERCEPT + sum(weight * value for weight, value in zip(WEIGHTS.values(), features, strict=True))
    assert news_probabilities(NEW, [OLD]) == [pytest.approx(1 / (1 + np.exp(-log_odds)))]


def test_news_on_the_same_thing_are_probable_and_on_another_are_not() -> None:
    likely, unlikely = news_probabilities(NEW, [OLD, OTHER])
    assert likely > 0.5
    assert unlikely < 0.05


@pytest.mark.parametrize("text", ["From pier four the ferry leaves.", "The ferry leaves", OLD.text])
def test_what_has_only_words_of_the_older_text_is_no_news(text: str) -> None:
    assert news_probabilities(text, [OLD, OTHER])[0] == 0.0


def test_without_older_texts_there_is_nothing_to_say() -> None:
    assert news_probabilities(NEW, []) == []


@given(st.text(max_size=60), st.lists(st.tuples(st.text(max_size=60), st.floats(-1, 1)), max_size=5))
def test_any_texts_have_a_probability(text: str, older: list[tuple[str, float]]) -> None:
    found = news_probabilities(text, [OlderText(*each) for each in older])
    assert len(found) == len(older)
    assert all(0 <= value <= 1 for value in found)


def test_what_people_said_moves_the_log_odds() -> None:
    # Supposed with .6 and .3, the first refused and the second superseded: (0 - .6 + 1 - .3) / (1 + .24 + .21).
    assert learned_log_odds(0.1, 0.45) == pytest.approx(0.1 / 1.45)
    assert learned_log_odds(0.0, 0.0) == 0.0
    assert learned_log_odds(-9.0, 2.0) == -2.0
    (plain,), (less,) = news_probabilities(NEW, [OLD]), news_probabilities(NEW, [OLD], learned=-1.0)
    assert np.log(less / (1 - less)) == pytest.approx(np.log(plain / (1 - plain)) - 1.0)
