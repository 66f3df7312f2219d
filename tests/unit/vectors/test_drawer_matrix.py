from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphpalace.arrays import has_torch
from graphpalace.domain.search.news import NewsOn
from graphpalace.domain.vectors import unit_rows
from graphpalace.vectors.drawer_matrix import DrawerMatrix
from graphpalace.vectors.drawer_rows import DrawerRows, Filter
from graphpalace.vectors.vector_rows import VectorMemory

_DIMENSION = 6


def _vector(drawer: int, version: int) -> np.ndarray:
    return unit_rows(np.random.default_rng((drawer, version)).standard_normal((1, _DIMENSION)).astype(np.float32))[0]


def _rows(drawers: dict[int, int]) -> DrawerRows:
    return DrawerRows(
        [f"d{number:03}" for number in drawers],
        [f"w{number % 2}" for number in drawers],
        [f"r{number % 3}" for number in drawers],
        [number * 1000 for number in drawers],
        np.stack([_vector(*item) for item in drawers.items()]) if drawers else np.empty((0, _DIMENSION), np.float32),
        said=([f"s{number % 2}" for number in drawers], ["p"] * len(drawers), [f"c{number % 5}" for number in drawers]),
    )


_steps = st.lists(
    st.tuples(st.booleans(), st.lists(st.integers(0, 30), unique=True, max_size=12), st.integers(0, 3)), max_size=8
)


@settings(max_examples=60, deadline=None)
@given(
    _steps,
    st.sampled_from([None, "w0", "w1", "nowhere"]),
    st.sampled_from([None, ("r0",), ("r1", "r2")]),
    st.sampled_from([(None, None), (3000, None), (None, 9000), (4000, 8000)]),
    st.sampled_from([None, frozenset(), frozenset({"d001", "d004", "d007", "elsewhere"})]),
    st.sampled_from([(None, None), ("s1", None), ("s0", "c2"), (None, "w0")]),
    st.integers(1, 10),
    st.booleans(),
)
def test_after_any_puts_and_removes_the_ranking_is_that_of_plain_arithmetic(
    steps: list[tuple[bool, list[int], int]],
    wing: str | None,
    rooms: tuple[str, ...] | None,
    times: tuple[int | None, int | None],
    drawers: frozenset[str] | None,
    said: tuple[str | None, str | None],
    limit: int,
    in_file: bool,
) -> None:
    memory = VectorMemory(100, Path(tempfile.gettempdir())) if in_file else None  # from the fifth drawer on
    matrix, expected = DrawerMatrix(_DIMENSION, memory=memory), dict[int, int]()
    for put, numbers, version in steps:
        if put:
            matrix.put(_rows(dict.fromkeys(numbers, version)))
            expected |= dict.fromkeys(numbers, version)
        else:
            matrix.remove([f"d{number:03}" for number in numbers])
            expected = {number: kept for number, kept in expected.items() if number not in numbers}
    since, until = times
    query = _vector(99, 0)
    allowed = [
        number
        for number in expected
        if (wing is None or f"w{number % 2}" == wing)
        and (rooms is None or f"r{number % 3}" in rooms)
        and (since is None or number * 1000 >= since)
        and (until is None or number * 1000 < until)
        and (drawers is None or f"d{number:03}" in drawers)
        and (said[0] is None or f"s{number % 2}" == said[0])
        and (said[1] is None or f"c{number % 5}" == said[1])
    ]
    by_hand = sorted(((float(_vector(n, expected[n]) @ query), f"d{n:03}") for n in allowed), reverse=True)[:limit]
    found = matrix.nearest(
        query, limit=limit, only=(only := Filter(wing, rooms, since, until, drawers, said[0], None, said[1]))
    )
    assert len(matrix) == len(expected)
    assert list(found.ids) == [drawer for _, drawer in by_hand]
    assert found.scores == pytest.approx([cosine for cosine, _ in by_hand], abs=1e-5)
    everyone = [f"d{number:03}" for number in range(31)]
    assert matrix.passing(everyone, only).tolist() == [number in allowed for number in range(31)]


def test_neighbours_are_the_nearest_rows_best_first() -> None:
    matrix = DrawerMatrix(2)
    vectors = np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32)
    matrix.put(DrawerRows(["a", "b", "c"], ["w"] * 3, ["r"] * 3, [0] * 3, vectors))
    rows, cosines = matrix.neighbours(np.array([[1, 0]], np.float32), k=2)
    assert [matrix.ids[row] for row in rows[0]] == ["a", "c"]
    assert cosines[0].tolist() == pytest.approx([1.0, 0.6])


@pytest.mark.parametrize("many", [False, True])
def test_neighbours_agree_with_plain_arithmetic_whichever_way_they_are_found(many: bool) -> None:
    rng = np.random.default_rng(5)
    vectors = unit_rows(rng.standard_normal((900, 48)).astype(np.float32))
    queries = unit_rows(rng.standard_normal((700, 48)).astype(np.float32))
    matrix = DrawerMatrix(48, many_neighbours=many)
    ids = [f"d{number:03}" for number in range(900)]
    matrix.put(DrawerRows(ids, ["w"] * 900, ["r"] * 900, [0] * 900, vectors))
    matrix.remove(ids[:30])
    rows, cosines = matrix.neighbours(queries, k=4)
    expected = np.sort(queries @ vectors[30:].T, axis=1)[:, ::-1][:, :4]
    assert cosines == pytest.approx(expected, abs=1e-5)
    assert matrix.ids[rows[0, 0]] == ids[30 + int((queries[0] @ vectors[30:].T).argmax())]


@pytest.mark.parametrize("alike", [3, 9, 30, 100])  # fewer and more than are looked at one by one
@pytest.mark.parametrize("many", [False, True])
def test_neighbours_above_a_threshold_are_all_there_and_in_the_order_of_their_exact_cosines(
    many: bool, alike: int
) -> None:
    rng = np.random.default_rng(6)
    centres = unit_rows(rng.standard_normal((900 // alike, 48)).astype(np.float32))
    vectors = unit_rows(np.repeat(centres, alike, axis=0) + rng.normal(0, 0.05, (900, 48)).astype(np.float32))
    matrix = DrawerMatrix(48, many_neighbours=many)
    matrix.put(DrawerRows([str(row) for row in range(900)], ["w"] * 900, ["r"] * 900, [0] * 900, vectors))
    rows, cosines = matrix.neighbours(vectors, k=5, threshold=0.9)
    inner = vectors @ vectors.T
    best = np.sort(inner, axis=1)[:, ::-1][:, :5]
    assert np.where(cosines >= 0.9, cosines, 0) == pytest.approx(np.where(best >= 0.9, best, 0), abs=1e-5)
    there = cosines >= 0.9
    assert np.take_along_axis(inner, rows, axis=1)[there] == pytest.approx(cosines[there], abs=1e-5)


def test_an_empty_matrix_has_no_neighbours_and_finds_nothing() -> None:
    matrix = DrawerMatrix(2)
    rows, cosines = matrix.neighbours(np.array([[1, 0]], np.float32), k=3)
    assert rows.shape == cosines.shape == (1, 0)
    assert matrix.nearest(np.array([1, 0], np.float32), limit=5).ids == ()


def test_the_mean_of_a_room_has_length_one() -> None:
    matrix = DrawerMatrix(2)
    matrix.put(DrawerRows(["a", "b"], ["w", "w"], ["r", "r"], [0, 0], np.array([[1, 0], [0, 1]], np.float32)))
    wing, size, mean = matrix.room_means()["r"]
    assert (wing, size) == ("w", 2)
    assert mean.tolist() == pytest.approx([0.7071068, 0.7071068])


def test_only_importances_that_are_not_neutral_are_kept_and_they_follow_what_is_put_and_removed() -> None:
    def put(ids: list[str], importances: list[float] | None) -> None:
        vectors = np.stack([_vector(number, 0) for number in range(len(ids))])
        nowhere = [""] * len(ids)
        matrix.put(DrawerRows(ids, nowhere, nowhere, [0] * len(ids), vectors, importances))

    matrix = DrawerMatrix(_DIMENSION)
    put(["a", "b"], None)
    assert not matrix.weighs
    put(["c", "d", "e"], [1.0, 0.5, 0.0])
    assert matrix.weighs
    assert matrix.importances(["e", "d", "c", "a", "elsewhere"]) == {"e": 0.0, "c": 1.0}
    put(["a", "c"], [0.75, 0.5])
    matrix.remove(["e"])
    assert matrix.importances(["a", "b", "c", "d", "e"]) == {"a": 0.75}
    put(["a", "e"], None)
    assert not matrix.weighs


@pytest.mark.parametrize("many", [False, True])
def test_the_nearest_older_drawers_of_a_wing_are_found_one_by_one_and_together(
    many: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if many:  # as in a large palace
        monkeypatch.setattr("graphpalace.vectors.vector_rows._QUICK_PRODUCT", 0)
        monkeypatch.setattr("graphpalace.vectors.drawer_matrix._TILE", 2)
    matrix = DrawerMatrix(_DIMENSION)
    matrix.put(_rows(dict.fromkeys(range(20), 0)))
    asked = [3, 12, 1, 15, 0]
    vectors = np.stack([_vector(number, 1) for number in asked])
    found = matrix.nearest_older(vectors, wing="w1", before_ms=[number * 1000 for number in asked], limit=4)
    for number, vector, near in zip(asked, vectors, found, strict=True):
        older = [other for other in range(1, 20, 2) if other < number]
        best = sorted(older, key=lambda other: -float(_vector(other, 0) @ vector))[:4]
        assert [drawer for drawer, _ in near] == [f"d{other:03}" for other in best]


def test_news_on_a_drawer_stay_when_it_changes_and_go_with_it() -> None:
    matrix, newer = DrawerMatrix(_DIMENSION), NewsOn("d001", 0.5)
    matrix.put(_rows({1: 0}))
    matrix.put(replace(_rows({2: 0}), news=[[newer]]))
    matrix.put(_rows({1: 1}))
    assert matrix.news.after(["d001"]) == {"d002": [newer]}
    matrix.put(_rows({2: 1}))
    assert not matrix.news
    matrix.put(replace(_rows({2: 2}), news=[[newer]]))
    matrix.remove(["d001"])
    assert not matrix.news


@pytest.mark.skipif(not has_torch(), reason="PyTorch is not installed")
def test_a_matrix_of_torch_finds_what_that_of_numpy_finds() -> None:
    here, there = (
        DrawerMatrix(_DIMENSION, device=device) for device in ("cpu", "cpu:0")
    )  # of which torch has one only
    for matrix in (here, there):
        matrix.put(_rows(dict.fromkeys(range(20), 0)))
        matrix.put(_rows(dict.fromkeys(range(15, 25), 1)))
        matrix.remove(["d003", "d019"])
    queries = np.stack([_vector(number, 7) for number in range(3)])
    rankings = [
        [
            *matrix.nearest_of_each(queries, limit=4),
            matrix.nearest(queries[0], limit=4, only=Filter(wing="w1")),
            matrix.nearest(queries[0], limit=4, only=Filter(rooms=("r0",), until_ms=9000)),
        ]
        for matrix in (here, there)
    ]
    for one, other in zip(*rankings, strict=True):
        assert one.ids == other.ids
        assert one.scores == pytest.approx(other.scores, abs=2e-3)
    (rows, cosines), (other_rows, other_cosines) = (matrix.neighbours(queries, k=3) for matrix in (here, there))
    assert rows.tolist() == other_rows.tolist()
    np.testing.assert_allclose(cosines, other_cosines, atol=2e-3)
    np.testing.assert_allclose(here.vectors_of(["d020", "d001"]), there.vectors_of(["d020", "d001"]), atol=1e-3)
    means, other_means = here.room_means(), there.room_means()
    assert {room: mean[:2] for room, mean in means.items()} == {room: mean[:2] for room, mean in other_means.items()}
    for room, (_, _, mean) in means.items():
        np.testing.assert_allclose(mean, other_means[room][2], atol=2e-3)
