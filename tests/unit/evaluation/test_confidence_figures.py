"""What a search says of its first hits, beside what is so: numbers by hand."""

from __future__ import annotations

import numpy as np
import pytest

from graphpalace.domain.search.answer import SearchPlan
from graphpalace.evaluation.asking import AskedQuestion
from graphpalace.evaluation.collection import CollectionQuestion
from graphpalace.evaluation.confidence_figures import KindFigures, confidence_figures, kind_figures


def answered(sure: float | None, confidence: float, *, fits: bool) -> AskedQuestion:
    return AskedQuestion(["d"], 1.0, SearchPlan((), {}, "rrf"), sure, confidence, fits)


def test_shares_of_right_first_hits_and_of_unanswerable_questions() -> None:
    found = confidence_figures(
        [answered(0.9, 0.8, fits=True), answered(0.5, 0.2, fits=False), answered(0.1, 0.6, fits=True)],
        np.array([1.0, 1.0, 0.0]),
        [answered(0.2, 0.1, fits=False), answered(None, 0.7, fits=True)],
    )
    assert found.unanswerable == 2
    assert found.shown == pytest.approx((0.9 + 0.5 + 0.1) / 3)
    assert found.right == pytest.approx(2 / 3)
    assert found.nothing_fits_if_right == pytest.approx(1 / 2)
    assert found.nothing_fits_if_unanswerable == pytest.approx(1 / 2)
    assert found.auc == pytest.approx((2 + 1 + 1) / 6)  # .8 is above both, .2 and .6 each above .1


def test_what_there_is_not_is_none() -> None:
    found = confidence_figures([answered(None, 0.0, fits=True)], np.array([0.0]), [])
    assert (found.shown, found.nothing_fits_if_right, found.nothing_fits_if_unanswerable, found.auc) == (None,) * 4


def test_each_kind_has_the_mean_of_its_questions() -> None:
    questions = [CollectionQuestion(str(at), "?", {"d": 1}, kind=kind) for at, kind in enumerate(("a", None, "b", "a"))]
    found = kind_figures(questions, {"mrr@10": np.array([1.0, 0.3, 0.5, 0.0])})
    assert found == {"a": KindFigures(2, {"mrr@10": 0.5}), "b": KindFigures(1, {"mrr@10": 0.5})}
