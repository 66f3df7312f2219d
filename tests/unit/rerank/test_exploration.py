from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.rerank.exploration import explore

FALLING = np.linspace(1, 0, 40)


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
