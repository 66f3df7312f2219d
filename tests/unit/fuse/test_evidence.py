from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.search.answer import FusedDrawer, Ranking
from graphpalace.domain.search.evidence import EvidenceScale, Pooling
from graphpalace.fuse.lane_fusion import EvidencePool, Lookup

# Of at most 10, so a's evidence is .8 by its words and .2 by its meaning; b's is .5 and .5, c's 0 and .9.
WORDS = Ranking("code", ("a", "b"), (8.0, 5.0), most=10.0)
MEANING = Ranking("semantic", ("c", "b", "a"), (0.9, 0.5, 0.2))
HALF = Pooling(0.5)


def _fused(
    rankings: Sequence[Ranking],
    pooling: Pooling = HALF,
    *,
    looked_up: Lookup | None = None,
    rescored: Lookup | None = None,
) -> list[FusedDrawer]:
    return EvidencePool(rankings, pooling, looked_up=looked_up).order(rescored).first()


def _ids(fused: list[FusedDrawer]) -> list[str]:
    return [hit.id for hit in fused]


def test_scores_and_shares_are_as_worked_by_hand() -> None:
    fused = _fused([WORDS, MEANING], Pooling(0.5))
    # a: .5 ln((e^1.6 + e^.4) / 2), b: .5 ln(e), c: .5 ln((1 + e^1.8) / 2)
    assert _ids(fused) == ["c", "a", "b"]
    assert [hit.score for hit in fused] == pytest.approx([0.629915, 0.585068, 0.5], abs=1e-6)
    a = fused[1].lanes
    # e^1.6 - 1 = 3.953032 of the words, e^.4 - 1 = .491825 of the meaning
    assert (a["code"].share, a["semantic"].share) == pytest.approx((0.889350, 0.110650), abs=1e-6)
    assert (a["code"].rank, a["code"].score, a["code"].evidence) == (1, 8.0, 0.8)
    assert (a["semantic"].rank, a["semantic"].score, a["semantic"].evidence) == (3, 0.2, 0.2)
    assert fused[0].lanes.keys() == {"semantic"}


def test_cosines_count_by_the_scale_of_their_model_and_are_shown_as_they_are() -> None:
    looked_up, rescored = {"semantic": {"b": 0.65}}, {"semantic": {"c": 0.65}}
    scaled = Pooling(0.5, cosines=EvidenceScale(0.4, 0.9))
    fused = {hit.id: hit for hit in _fused([WORDS, MEANING], scaled)}
    # Evidence by meaning: a (.2 - .4) / .5, so 0; b .2; c 1. Evidence by words: a .8, b .5.
    assert {drawer: hit.lanes["semantic"].evidence for drawer, hit in fused.items()} == pytest.approx(
        {"a": 0.0, "b": 0.2, "c": 1.0}
    )
    assert fused["a"].score == pytest.approx(0.5 * math.log((math.exp(1.6) + 1) / 2))
    assert fused["b"].score == pytest.approx(0.5 * math.log((math.exp(1.0) + math.exp(0.4)) / 2))
    assert fused["c"].score == pytest.approx(0.5 * math.log((1 + math.exp(2.0)) / 2))
    assert fused["c"].lanes["semantic"].score == 0.9
    semantic = Ranking("semantic", ("c",), (0.9,))
    later = {hit.id: hit for hit in _fused([WORDS, semantic], scaled, looked_up=looked_up, rescored=rescored)}
    assert (later["b"].lanes["semantic"].evidence, later["c"].lanes["semantic"].evidence) == pytest.approx((0.5, 0.5))
    assert (later["b"].lanes["semantic"].score, later["c"].lanes["semantic"].score) == (0.65, 0.9)


@pytest.mark.parametrize(
    ("lane", "evidence"), [("fulltext", 0.5 ** (5 / 3)), ("expanded", 0.5 ** (5 / 3)), ("path", 0.5)]
)
def test_few_shared_words_are_worth_less_than_their_share(lane: str, evidence: float) -> None:
    # 6 of 12 by BM25: 1/2 to the power 1 + 12 / (12 + 6)
    (only,) = _fused([Ranking(lane, ("a",), (6.0,), most=12.0)])
    assert only.lanes[lane].evidence == pytest.approx(evidence)


def test_lanes_that_say_little_share_a_score_by_their_gains() -> None:
    (only,) = _fused([Ranking("code", ("a",), (0.1,)), Ranking("path", ("a",), (0.2,))])
    # e^.2 - 1 = .221403 and e^.4 - 1 = .491825
    assert only.lanes["code"].share == pytest.approx(0.310424, abs=1e-6)


def test_some_drawers_are_found_among_all_in_the_order_of_all() -> None:
    order = EvidencePool([WORDS, MEANING], HALF).order()
    assert list(order.ids()) == ["c", "a", "b"]
    assert order.of({"b", "c", "nowhere"}) == [order.first()[0], order.first()[2]]


def test_weights_are_as_worked_by_hand() -> None:
    fused = {hit.id: hit for hit in _fused([WORDS, MEANING], Pooling(0.5, weights={"code": 3.0}))}
    # .5 ln((3 e^1.6 + e^.4) / 4)
    assert fused["a"].score == pytest.approx(0.703995, abs=1e-6)
    assert fused["b"].score == pytest.approx(0.5)


def test_at_a_high_temperature_the_weighted_mean_decides() -> None:
    fused = _fused([WORDS, MEANING], Pooling(1000.0))
    assert _ids(fused) == ["a", "b", "c"]  # a is ahead of b, of the same mean, by its surer lane
    assert [hit.score for hit in fused] == pytest.approx([0.5, 0.5, 0.45], abs=1e-3)
    weighted = _fused([WORDS, MEANING], Pooling(1000.0, {"semantic": 3.0}))
    assert [(hit.id, round(hit.score, 3)) for hit in weighted] == [("c", 0.675), ("b", 0.5), ("a", 0.35)]


def test_at_a_low_temperature_the_surest_lane_decides() -> None:
    fused = _fused([WORDS, MEANING], Pooling(0.01))
    assert _ids(fused) == ["c", "a", "b"]
    assert [hit.score for hit in fused] == pytest.approx([0.9, 0.8, 0.5], abs=0.01)
    assert fused[1].lanes["code"].share == pytest.approx(1)


def test_a_lane_of_weight_zero_counts_for_nothing() -> None:
    alone = _fused([WORDS])
    for semantic in (MEANING, replace(MEANING, scores=(0.1, 0.1, 0.1))):
        looked_up = {"semantic": {"a": 0.7}}
        weights = {"semantic": 0.0}
        assert (
            _fused([WORDS, semantic], Pooling(0.5, weights=weights), looked_up=looked_up, rescored=looked_up) == alone
        )
    assert _fused([MEANING], Pooling(0.5, weights={"semantic": 0.0})) == []


def test_a_looked_up_score_counts_without_a_rank_and_only_where_the_lane_saw_nothing() -> None:
    short = Ranking("semantic", ("c",), (0.9,))
    looked_up = {"semantic": {"a": 0.2, "b": 0.5, "c": 0.1, "unknown": 1.0}}
    fused = _fused([WORDS, short], looked_up=looked_up)
    assert [(hit.id, hit.score) for hit in fused] == [
        (hit.id, hit.score) for hit in _fused([WORDS, MEANING])
    ]  # as if its ranking had been longer
    by_id = {hit.id: hit.lanes["semantic"] for hit in fused}
    assert (by_id["a"].rank, by_id["a"].score, by_id["a"].evidence) == (None, 0.2, 0.2)
    assert (by_id["c"].rank, by_id["c"].score) == (1, 0.9)
    assert _fused([WORDS], looked_up=looked_up) == _fused([WORDS])  # the lane was not asked


def test_a_better_score_is_the_evidence_and_the_lanes_own_is_still_told() -> None:
    (c, *_) = _fused([WORDS, MEANING], rescored={"semantic": {"c": 0.95, "unknown": 1.0}})
    assert (c.id, c.lanes["semantic"].score, c.lanes["semantic"].evidence) == ("c", 0.9, 0.95)


def test_what_is_below_nothing_or_above_the_most_is_cut() -> None:
    low, high = _fused([Ranking("x", ("low",), (-0.5,)), Ranking("y", ("high",), (9.0,), most=3.0)])[::-1]
    assert (low.score, low.lanes["x"].evidence, low.lanes["x"].share) == (0.0, 0.0, 1.0)
    assert high.lanes["y"].evidence == 1.0


def test_the_best_are_the_first_of_all() -> None:
    pool = EvidencePool([WORDS, MEANING], HALF)
    assert pool.best(2) == _ids(pool.order().first())[:2] == ["c", "a"]
    rescored = {"semantic": {"b": 1.0}}
    assert pool.order(rescored).first(2) == pool.order(rescored).first()[:2]
    assert _ids(pool.order(rescored).first()) == ["b", "c", "a"]  # and the pool is as it was
    assert pool.best(3) == ["c", "a", "b"]


def test_equal_scores_are_ordered_by_id() -> None:
    assert _ids(_fused([Ranking("x", ("b",), (0.5,)), Ranking("y", ("a",), (0.5,))])) == [
        "a",
        "b",
    ]


def test_no_rankings_give_nothing() -> None:
    assert _fused([]) == []
    assert _fused([Ranking("code", (), ())]) == []


# Rounded, so that none is so near to 0 that a change of scale loses digits.
_scores = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(-1, 1).map(lambda score: round(score, 9)))
_lanes = st.fixed_dictionaries({"code": _scores, "semantic": _scores, "path": _scores})
_weights = st.fixed_dictionaries(
    {lane: st.one_of(st.just(0.0), st.floats(1e-3, 1000)) for lane in ("code", "semantic", "path")}
)
_temperatures = st.floats(0.01, 100)


def _rankings(lanes: dict[str, dict[str, float]]) -> list[Ranking]:
    return [Ranking.of(lane, list(scores.items())) for lane, scores in lanes.items()]


@given(_lanes, _weights, _temperatures)
def test_every_drawer_of_a_weighted_lane_comes_once_in_order(
    lanes: dict[str, dict[str, float]], weights: dict[str, float], temperature: float
) -> None:
    fused = _fused(_rankings(lanes), Pooling(temperature, weights))
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
    before = _fused(_rankings(lanes), Pooling(temperature, weights))
    after = _fused(_rankings(raised), Pooling(temperature, weights))
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
    plain = _fused(rankings, Pooling(temperature))
    other = _fused([scaled, *rankings[1:]], Pooling(temperature))
    assert [(hit.id, hit.score) for hit in other] == [(hit.id, hit.score) for hit in plain]
