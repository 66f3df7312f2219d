from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.vectors import unit_rows
from graphpalace.errors import InvalidInput
from graphpalace.rerank.ordering import clamped, explore, mmr

EAST, NORTH = [1.0, 0.0], [0.0, 1.0]
VECTORS = np.array([EAST, EAST, NORTH, [0.6, 0.8]], np.float32)
RELEVANCE = np.array([0.9, 0.8, 0.5, 0.7])
FALLING = np.linspace(1, 0, 40)


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


@pytest.mark.parametrize(
    ("value", "counts_as"), [(-math.inf, 0), (-0.1, 0), (0, 0), (0.3, 0.3), (1, 1), (1.1, 1), (math.inf, 1)]
)
def test_a_lambda_out_of_range_counts_as_the_nearer_end(value: float, counts_as: float) -> None:
    assert clamped(value) == counts_as
    found = mmr(VECTORS, RELEVANCE, mmr_lambda=value, top_k=4)
    assert found == mmr(VECTORS, RELEVANCE, mmr_lambda=counts_as, top_k=4)


def test_a_lambda_that_is_no_number_is_refused() -> None:
    with pytest.raises(InvalidInput) as error:
        mmr(VECTORS, RELEVANCE, mmr_lambda=math.nan, top_k=2)
    assert error.value.message == "mmr_lambda is not a number; it must be 0 to 1"
    assert error.value.detail == {"field": "mmr_lambda"}


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


def ranks(relevance: np.ndarray) -> list[int]:
    return np.argsort(-relevance, kind="stable").tolist()


@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(1, 20))
def test_what_is_promoted_moves_up_by_one_place_in_the_middle_ranks(seed: int, count: int, top_k: int) -> None:
    random = np.random.default_rng(seed)
    relevance = random.permutation(np.linspace(1, 0, count))
    changed, promoted = explore(relevance, epsilon=1, top_k=top_k, random=random)
    before, after = ranks(relevance), ranks(changed)
    assert sorted(changed) == sorted(relevance)
    for one in promoted:
        assert (before.index(one.row) + 1, after.index(one.row) + 1) == (one.from_rank, one.to_rank)
        assert one.to_rank == one.from_rank - 1
        assert max(1, top_k // 2) < one.from_rank <= top_k + 1
    moved = {row for at, row in enumerate(after) if before[at] != row}
    assert len(moved) == 2 * len(promoted)
    assert before[0] == after[0] or top_k < 4


def test_as_often_as_epsilon_says() -> None:
    random = np.random.default_rng(1337)
    explored = sum(bool(explore(FALLING, epsilon=0.05, top_k=10, random=random)[1]) for _ in range(4000))
    assert explored / 4000 == pytest.approx(0.05, abs=0.015)


def test_the_same_seed_explores_the_same() -> None:
    first, second = (
        [explore(FALLING, epsilon=0.5, top_k=10, random=random)[1] for _ in range(20)]
        for random in (np.random.default_rng(1337), np.random.default_rng(1337))
    )
    assert first == second
    assert any(first)


def test_without_a_generator_or_a_chance_nothing_is_explored() -> None:
    for epsilon, random in ((1.0, None), (0.0, np.random.default_rng(0))):
        changed, promoted = explore(FALLING, epsilon=epsilon, top_k=10, random=random)
        assert promoted == []
        assert changed is FALLING


def test_what_is_given_stays_as_it_is() -> None:
    given_scores = FALLING.copy()
    assert explore(given_scores, epsilon=1, top_k=10, random=np.random.default_rng(0))[1]
    assert (given_scores == FALLING).all()


def promoted_from(count: int, *, top_k: int, seed: int) -> list[int]:
    """Return the ranks that exploration promoted."""
    found = explore(np.linspace(1, 0, count), epsilon=1, top_k=top_k, random=np.random.default_rng(seed))[1]
    return [one.from_rank for one in found]


def test_one_in_four_of_every_second_rank_from_the_middle_to_below_the_cut_is_promoted() -> None:
    # of 64: ranks 33, 35 ... 65, which are 17, or 34, 36 ... 64, which are 16; a quarter of either is 4
    tries = [promoted_from(100, top_k=64, seed=seed) for seed in range(200)]
    assert {len(set(ranks)) for ranks in tries} == {4}
    assert {frozenset(rank % 2 for rank in ranks) for ranks in tries} == {frozenset({0}), frozenset({1})}
    assert {rank for ranks in tries for rank in ranks} == set(range(33, 66))


def test_if_the_answer_has_one_rank_the_second_takes_it_and_if_it_has_two_the_third_may_follow() -> None:
    assert {tuple(promoted_from(3, top_k=1, seed=seed)) for seed in range(20)} == {(2,)}
    assert {tuple(promoted_from(3, top_k=2, seed=seed)) for seed in range(20)} == {(2,), (3,)}


def test_equal_scores_rank_by_row() -> None:
    scores = np.tile([0.5, 0.9], 50)  # so the rows 1, 3, 5 ... have the ranks 1, 2, 3 ...
    for seed in range(20):
        (one,) = explore(scores, epsilon=1, top_k=10, random=np.random.default_rng(seed))[1]
        assert one.row == 2 * one.from_rank - 1
