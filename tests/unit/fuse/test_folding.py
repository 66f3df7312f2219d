"""Runs of drawers, fused as runs of documents."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphpalace.domain.runs.run import DrawerColumns, LaneRanking
from graphpalace.domain.search.fusion_plan import Constants, Plan
from graphpalace.fuse.blend import best_of_each, blend, with_one_drawer_each

PLAN = Plan({}, 60, 1.0, {}, {}, (1, 2, 4), "none", Constants())
DRAWERS = tuple(f"{document}{at}" for document in "abcd" for at in (1, 2, 3))
DOCUMENT_OF = {drawer: drawer[0] for drawer in DRAWERS}
MEMBERS = DrawerColumns(DRAWERS, tuple(DOCUMENT_OF.values()), tuple(DOCUMENT_OF.values()), ("",) * 12, ((),) * 12)


def test_ranks_of_a_document_add_up_where_its_best_drawers_differ() -> None:
    # Of documents a lane ranks a, b and the other b, c: b is second and first.
    runs = [LaneRanking("f", "fulltext", ["a1", "b1"]), LaneRanking("s", "semantic", ["b2", "c1"])]
    found = blend(runs, MEMBERS, PLAN, codes_top_n=1, contributions_top=9)
    assert found.ids == ("b2", "a1", "c1")  # b2 gives 1 / 61, b1 only 1 / 62
    assert found.scores == pytest.approx((1 / 62 + 1 / 61, 1 / 61, 1 / 62))
    assert found.contributions["b2"] == pytest.approx({"fulltext": 100 * 61 / 123, "semantic": 100 * 62 / 123})


def test_the_drawer_of_the_run_that_gives_the_most_is_shown() -> None:
    runs = [LaneRanking("f", "fulltext", ["a1"]), LaneRanking("s", "semantic", ["b1", "a2"])]
    one, other = with_one_drawer_each(runs, DOCUMENT_OF, PLAN)
    assert (one.ids, other.ids) == (["a1"], ["b1", "a1"])
    heavy = PLAN.changed({"weights": {"semantic": 2.0}})
    assert [list(run.ids) for run in with_one_drawer_each(runs, DOCUMENT_OF, heavy)] == [["a2"], ["b1", "a2"]]
    own = PLAN.changed({"weights": {"semantic": 3.0, "s": 0.1}})  # which goes before the weight of its lane
    assert [list(run.ids) for run in with_one_drawer_each(runs, DOCUMENT_OF, own)] == [["a1"], ["b1", "a1"]]
    even = [LaneRanking("f", "fulltext", ["a2"]), LaneRanking("s", "semantic", ["a1"])]
    assert [list(run.ids) for run in with_one_drawer_each(even, DOCUMENT_OF, PLAN)] == [["a1"], ["a1"]]


@pytest.mark.parametrize(("weight", "shown"), [(1.8, "a1"), (2.5, "a2")])
def test_ranks_are_counted_from_one(weight: float, shown: str) -> None:
    # With k = 1, a1 gives 1 / 2, and a2 at the third rank weight / 4.
    plan = replace(PLAN, rrf_k=1, weights={"semantic": weight})
    runs = [LaneRanking("f", "fulltext", ["a1"]), LaneRanking("s", "semantic", ["b1", "c1", "a2"])]
    assert list(with_one_drawer_each(runs, DOCUMENT_OF, plan)[0].ids) == [shown]


def test_a_lane_is_cut_after_documents() -> None:
    runs = [LaneRanking("f", "fulltext", ["a1", "a2", "b1", "c1"])]
    (cut,) = with_one_drawer_each(runs, DOCUMENT_OF, PLAN.changed({"top_m_per_lane": {"fulltext": 2}}))
    assert cut.ids == ["a1", "b1"]


_ranking = st.lists(st.sampled_from(DRAWERS), unique=True)


@settings(deadline=None)
@given(st.lists(st.tuples(_ranking, st.floats(0.1, 10)), min_size=1, max_size=4))
def test_a_fusion_is_that_of_the_documents_each_once(given: list[tuple[list[str], float]]) -> None:
    runs = [LaneRanking(f"run-{at}", "fulltext", ids) for at, (ids, _) in enumerate(given)]
    plan = PLAN.changed({"weights": {f"run-{at}": weight for at, (_, weight) in enumerate(given)}})
    found = blend(runs, MEMBERS, plan, codes_top_n=1, contributions_top=9)
    expected: dict[str, float] = {}
    for ids, weight in given:
        for rank, document in enumerate(dict.fromkeys(drawer[0] for drawer in ids), start=1):
            expected[document] = expected.get(document, 0.0) + weight / (60 + rank)
    scores = {drawer[0]: score for drawer, score in zip(found.ids, found.scores, strict=True)}
    assert scores == pytest.approx(expected)
    assert len(found.ids) == len(expected)
    everyone = {drawer for ids, _ in given for drawer in ids}
    assert set(found.ids) <= everyone
    assert best_of_each(sorted(everyone), DOCUMENT_OF) == sorted(min(found_ids) for found_ids in _grouped(everyone))


def _grouped(drawers: set[str]) -> list[list[str]]:
    return [[one for one in drawers if one[0] == document] for document in {one[0] for one in drawers}]
