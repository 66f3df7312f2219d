"""Neighbours among very many rows are looked for in lists, and are nearly always those that all rows would give."""

from __future__ import annotations

import numpy as np
import pytest

from graphpalace.domain.vectors import Matrix, unit_rows
from graphpalace.vectors import row_lists
from graphpalace.vectors.device import fast_in_bytes
from graphpalace.vectors.drawer_matrix import DrawerMatrix
from graphpalace.vectors.drawer_rows import DrawerRows

pytestmark = pytest.mark.skipif(not fast_in_bytes(), reason="this processor has no VNNI, without which bytes overflow")

_ROWS, _ASKED, _K = 6000, 300, 5


@pytest.fixture(autouse=True)
def few_rows_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_lists, "LISTS_FROM", 2000)
    monkeypatch.setattr(row_lists, "LISTS_PAY", _ASKED)


def drawn(count: int, seed: int) -> Matrix:
    """Return vectors around two hundred directions, the same ones for every seed."""
    centres = np.random.default_rng(0).standard_normal((200, 48)).astype(np.float32)
    rng = np.random.default_rng(seed)
    noise = rng.standard_normal((count, 48)).astype(np.float32)
    return unit_rows(centres[rng.integers(200, size=count)] + 0.7 * noise)


def put(matrix: DrawerMatrix, vectors: Matrix, first: int = 0) -> None:
    count = len(vectors)
    ids = [f"drawer-{first + at}" for at in range(count)]
    matrix.put(DrawerRows(ids, ["w"] * count, ["r"] * count, [0] * count, vectors))


def found(matrix: DrawerMatrix, asked: Matrix, *, threshold: float = -1.0) -> list[set[str]]:
    rows, cosines = matrix.neighbours(asked, k=_K, threshold=threshold)
    assert (np.diff(cosines, axis=1) <= 0).all()
    return [
        {matrix.ids[row] for row, cosine in zip(near, of, strict=True) if cosine > -np.inf}
        for near, of in zip(rows.tolist(), cosines.tolist(), strict=True)
    ]


def nearest(matrix: DrawerMatrix, vectors: Matrix, asked: Matrix) -> list[set[str]]:
    best = np.argsort(-(asked @ vectors.T), axis=1, kind="stable")[:, :_K]
    return [{f"drawer-{at}" for at in row} for row in best.tolist()]


def recall(some: list[set[str]], all_of_them: list[set[str]]) -> float:
    return float(np.mean([len(one & other) / _K for one, other in zip(some, all_of_them, strict=True)]))


def test_the_first_vectors_are_compared_with_all_rows_and_the_next_with_those_of_some_lists() -> None:
    matrix, vectors, asked = DrawerMatrix(48, many_neighbours=True), drawn(_ROWS, 1), drawn(_ASKED, 2)
    put(matrix, vectors)
    wanted = nearest(matrix, vectors, asked)
    assert found(matrix, asked) == wanted
    again = found(matrix, asked)
    assert recall(again, wanted) >= 0.97
    assert all(len(one) == _K for one in again)


def test_cosines_of_lists_are_exact() -> None:
    matrix, vectors, asked = DrawerMatrix(48, many_neighbours=True), drawn(_ROWS, 1), drawn(_ASKED, 2)
    put(matrix, vectors)
    found(matrix, asked)
    rows, cosines = matrix.neighbours(asked, k=_K)
    assert np.allclose(cosines, np.einsum("akd,ad->ak", vectors[rows], asked), atol=1e-6)


def test_few_rows_are_compared_with_all_however_often() -> None:
    matrix, vectors, asked = DrawerMatrix(48, many_neighbours=True), drawn(1999, 1), drawn(_ASKED, 2)
    put(matrix, vectors)
    for _ in range(3):
        assert found(matrix, asked) == nearest(matrix, vectors, asked)


def test_rows_that_come_go_and_change_after_the_lists_were_made_are_found_where_they_are() -> None:
    matrix, vectors = DrawerMatrix(48, many_neighbours=True), drawn(_ROWS, 1)
    put(matrix, vectors)
    found(matrix, vectors[:_ASKED])
    new = drawn(3 * _ROWS, 3)  # more than there was room for
    put(matrix, new, first=_ROWS)
    assert all(f"drawer-{_ROWS + at}" in near for at, near in enumerate(found(matrix, new[:_ASKED])))
    matrix.remove([f"drawer-{at}" for at in range(0, _ROWS, 2)])
    near = found(matrix, vectors[:_ASKED])
    assert all((f"drawer-{at}" in near[at]) == bool(at % 2) for at in range(_ASKED))
    gone = {f"drawer-{at}" for at in range(0, _ROWS, 2)}
    assert not gone & set().union(*near)
    put(matrix, new[:10], first=1)  # drawers get other texts
    assert all(f"drawer-{1 + at}" in near for at, near in enumerate(found(matrix, new[:10])))


def test_what_is_below_the_threshold_is_not_found() -> None:
    matrix, vectors, asked = DrawerMatrix(48, many_neighbours=True), drawn(_ROWS, 1), drawn(_ASKED, 2)
    put(matrix, vectors)
    found(matrix, asked)
    _, cosines = matrix.neighbours(asked, k=_K, threshold=0.99)
    assert not np.isfinite(cosines).any() or cosines[np.isfinite(cosines)].min() >= 0.95


def test_vectors_without_any_row_near_are_answered() -> None:
    matrix, vectors = DrawerMatrix(48, many_neighbours=True), drawn(_ROWS, 1)
    put(matrix, vectors)
    found(matrix, vectors[:_ASKED])
    rows, cosines = matrix.neighbours(-vectors[:3], k=_K, threshold=0.999)
    assert rows.shape == (3, _K)
    assert (cosines == -np.inf).all()
