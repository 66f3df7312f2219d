from __future__ import annotations

import math

import pytest
import torch

from graphpalace.simulate.relevance import QueryRelevance, keyword_shares, recently, relevance


def _relevance(similarity: float, keywords: float, *, visits: int, recent: bool, kw_lambda: float) -> float:
    asked = QueryRelevance(torch.tensor([similarity]), torch.tensor([keywords]))
    return float(relevance(asked, visits=torch.tensor([visits]), recent=torch.tensor([recent]), kw_lambda=kw_lambda))


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
    visits: int, recent: bool, kw_lambda: float, expected: float
) -> None:
    assert _relevance(0.4, 0.5, visits=visits, recent=recent, kw_lambda=kw_lambda) == pytest.approx(expected)


def test_a_visit_is_recent_for_less_than_a_second() -> None:
    assert recently(torch.tensor([5.0, 4.0, 4.01, -math.inf]), 5.0).tolist() == [True, False, True, False]


def test_a_keyword_counts_once_in_any_case_and_blank_ones_do_not_count() -> None:
    texts = ["The Decay of TRAILS", "trails and straße", "nothing"]
    assert keyword_shares(texts, ["trails", "Decay", "decay", " "]).tolist() == [1.0, 0.5, 0.0]
    assert keyword_shares(texts, ["STRASSE"]).tolist() == [0.0, 1.0, 0.0]
    assert keyword_shares(texts, []).tolist() == [0.0, 0.0, 0.0]
    assert keyword_shares(texts, ["", "  "]).tolist() == [0.0, 0.0, 0.0]
