from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.ranking import Fused, Ranking
from graphpalace.fuse.evidence import EvidencePool

# Of at most 10, so a's evidence is .8 by its words and .2 by its meaning; b's is .5 and .5, c's 0 and .9.
WORDS = Ranking("fulltext", ("a", "b"), (8.0, 5.0), most=10.0)
MEANING = Ranking("semantic", ("c", "b", "a"), (0.9, 0.5, 0.2))


def _ids(fused: list[Fused]) -> list[str]:
    return [hit.id for hit in fused]


def test_scores_and_shares_are_as_worked_by_hand() -> None:
    fused = EvidencePool([WORDS, MEANING], temperature=0.5).fused()
    # a: .5 ln((e^1.6 + e^.4) / 2), b: .5 ln(e), c: .5 ln((1 + e^1.8) / 2)
    assert _ids(fused) == ["c", "a", "b"]
    assert [hit.score for hit in fused] == pytest.approx([0.629915, 0.585068, 0.5], abs=1e-6)
    a = fused[1].lanes
    # e^1.6 - 1 = 3.953032 of the words, e^.4 - 1 = .491825 of the meaning
    assert (a["fulltext"].share, a["semantic"].share) == pytest.approx((0.889350, 0.110650), abs=1e-6)
    assert (a["fulltext"].rank, a["fulltext"].score, a["fulltext"].evidence) == (1, 8.0, 0.8)
    assert (a["semantic"].rank, a["semantic"].score, a["semantic"].evidence) == (3, 0.2, 0.2)
    assert fused[0].lanes.keys() == {"semantic"}


def test_weights_are_as_worked_by_hand() -> None:
    fused = {hit.id: hit for hit in EvidencePool([WORDS, MEANING], weights={"fulltext": 3.0}).fused()}
    # .5 ln((3 e^1.6 + e^.4) / 4)
    assert fused["a"].score == pytest.approx(0.703995, abs=1e-6)
    assert fused["b"].score == pytest.approx(0.5)


def test_at_a_high_temperature_the_weighted_mean_decides() -> None:
    fused = EvidencePool([WORDS, MEANING], temperature=1000.0).fused()
    assert _ids(fused) == ["a", "b", "c"]  # a is ahead of b, of the same mean, by its surer lane
    assert [hit.score for hit in fused] == pytest.approx([0.5, 0.5, 0.45], abs=1e-3)
    weighted = EvidencePool([WORDS, MEANING], temperature=1000.0, weights={"semantic": 3.0}).fused()
    assert [(hit.id, round(hit.score, 3)) for hit in weighted] == [("c", 0.675), ("b", 0.5), ("a", 0.35)]


def test_at_a_low_temperature_the_surest_lane_decides() -> None:
    fused = EvidencePool([WORDS, MEANING], temperature=0.01).fused()
    assert _ids(fused) == ["c", "a", "b"]
    assert [hit.score for hit in fused] == pytest.approx([0.9, 0.8, 0.5], abs=0.01)
    assert fused[1].lanes["fulltext"].share == pytest.approx(1)


def test_a_lane_of_weight_zero_counts_for_nothing() -> None:
    alone = EvidencePool([WORDS]).fused()
    for semantic in (MEANING, replace(MEANING, scores=(0.1, 0.1, 0.1))):
        looked_up = {"semantic": {"a": 0.7}}
        weights = {"semantic": 0.0}
        assert EvidencePool([WORDS, semantic], weights=weights, looked_up=looked_up).fused(looked_up) == alone
    assert EvidencePool([MEANING], weights={"semantic": 0.0}).fused() == []


def test_a_looked_up_score_counts_without_a_rank_and_only_where_the_lane_saw_nothing() -> None:
    short = Ranking("semantic", ("c",), (0.9,))
    looked_up = {"semantic": {"a": 0.2, "b": 0.5, "c": 0.1, "unknown": 1.0}}
    fused = EvidencePool([WORDS, short], looked_up=looked_up).fused()
    assert [(hit.id, hit.score) for hit in fused] == [
        (hit.id, hit.score) for hit in EvidencePool([WORDS, MEANING]).fused()
    ]  # as if its ranking had been longer
    by_id = {hit.id: hit.lanes["semantic"] for hit in fused}
    assert (by_id["a"].rank, by_id["a"].score, by_id["a"].evidence) == (None, 0.2, 0.2)
    assert (by_id["c"].rank, by_id["c"].score) == (1, 0.9)
    assert EvidencePool([WORDS], looked_up=looked_up).fused() == EvidencePool([WORDS]).fused()  # the lane was not asked


def test_a_better_score_is_the_evidence_and_the_lanes_own_is_still_told() -> None:
    (c, *_) = EvidencePool([WORDS, MEANING]).fused({"semantic": {"c": 0.95, "unknown": 1.0}})
    assert (c.id, c.lanes["semantic"].score, c.lanes["semantic"].evidence) == ("c", 0.9, 0.95)


def test_what_is_below_nothing_or_above_the_most_is_cut() -> None:
    low, high = EvidencePool([Ranking("x", ("low",), (-0.5,)), Ranking("y", ("high",), (9.0,), most=3.0)]).fused()[::-1]
    assert (low.score, low.lanes["x"].evidence, low.lanes["x"].share) == (0.0, 0.0, 1.0)
    assert high.lanes["y"].evidence == 1.0


def test_the_best_are_the_first_of_all() -> None:
    pool = EvidencePool([WORDS, MEANING])
    assert pool.best(2) == _ids(pool.fused())[:2] == ["c", "a"]
    rescored = {"semantic": {"b": 1.0}}
    assert pool.fused(rescored, limit=2) == pool.fused(rescored)[:2]
    assert _ids(pool.fused(rescored)) == ["b", "c", "a"]  # and the pool is as it was
    assert pool.best(3) == ["c", "a", "b"]


def test_equal_scores_are_ordered_by_id() -> None:
    assert _ids(EvidencePool([Ranking("x", ("b",), (0.5,)), Ranking("y", ("a",), (0.5,))]).fused()) == ["a", "b"]


def test_no_rankings_give_nothing() -> None:
    assert EvidencePool([]).fused() == []
    assert EvidencePool([Ranking("fulltext", (), ())]).fused() == []


# Rounded, so that none is so near to 0 that a change of scale loses digits.
_scores = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(-1, 1).map(lambda score: round(score, 9)))
_lanes = st.fixed_dictionaries({"fulltext": _scores, "semantic": _scores, "path": _scores})
_weights = st.fixed_dictionaries(
    {lane: st.one_of(st.just(0.0), st.floats(1e-3, 1000)) for lane in ("fulltext", "semantic", "path")}
)
_temperatures = st.floats(0.01, 100)


def _rankings(lanes: dict[str, dict[str, float]]) -> list[Ranking]:
    return [Ranking.of(lane, list(scores.items())) for lane, scores in lanes.items()]


@given(_lanes, _weights, _temperatures)
def test_every_drawer_of_a_weighted_lane_comes_once_in_order(
    lanes: dict[str, dict[str, float]], weights: dict[str, float], temperature: float
) -> None:
    fused = EvidencePool(_rankings(lanes), weights=weights, temperature=temperature).fused()
    assert sorted(_ids(fused)) == sorted({drawer for lane in lanes if weights[lane] for drawer in lanes[lane]})
    assert [(-hit.score, hit.id) for hit in fused] == sorted((-hit.score, hit.id) for hit in fused)
    for hit in fused:
        assert 0 <= hit.score <= 1 + 1e-9
        assert sum(lane.share for lane in hit.lanes.values()) == pytest.approx(1)
        evidence = [lane.evidence or 0.0 for lane in hit.lanes.values()]
        assert min(0.0, *evidence) - 1e-9 <= hit.score <= max(evidence) + 1e-9


@given(_lanes, _weights, _temperatures, st.sampled_from("abcdefgh"), st.floats(0, 2))
def test_more_evidence_never_lowers_a_drawer(
    lanes: dict[str, dict[str, float]], weights: dict[str, float], temperature: float, drawer: str, more: float
) -> None:
    raised = lanes | {"semantic": lanes["semantic"] | {drawer: max(lanes["semantic"].get(drawer, 0.0), 0.0) + more}}
    before = EvidencePool(_rankings(lanes), weights=weights, temperature=temperature).fused()
    after = EvidencePool(_rankings(raised), weights=weights, temperature=temperature).fused()
    was = {hit.id: hit.score for hit in before}
    now = {hit.id: hit.score for hit in after}
    assert all(now[other] == pytest.approx(score, abs=1e-9) for other, score in was.items() if other != drawer)
    assert now.get(drawer, 0.0) >= was.get(drawer, 0.0) - 1e-9


@given(_lanes, _temperatures, st.integers(-20, 20))
def test_a_lane_of_another_scale_fuses_the_same(
    lanes: dict[str, dict[str, float]], temperature: float, power: int
) -> None:
    rankings = _rankings(lanes)
    factor = math.ldexp(1, power)
    first = rankings[0]
    scaled = replace(first, scores=tuple(score * factor for score in first.scores), most=first.most * factor)
    plain = EvidencePool(rankings, temperature=temperature).fused()
    other = EvidencePool([scaled, *rankings[1:]], temperature=temperature).fused()
    assert [(hit.id, hit.score) for hit in other] == [(hit.id, hit.score) for hit in plain]
