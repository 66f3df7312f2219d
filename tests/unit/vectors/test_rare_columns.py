from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from graphpalace.domain.search.news import NewsOn
from graphpalace.vectors.drawer_matrix import DrawerMatrix
from graphpalace.vectors.drawer_rows import DrawerRows, Filter, NewsTable, WindowRows

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
    monkeypatch.setattr("graphpalace.vectors.vector_rows._QUICK_PRODUCT", 0)
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


def _table(*edges: tuple[str, str]) -> NewsTable:
    table = NewsTable()
    for newer in dict.fromkeys(newer for newer, _ in edges):
        table.put(newer, [NewsOn(older, 0.5) for other, older in edges if other == newer])
    return table


def test_what_is_news_on_a_drawer_is_found_over_others_and_what_it_is_news_on_is_not() -> None:
    table = _table(("b", "a"), ("c", "b"), ("e", "d"))
    assert table.after(["b"]) == {"c": [NewsOn("b", 0.5)]}
    assert table.after(["a"]) == {"b": [NewsOn("a", 0.5)], "c": [NewsOn("b", 0.5)]}
    assert table.after(["c", "e"]) == {}


def test_edges_between_drawers_that_were_both_asked_for_are_returned() -> None:
    assert _table(("b", "a")).after(["a", "b"]) == {"b": [NewsOn("a", 0.5)]}


def test_what_was_removed_or_replaced_is_gone() -> None:
    table = _table(("b", "a"), ("c", "a"))
    table.remove(["b", "unknown"])
    assert table.after(["a"]) == {"c": [NewsOn("a", 0.5)]}
    table.put("c", [])
    assert table.after(["a"]) == {}
    assert not table


def test_a_circle_ends() -> None:
    assert _table(("b", "a"), ("a", "b")).after(["a"]).keys() == {"a", "b"}
