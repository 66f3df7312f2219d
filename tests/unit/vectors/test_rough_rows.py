"""Rough products of rows: how rough they are is told, and never less than they are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from graphpalace.domain.vectors import unit_rows
from graphpalace.vectors.device import byte_products, fast_in_bytes
from graphpalace.vectors.nearest_rows import QuantizedTile, RoughRows, exact_tiles

_WITH_VNNI = pytest.mark.skipif(not fast_in_bytes(), reason="this processor has no VNNI, without which bytes overflow")
_COMPONENTS = st.floats(-1, 1, width=32).map(lambda value: value or 0.5)


@_WITH_VNNI
@settings(deadline=None, max_examples=60)
@given(
    arrays.arrays(np.float32, st.tuples(st.integers(1, 30), st.just(16)), elements=_COMPONENTS),
    arrays.arrays(np.float32, st.tuples(st.integers(1, 9), st.just(16)), elements=_COMPONENTS),
    st.booleans(),
)
def test_no_cosine_is_farther_from_its_score_than_told(rows: np.ndarray, part: np.ndarray, spike: bool) -> None:
    rows, part = unit_rows(rows), unit_rows(part)
    if spike:  # which makes the bytes of all the others rougher
        part[0] = np.eye(16, dtype=np.float32)[3]
    rough = RoughRows(16)
    rough.reserve(len(rows) + 5)
    rough.put(slice(0, len(rows)), rows)
    for tiles in (rough.tiles(part, len(rows)), exact_tiles(part, rows)):
        (tile,) = tiles
        away = np.abs(part.astype(np.float64) @ rows.T.astype(np.float64) - tile.cosines())
        assert (away <= tile.errors + 1e-6).all()


@_WITH_VNNI
def test_rows_of_many_tiles_are_numbered_through() -> None:
    rows = unit_rows(np.random.default_rng(3).standard_normal((9000, 8)).astype(np.float32))
    rough = RoughRows(8)
    rough.reserve(9000)
    rough.put(slice(0, 9000), rows)
    tiles = list(rough.tiles(rows[[0, 5000]], 9000))
    assert [tile.start for tile in tiles] == list(range(0, 9000, 2048))
    assert sum(len(tile.scores) for tile in tiles) == 9000
    assert (1, 5000) in _pairs(tiles[2], 0.999)
    assert float(tiles[0].cosines()[0, 0]) == pytest.approx(1, abs=float(tiles[0].errors[0]))


@_WITH_VNNI
def test_a_moved_row_and_one_put_again_are_what_they_became() -> None:
    rows = unit_rows(np.random.default_rng(4).standard_normal((4, 32)).astype(np.float32))
    rough = RoughRows(32)
    rough.reserve(4)
    rough.put(slice(0, 3), rows[:3])
    rough.move(2, to=0)
    rough.put(np.array([1]), rows[3:])
    rough.reserve(40)
    (tile,) = rough.tiles(rows, 2)
    assert (np.abs(tile.cosines() - rows @ rows[[2, 3]].T) <= tile.errors).all()


@pytest.mark.parametrize("dtype", [np.int32, np.float32])
def test_a_pair_may_reach_what_its_score_and_the_error_add_up_to(dtype: type) -> None:
    # 6 steps of .1 and .05 more are .65; 7 steps of .05 and .2 more are .55.
    tile = QuantizedTile(0, np.array([[6, 5], [7, 9]], dtype), np.float32([0.1, 0.05]), np.float32([0.05, 0.2]))
    assert _pairs(tile, 0.64) == {(0, 0), (1, 1)}
    assert _pairs(tile, 0.66) == set()
    assert _pairs(tile, 0.54) == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert tile.cosines() == pytest.approx(np.array([[0.6, 0.35], [0.5, 0.45]]))


@_WITH_VNNI
def test_a_row_of_zeros_is_near_to_nothing_and_everything_is_as_near_as_minus_infinity() -> None:
    rows = np.zeros((2, 8), np.float32)
    rows[1, 0] = 1
    rough = RoughRows(8)
    rough.reserve(2)
    rough.put(slice(0, 2), rows)
    with np.errstate(all="raise"):
        (tile,) = rough.tiles(rows, 2)
        assert _pairs(tile, 0.5) == {(1, 1)}
        assert _pairs(tile, -np.inf) == {(0, 0), (0, 1), (1, 0), (1, 1)}
        (blank,) = rough.tiles(rows[:1], 2)
        assert _pairs(blank, 0.5) == set()


@_WITH_VNNI
@pytest.mark.parametrize("extreme", [(255, 127), (1, -127), (255, -127)])
def test_products_of_the_greatest_bytes_do_not_overflow(extreme: tuple[int, int]) -> None:
    row, vector = extreme
    found = byte_products(np.full((3, 384), row, np.uint8), np.full((2, 384), vector, np.int8))
    assert found.tolist() == [[384 * (row - 128) * vector] * 2] * 3


def _pairs(tile: QuantizedTile, cosine: float) -> set[tuple[int, int]]:
    vectors, rows = tile.may_reach(cosine)
    return set(zip(vectors.tolist(), rows.tolist(), strict=True))
