from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.vectors import unit_rows
from graphpalace.errors import InvalidInput
from graphpalace.rerank.mmr import clamped, mmr

EAST, NORTH = [1.0, 0.0], [0.0, 1.0]
VECTORS = np.array([EAST, EAST, NORTH, [0.6, 0.8]], np.float32)
RELEVANCE = np.array([0.9, 0.8, 0.5, 0.7])


def plain(vectors: np.ndarray, relevance: np.ndarray, share: float, top_k: int) -> list[int]:
    """The formula of seed 001, one document and one pair at a time."""
    chosen: list[int] = [int(np.argmax(relevance))]
    while len(chosen) < min(top_k, len(relevance)):
        left = [row for row in range(len(relevance)) if row not in chosen]
        gains = [
            share * relevance[row] - (1 - share) * max(float(vectors[row] @ vectors[other]) for other in chosen)
            for row in left
        ]
        chosen.append(left[int(np.argmax(gains))])
    return chosen


def test_the_most_relevant_is_followed_by_what_is_new() -> None:
    # after row 0, at 1/2: row 1 gives .4 - .5 = -.1, row 2 gives .25 - 0 = .25, row 3 gives .35 - .3 = .05
    # after row 2: row 1 stays at -.1, row 3 gives .35 - .4 = -.05
    assert mmr(VECTORS, RELEVANCE, mmr_lambda=0.5, top_k=4) == [0, 2, 3, 1]


def test_one_is_relevance_alone_and_zero_is_variety_alone() -> None:
    assert mmr(VECTORS, RELEVANCE, mmr_lambda=1, top_k=4) == [0, 1, 3, 2]
    assert mmr(VECTORS, RELEVANCE, mmr_lambda=0, top_k=2) == [0, 2]


@given(st.floats(allow_nan=False))
def test_a_lambda_out_of_range_counts_as_the_nearer_end(value: float) -> None:
    assert clamped(value) == min(max(value, 0), 1)
    if not 0 <= value <= 1:
        end = 1.0 if value > 1 else 0.0
        assert mmr(VECTORS, RELEVANCE, mmr_lambda=value, top_k=4) == mmr(VECTORS, RELEVANCE, mmr_lambda=end, top_k=4)


def test_a_lambda_that_is_no_number_is_refused() -> None:
    with pytest.raises(InvalidInput, match="mmr_lambda is not a number; it must be 0 to 1"):
        mmr(VECTORS, RELEVANCE, mmr_lambda=math.nan, top_k=2)


@given(st.integers(0, 2**32 - 1), st.integers(1, 30), st.integers(1, 40), st.sampled_from([0.0, 0.3, 0.5, 0.9, 1.0]))
def test_it_chooses_as_the_formula_says(seed: int, count: int, top_k: int, share: float) -> None:
    random = np.random.default_rng(seed)
    vectors = unit_rows(random.standard_normal((count, 8)).astype(np.float32))
    relevance = random.uniform(-1, 1, count)
    found = mmr(vectors, relevance, mmr_lambda=share, top_k=top_k)
    assert found == plain(vectors, relevance, share, top_k)
    assert len(set(found)) == len(found) == min(top_k, count)


def test_nothing_is_chosen_from_nothing() -> None:
    assert mmr(np.empty((0, 2), np.float32), np.empty(0), mmr_lambda=0.5, top_k=3) == []


def test_no_more_products_are_made_than_documents_are_chosen() -> None:
    products: list[int] = []

    class Counted(np.ndarray):
        def __matmul__(self, other: object) -> np.ndarray:
            products.append(1)
            return np.asarray(self) @ np.asarray(other)

    random = np.random.default_rng(0)
    vectors = unit_rows(random.standard_normal((1000, 8)).astype(np.float32)).view(Counted)
    assert len(mmr(vectors, random.random(1000), mmr_lambda=0.5, top_k=10)) == 10
    assert len(products) == 9
