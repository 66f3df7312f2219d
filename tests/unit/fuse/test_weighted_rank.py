from __future__ import annotations

import numpy as np
import pytest

from graphpalace.fuse.weighted_rank import best_first, pooled, rank_scores


def test_a_score_is_the_weight_over_k_plus_rank() -> None:
    ids, (first, second) = pooled([["b", "a"], ["a", "c"]])
    assert ids == ["a", "b", "c"]
    total = rank_scores(first, size=3, weight=2.0, k=60) + rank_scores(second, size=3, weight=1.0, k=60)
    assert total.tolist() == pytest.approx([2 / 62 + 1 / 61, 2 / 61, 1 / 62])
    assert [ids[at] for at in best_first(total)] == ["a", "b", "c"]


def test_ties_go_by_id_and_what_has_no_score_is_not_ranked() -> None:
    ids, (one, other) = pooled([["z", "m"], ["a", "k"]])
    total = sum(rank_scores(ranking, size=4, weight=1.0, k=10) for ranking in (one, other))
    assert [ids[at] for at in best_first(np.asarray(total))] == ["a", "z", "k", "m"]
    assert best_first(np.array([0.0, 1.0, 0.0])).tolist() == [1]
