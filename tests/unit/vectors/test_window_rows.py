from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from graphpalace.vectors.drawer_matrix import DrawerMatrix
from graphpalace.vectors.drawer_rows import DrawerRows, Filter
from graphpalace.vectors.window_rows import WindowRows

X, Y, Z = np.eye(3, dtype=np.float32)
NEAR_Z = np.array([0, 0.6, 0.8], np.float32)


def _rows(**vectors: np.ndarray) -> DrawerRows:
    return DrawerRows(
        list(vectors), ["w"] * len(vectors), ["r"] * len(vectors), [0] * len(vectors), np.stack([*vectors.values()])
    )


@pytest.fixture
def matrix() -> DrawerMatrix:
    """A matrix of three drawers, of which one has a long text."""
    made = DrawerMatrix(3)
    made.put(replace(_rows(long=X, near=NEAR_Z, other=Y), windows=[np.stack([Y, Z]), None, None]))
    return made


def test_the_best_window_of_each_drawer_counts() -> None:
    rows = WindowRows(3)
    assert rows.best(Z) == {}
    rows.put("a", np.stack([X, Z, Y]))
    rows.put("b", np.stack([NEAR_Z]))
    assert rows.best(Z) == pytest.approx({"a": 1.0, "b": 0.8})
    rows.put("a", None)
    assert rows.best(Z) == pytest.approx({"b": 0.8})
    rows.put("b", None)
    assert not rows


@pytest.mark.parametrize("only", [None, Filter(wing="w"), Filter(drawers=frozenset({"long", "near", "other"}))])
def test_a_long_text_is_found_by_each_of_its_windows(matrix: DrawerMatrix, only: Filter | None) -> None:
    found = matrix.nearest(Z, limit=2, only=only)
    assert found.ids == ("long", "near")
    assert found.scores == pytest.approx((1.0, 0.8))
    assert matrix.nearest(X, limit=1, only=only).ids == ("long",)


def test_a_filter_leaves_its_windows_out_too(matrix: DrawerMatrix) -> None:
    assert matrix.nearest(Z, limit=5, only=Filter(drawers=frozenset({"other", "near"}))).ids == ("near", "other")


def test_many_questions_at_once_are_answered_as_each_alone(
    matrix: DrawerMatrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = np.stack([X, Z, NEAR_Z])
    alone = [matrix.nearest(question, limit=3) for question in questions]
    monkeypatch.setattr("graphpalace.vectors.drawer_matrix._QUICK_PRODUCT", 0)
    for one, other in zip(alone, matrix.nearest_of_each(questions, limit=3), strict=True):
        assert other.ids == one.ids
        assert other.scores == pytest.approx(one.scores)


def test_for_a_question_the_nearest_window_stands_for_the_text(matrix: DrawerMatrix) -> None:
    ids = ["near", "long", "unknown", "other"]
    assert matrix.some(ids).vectors.tolist() == np.stack([NEAR_Z, X, Y]).tolist()
    assert matrix.some(ids, asked=Z).vectors.tolist() == np.stack([NEAR_Z, Z, Y]).tolist()
    assert matrix.some(ids, asked=X).vectors.tolist() == np.stack([NEAR_Z, X, Y]).tolist()
    assert matrix.vectors_of(["long"]).tolist() == [X.tolist()]  # and stays as it was


def test_windows_go_with_their_drawer_and_with_its_text(matrix: DrawerMatrix) -> None:
    matrix.put(_rows(long=X))
    assert matrix.nearest(Z, limit=1).ids == ("near",)
    matrix.put(replace(_rows(long=X), windows=[np.stack([Z])]))
    matrix.remove(["long"])
    assert matrix.nearest(Z, limit=3).ids == ("near", "other")
