from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.vectors import from_bytes, quantised, to_bytes, unit_rows, unit_vector
from graphpalace.errors import WrongDimension


def test_a_vector_is_brought_to_length_one() -> None:
    assert unit_vector([3.0, 4.0], dimension=2).tolist() == pytest.approx([0.6, 0.8])


@pytest.mark.parametrize("values", [[1.0], [1.0, 2.0, 3.0], [0.0, 0.0], [float("nan"), 1.0], [float("inf"), 1.0]])
def test_a_vector_that_cannot_be_compared_is_refused_and_the_field_named(values: list[float]) -> None:
    with pytest.raises(WrongDimension, match="query_embedding"):
        unit_vector(values, dimension=2, field="query_embedding")


def test_bytes_give_back_the_exact_vector() -> None:
    rows = unit_rows(np.random.default_rng(0).standard_normal((3, 8)).astype(np.float32))
    assert (from_bytes([to_bytes(row) for row in rows], dimension=8) == rows).all()


def test_quantising_puts_the_largest_component_at_127() -> None:
    assert np.frombuffer(quantised(np.array([0.5, -1.0, 0.25], np.float32)), np.int8).tolist() == [64, -127, 32]


@given(st.integers(0, 10_000))
def test_quantising_hardly_moves_the_cosine(seed: int) -> None:
    first, second = unit_rows(np.random.default_rng(seed).standard_normal((2, 384)).astype(np.float32))
    small = [unit_vector(np.frombuffer(quantised(row), np.int8).tolist(), dimension=384) for row in (first, second)]
    assert abs(float(first @ second) - float(small[0] @ small[1])) < 0.005
