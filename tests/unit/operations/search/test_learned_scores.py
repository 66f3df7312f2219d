from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pytest

from graphpalace.domain.search.answer import FusedDrawer, LaneScore, LearnedChange, Ranking
from graphpalace.domain.search.evidence import EvidenceScale, Pooling
from graphpalace.domain.search.pseudo_feedback import Rocchio
from graphpalace.fuse.lane_fusion import EvidencePool
from graphpalace.learn.learned import LearnedRanking
from graphpalace.learn.questions import QuestionMemory
from graphpalace.learn.replay import Balance
from graphpalace.operations.search.learned_order import FoundDrawers, MemoryChanges, Rescoring, with_learning
from graphpalace.vectors.drawer_rows import DrawerVectors

EAST = np.array([1, 0], np.float32)
COSINES = {"a": 0.8, "b": 0.6, "c": 0.4, "d": 0.2}
VECTORS = DrawerVectors(list(COSINES), np.array([[c, math.sqrt(1 - c * c)] for c in COSINES.values()], np.float32))
SEMANTIC = Ranking.of("semantic", [(drawer, COSINES[drawer]) for drawer in "abc"])
TEXT = Ranking.of("fulltext", [("c", 9.0), ("b", 3.0)], most=10.0)
NOTHING = LearnedRanking(QuestionMemory([], dimension=2))
TURNED = LearnedRanking(QuestionMemory([], dimension=2), np.array([[0, 1], [-1, 0]], np.float32))
TEXTUAL = LearnedRanking(QuestionMemory([], dimension=2), balance=Balance(0.7))


def fused() -> list[FusedDrawer]:
    return EvidencePool([SEMANTIC, TEXT], Pooling(0.5)).order().first()


def changed(
    learned: LearnedRanking,
    gains: Mapping[str, float],
    losses: Mapping[str, float] | None = None,
    *,
    bound: float = 0.5,
    hits: list[FusedDrawer] | None = None,
    limit: int = 10,
) -> dict[str, tuple[float, LearnedChange]]:
    pairs = with_learning(
        FoundDrawers(fused() if hits is None else hits, ["semantic", "fulltext"], EAST, VECTORS),
        learned,
        MemoryChanges(gains, losses or {}),
        Rescoring(Pooling(0.5), Rocchio(drawers=0, weight=0.0), bound),
        limit=limit,
    )
    assert [pair[0].score for pair in pairs] == sorted((pair[0].score for pair in pairs), reverse=True)
    return {hit.id: (hit.score, change) for hit, change in pairs}


def test_what_learned_nothing_changes_nothing() -> None:
    found = changed(NOTHING, {})
    assert {drawer: score for drawer, (score, _) in found.items()} == {hit.id: hit.score for hit in fused()}
    assert all(
        change == LearnedChange(change.rank, score) and (change.rank or 0) >= 1 for score, change in found.values()
    )


def test_cosines_count_by_the_scale_of_their_model_with_learning_too() -> None:
    pooling = Pooling(0.5, cosines=EvidenceScale(0.4, 0.8))
    hits = EvidencePool([SEMANTIC, TEXT], pooling).order().first()
    rescoring = Rescoring(pooling, Rocchio(drawers=0, weight=0.0), 0.5)
    found = FoundDrawers(hits, ["semantic", "fulltext"], EAST, VECTORS)
    pairs = {hit.id: hit for hit, _ in with_learning(found, NOTHING, MemoryChanges({"d": 0.3}), rescoring, limit=10)}
    assert {drawer: pairs[drawer].score for drawer in "abc"} == pytest.approx({hit.id: hit.score for hit in hits})
    # d came by memory alone: its cosine of .2 is below .4, and so is no evidence.
    assert pairs["d"].score == pytest.approx(0.3)
    assert (pairs["d"].lanes["semantic"].score, pairs["d"].lanes["semantic"].evidence) == (pytest.approx(0.2), 0.0)


def test_a_gain_is_added_and_named() -> None:
    plain = {hit.id: hit.score for hit in fused()}
    found = changed(NOTHING, {"b": 0.2, "c": -0.1})
    assert found["b"][1].memory == pytest.approx(0.2, abs=1e-6)
    assert found["b"][0] == pytest.approx(plain["b"] + 0.2)
    assert found["c"][1].memory == pytest.approx(-0.1, abs=1e-6)
    assert found["a"][0] == pytest.approx(plain["a"])


def test_what_only_memory_knows_joins_the_answer_and_what_it_is_against_does_not() -> None:
    found = changed(NOTHING, {"d": 0.3})
    score, change = found["d"]
    assert (change.rank, score) == (None, pytest.approx(change.score + 0.3))
    assert "d" not in changed(NOTHING, {"d": -0.3})
    assert "gone" not in changed(NOTHING, {"gone": 0.3})


def test_a_loss_is_taken_and_named_and_brings_nothing_into_the_answer() -> None:
    plain = {hit.id: hit.score for hit in fused()}
    found = changed(NOTHING, {"b": 0.2}, {"b": -0.05, "c": -0.1, "d": -0.1})
    assert found["b"][1].memory == pytest.approx(0.2, abs=1e-6)
    assert found["b"][1].others == pytest.approx(-0.05, abs=1e-6)
    assert found["b"][0] == pytest.approx(plain["b"] + 0.15)
    assert found["c"][0] == pytest.approx(plain["c"] - 0.1)
    assert found["a"][1].others == pytest.approx(0, abs=1e-6)
    assert "d" not in found


@pytest.mark.parametrize("limit", [1, 2, 3])
@pytest.mark.parametrize("gain", [-0.5, 0.5])
def test_the_best_with_and_without_learning_are_told(limit: int, gain: float) -> None:
    every = changed(NOTHING, {"c": gain})
    best = [*list(every)[:limit], *(hit.id for hit in fused()[:limit])]
    assert changed(NOTHING, {"c": gain}, limit=limit) == {hit: every[hit] for hit in every if hit in best}


@pytest.mark.parametrize("learned", [NOTHING, TURNED, TEXTUAL], ids=["nothing", "turned", "textual"])
@pytest.mark.parametrize("gain", [-3.0, 0.0, 0.1, 3.0])
def test_no_score_moves_by_more_than_the_bound_and_the_changes_add_up(learned: LearnedRanking, gain: float) -> None:
    for score, change in changed(learned, {"b": gain}, bound=0.25).values():
        assert abs(score - change.score) <= 0.25 + 1e-9
        assert score == pytest.approx(
            change.score + change.question + change.lanes + change.memory + change.others + change.bound
        )
    assert changed(NOTHING, {"b": 3.0}, bound=0.25)["b"][1].bound == pytest.approx(-2.75)


def test_a_shift_favours_what_the_words_found() -> None:
    found = changed(TEXTUAL, {})
    assert found["c"][1].lanes > 0 > found["a"][1].lanes
    assert all(change.question == 0 == change.memory for _, change in found.values())


def test_a_drawer_without_a_vector_yet_keeps_its_score() -> None:
    fresh = FusedDrawer("fresh", 0.9, {"fulltext": LaneScore(1, 9.0, 1.0, evidence=0.9)})
    found = changed(NOTHING, {"b": 0.2}, hits=[fresh, *fused()])
    assert found["fresh"] == (0.9, LearnedChange(1, 0.9))
    assert changed(NOTHING, {"fresh": 0.2}, hits=[fresh]) == {"fresh": (0.9, LearnedChange(1, 0.9))}


def test_a_lane_that_learning_switched_off_says_nothing() -> None:
    names = Ranking.of("entity", [("c", 1.0)])
    hits = EvidencePool([SEMANTIC, TEXT, names], Pooling(0.5)).order().first()
    lanes = ["semantic", "fulltext", "entity"]
    silent = LearnedRanking(QuestionMemory([], dimension=2), balance=Balance(factors={"entity": 0.0}))
    rescoring = Rescoring(Pooling(0.5), Rocchio(drawers=0, weight=0.0), 0.5)
    pairs = with_learning(FoundDrawers(hits, lanes, EAST, VECTORS), silent, MemoryChanges(), rescoring, limit=10)
    assert {hit.id: hit.score for hit, _ in pairs} == pytest.approx({hit.id: hit.score for hit in fused()})
    assert {hit.id: change.score + change.lanes for hit, change in pairs} == pytest.approx(
        {hit.id: hit.score for hit, _ in pairs}
    )
