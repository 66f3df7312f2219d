from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.search.answer import Ranking
from graphpalace.fuse.lane_fusion import best_first, pooled, rank_scores, reciprocal_rank


def test_two_lanes_add_up_as_worked_by_hand() -> None:
    words = Ranking("fulltext", ("a", "b"), (7.0, 3.0))
    meaning = Ranking("semantic", ("b", "c"), (0.9, 0.8))
    fused = reciprocal_rank([words, meaning], k=60)
    # b: 1/62 + 1/61, a: 1/61, c: 1/62
    assert [hit.id for hit in fused] == ["b", "a", "c"]
    assert [hit.score for hit in fused] == pytest.approx([0.0325225, 0.0163934, 0.0161290], abs=1e-7)
    assert fused[0].lanes["fulltext"].rank == 2
    assert fused[0].lanes["fulltext"].share == pytest.approx((1 / 62) / (1 / 62 + 1 / 61))
    assert fused[1].lanes.keys() == {"fulltext"}


def test_equal_scores_are_ordered_by_id() -> None:
    fused = reciprocal_rank([Ranking("x", ("b",), (1.0,)), Ranking("y", ("a",), (1.0,))])
    assert [hit.id for hit in fused] == ["a", "b"]


def test_a_greater_k_damps_the_lead_of_the_first_ranks() -> None:
    ranking = Ranking("x", ("a", "b"), (2.0, 1.0))
    for k, lead in ((1, 3 / 2), (60, 62 / 61)):
        first, second = reciprocal_rank([ranking], k=k)
        assert first.score / second.score == pytest.approx(lead)


_ids = st.lists(st.sampled_from("abcdefgh"), unique=True)


@given(_ids, _ids, st.integers(1, 1000))
def test_every_drawer_comes_once_and_its_shares_sum_to_one(first: list[str], second: list[str], k: int) -> None:
    rankings = [Ranking(lane, tuple(ids), (1.0,) * len(ids)) for lane, ids in (("x", first), ("y", second))]
    fused = reciprocal_rank(rankings, k=k)
    assert sorted(hit.id for hit in fused) == sorted({*first, *second})
    assert all(sum(lane.share for lane in hit.lanes.values()) == pytest.approx(1) for hit in fused)
    assert [hit.score for hit in fused] == sorted((hit.score for hit in fused), reverse=True)


def test_weights_are_as_worked_by_hand() -> None:
    words = Ranking("fulltext", ("a", "b"), (7.0, 3.0))
    meaning = Ranking("semantic", ("b", "c"), (0.9, 0.8))
    fused = reciprocal_rank([words, meaning], k=60, weights={"fulltext": 3.0, "semantic": 0.5})
    # b: 3/62 + .5/61, a: 3/61, c: .5/62
    assert [hit.id for hit in fused] == ["b", "a", "c"]
    assert [hit.score for hit in fused] == pytest.approx([0.0565838, 0.0491803, 0.0080645], abs=1e-7)
    assert fused[0].lanes["fulltext"].share == pytest.approx(0.855140, abs=1e-6)
    assert fused[0].lanes["fulltext"].evidence is None


def test_what_only_a_lane_of_weight_zero_saw_is_left_out() -> None:
    words = Ranking("fulltext", ("a",), (7.0,))
    meaning = Ranking("semantic", ("b", "a"), (0.9, 0.8))
    (only,) = reciprocal_rank([words, meaning], weights={"semantic": 0.0})
    assert (only.id, only.score) == ("a", pytest.approx(1 / 61))
    assert only.lanes["semantic"].share == 0


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
    assert best_first(np.tile([0.5, 0.9], 20)).tolist() == [*range(1, 40, 2), *range(0, 40, 2)]
