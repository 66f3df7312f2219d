from __future__ import annotations

import math

import pytest
from tests.unit.simulate.swarms import KINDS, array

from graphpalace.simulate.step import MOST_BONUS, QueryRelevance, keyword_shares, recently, relevance


def _relevance(
    similarity: float, keywords: float, *, visits: int, recent: bool, kw_lambda: float, kind: str
) -> tuple[float, str]:
    asked = QueryRelevance(array([similarity], kind), array([keywords], kind))
    found = relevance(asked, visits=array([visits], kind), recent=array([recent], kind), kw_lambda=kw_lambda)
    return float(found[0]), str(found.dtype)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("visits", "recent", "kw_lambda", "expected"),
    [
        (0, False, 0.0, 0.4),
        (3, False, 0.0, 0.7),
        (5, False, 0.0, 0.9),
        (700, False, 0.0, 0.9),  # visits are worth .5 at most
        (0, True, 0.0, 0.5),
        (0, False, 0.2, 0.5),  # half of the keywords
        (3, True, 0.2, 0.9),
    ],
)
def test_a_relevance_is_the_similarity_and_its_bonuses(
    visits: int, recent: bool, kw_lambda: float, expected: float, kind: str
) -> None:
    found, dtype = _relevance(0.4, 0.5, visits=visits, recent=recent, kw_lambda=kw_lambda, kind=kind)
    assert found == pytest.approx(expected)
    assert dtype.endswith("float32")


def test_the_greatest_bonus_without_keywords_is_that_of_many_visits_of_which_one_is_recent() -> None:
    found, _ = _relevance(0.0, 1.0, visits=700, recent=True, kw_lambda=0.0, kind="numpy")
    assert found == pytest.approx(MOST_BONUS) == 0.6


def test_a_visit_is_recent_for_less_than_a_second() -> None:
    assert recently(array([5.0, 4.0, 4.01, -math.inf]), 5.0).tolist() == [True, False, True, False]


def test_a_keyword_counts_once_in_any_case_and_blank_ones_do_not_count() -> None:
    texts = ["The Decay of TRAILS", "trails and straße", "nothing"]
    assert keyword_shares(texts, ["trails", "Decay", "decay", " "]).tolist() == [1.0, 0.5, 0.0]
    assert keyword_shares(texts, ["STRASSE"]).tolist() == [0.0, 1.0, 0.0]
    assert keyword_shares(texts, []).tolist() == [0.0, 0.0, 0.0]
    assert keyword_shares(texts, ["", "  "]).tolist() == [0.0, 0.0, 0.0]
