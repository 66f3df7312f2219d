"""The whole fusion on a handful of documents."""

from __future__ import annotations

from dataclasses import replace
from math import exp, log2

import pytest

from graphpalace.domain.runs.run import DrawerColumns, LaneRanking
from graphpalace.domain.search.fusion_plan import Constants, Plan
from graphpalace.errors import InvalidInput
from graphpalace.fuse.blend import BlendResult, blend

PLAN = Plan({"code": 0.5}, 60, 1.0, {}, {}, (1, 2, 4), "none", Constants(alpha={"fulltext": 0.3, "semantic": 0.3}))
MEMBERS = DrawerColumns(
    ("a", "b", "c", "d"),
    ("a", "b", "c", "d"),
    ("x", "x", "y", "z"),
    ("", "", "f", "f"),
    (("ipc:H04L9/32",), ("ipc:H04L9/32",), ("ipc:G06F21/60",), ()),
)
RUNS = [LaneRanking("fulltext-1", "fulltext", ["c", "a"]), LaneRanking("semantic-1", "semantic", ["d", "c", "b"])]


def fused(plan: Plan = PLAN, runs: list[LaneRanking] | None = None) -> BlendResult:
    return blend(runs or RUNS, MEMBERS, plan, codes_top_n=9, contributions_top=2)


def test_without_a_profile_it_is_plain_reciprocal_rank() -> None:
    found = fused()
    assert found.ids == ("c", "d", "a", "b")
    assert found.scores == pytest.approx((1 / 61 + 1 / 62, 1 / 61, 1 / 62, 1 / 63))
    assert found.contributions["d"] == pytest.approx({"semantic": 100.0})
    assert len(found.contributions) == 2
    assert found.counts == {"ipc": {"H04L9/32": 2, "G06F21/60": 1}}
    assert [point.k for point in found.frontier] == [1, 2, 4]


def test_two_runs_of_one_lane_stay_two() -> None:
    runs = [LaneRanking("fulltext-1", "fulltext", ["a"]), LaneRanking("fulltext-2", "fulltext", ["a", "b"])]
    found = fused(replace(PLAN, weights={"fulltext-2": 2.0}), runs)
    assert found.scores == pytest.approx((1 / 61 + 2 / 61, 2 / 62))
    assert found.contributions["a"] == pytest.approx({"fulltext-1": 100 / 3, "fulltext-2": 200 / 3})
    assert found.contributions["b"] == pytest.approx({"fulltext-2": 100.0})


def test_a_run_of_the_lane_of_codes_is_kept_apart_from_what_codes_add() -> None:
    plan = replace(PLAN, target_profile={"ipc": {"H04L": 1.0}}, beta_fuse=0.0)
    found = fused(plan, [LaneRanking("code-1", "code", ["a"]), LaneRanking("fulltext-1", "fulltext", ["a"])])
    # .5 / 61 of the run, whose lane has the weight .5; 1.3 / 61 of the boosted lane; .5 / 61 of the fusion's codes.
    assert found.contributions["a"] == pytest.approx({"code-1": 50 / 2.3, "fulltext": 100 / 2.3, "code": 80 / 2.3})


def test_only_the_best_of_a_lane_count_where_it_is_cut() -> None:
    assert fused(replace(PLAN, top_m_per_lane={"semantic": 1})).ids == ("c", "d", "a")


def test_codes_boost_documents_lanes_and_make_a_lane_of_their_own() -> None:
    plan = replace(PLAN, target_profile={"ipc": {"H04L": 1.0}})
    found = fused(plan, [LaneRanking("fulltext-1", "fulltext", ["c", "a"])])
    # F = {H04L: 1, G06F21/60: 1}, so cos = 1 / sqrt 2; a has g = 1 and is first in the lane of codes.
    gain = 1 + 1 / 2**0.5
    assert dict(zip(found.ids, found.scores, strict=True)) == pytest.approx(
        {"a": 1 / 62 * gain * 1.3 + 0.5 / 61, "c": 1 / 61 * gain}
    )
    assert sum(found.contributions["a"].values()) == pytest.approx(100)
    assert found.contributions["a"]["code"] == pytest.approx(100 * (1 - 1 / 62 / found.scores[0]))


def test_the_codes_of_a_lane_are_those_of_its_own_documents() -> None:
    found = fused(replace(PLAN, target_profile={"ipc": {"H04L": 1.0}}))
    # Each lane has one document with H04L and one with G06F21/60; a and b, which have the codes, tie in their lane.
    gain = 1 + 1 / 2**0.5
    assert dict(zip(found.ids, found.scores, strict=True)) == pytest.approx(
        {
            "a": 1 / 62 * gain * 1.3 + 0.5 / 61,
            "b": 1 / 63 * gain * 1.3 + 0.5 / 62,
            "c": (1 / 61 + 1 / 62) * gain,
            "d": 1 / 61 * gain,
        }
    )


def test_the_weight_and_the_depth_of_a_run_go_before_those_of_its_lane() -> None:
    plan = replace(PLAN, weights={"fulltext": 3.0, "fulltext-1": 2.0}, top_m_per_lane={"fulltext": 1, "fulltext-1": 2})
    found = fused(plan, [LaneRanking("fulltext-1", "fulltext", ["a", "b"])])
    assert found.scores == pytest.approx((2 / 61, 2 / 62))


def test_the_frontier_and_the_metrics_are_of_the_fused_order() -> None:
    plan = replace(PLAN, target_profile={"ipc": {"H04L": 1.0}})
    found = fused(plan, [LaneRanking("fulltext-1", "fulltext", ["c", "a"])])
    a, c = found.scores
    one, two, four = found.frontier
    # The overlaps are 1 of a and 0 of c, so z is 1 and -1; a covers the whole profile.
    likely = 1 / (1 + exp(-(5 - 2.5 + 0.5))), 1 / (1 + exp(-(5 * c / a - 2.5 - 0.5)))
    assert (one.P_star, one.R_star) == pytest.approx((likely[0], 0.5 + 0.5 * a / (a + c)))
    assert (two.P_star, two.R_star) == (four.P_star, four.R_star) == pytest.approx((sum(likely) / 2, 1.0))
    # Without a profile, a and c have a code each, of which the best document covers one.
    plain = fused(PLAN, [LaneRanking("fulltext-1", "fulltext", ["c", "a"])])
    assert plain.frontier[0].R_star == pytest.approx(0.5 * 0.5 + 0.5 * 62 / (61 + 62))


def test_metrics_see_the_lanes_the_codes_and_the_scores() -> None:
    found = fused()
    assert found.metrics.lane_agreement == pytest.approx(1 / 4)  # c of a, b, c, d
    assert found.metrics.code_concentration == pytest.approx(1 + (2 / 3 * log2(2 / 3) + 1 / 3 * log2(1 / 3)))
    assert found.metrics.score_shape == pytest.approx(1 - found.scores[3] / sum(found.scores))


def test_metrics_are_of_the_best_fifty() -> None:
    ids = tuple(f"d{at:02}" for at in range(51))
    members = DrawerColumns(ids, ids, ids, ("",) * 51, (("ipc:A",),) * 49 + (("ipc:B",),) * 2)
    found = blend([LaneRanking("f", "fulltext", list(ids))], members, PLAN, codes_top_n=9, contributions_top=2)
    assert found.counts == {"ipc": {"A": 49, "B": 2}}
    entropy = -(49 / 50 * log2(49 / 50) + 1 / 50 * log2(1 / 50))
    assert found.metrics.code_concentration == pytest.approx(1 - entropy)
    assert found.metrics.score_shape == pytest.approx(sum(found.scores[:3]) / sum(found.scores[:50]))


def test_a_lane_without_a_constant_is_not_boosted_and_without_a_weight_codes_make_no_lane() -> None:
    plan = replace(PLAN, weights={}, beta_fuse=0.0, target_profile={"ipc": {"H04L": 1.0}})
    found = fused(plan, [LaneRanking("path-1", "path", ["c", "a"])])
    assert found.scores == pytest.approx((1 / 61, 1 / 62))


@pytest.mark.parametrize(("share", "recall"), [(0.5, 0.5 * 0.3 + 0.5), (0.25, 0.5 * 0.15 + 0.5)])
def test_codes_that_are_wider_than_the_wanted_one_count_by_the_plan(share: float, recall: float) -> None:
    # G06F is three of the five levels of G06F21/60.
    members = DrawerColumns(("a",), ("a",), ("x",), ("",), (("ipc:G06F",),))
    plan = replace(PLAN, target_profile={"ipc": {"G06F21/60": 1.0}}, constants=Constants(broader_share=share))
    found = blend([LaneRanking("f", "fulltext", ["a"])], members, plan, codes_top_n=9, contributions_top=2)
    assert found.frontier[0].R_star == pytest.approx(recall)


@pytest.mark.parametrize(
    ("fold", "ids", "others"),
    [
        ("none", ("c", "d", "a", "b"), {}),
        ("closet", ("c", "d", "a"), {"a": ("b",)}),
        ("family", ("c", "a", "b"), {"c": ("d",)}),
    ],
)
def test_the_best_of_a_family_stays_and_the_others_are_noted(
    fold: str, ids: tuple[str, ...], others: dict[str, tuple[str, ...]]
) -> None:
    found = fused(replace(PLAN, fold=fold))  # pyright: ignore[reportArgumentType]
    assert (found.ids, found.folded) == (ids, others)


def test_an_empty_fusion_is_empty() -> None:
    found = fused(PLAN, [LaneRanking("fulltext-1", "fulltext", [])])
    assert (found.ids, found.scores, found.frontier, found.counts) == ((), (), (), {})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"weights": {"fultext": 1.0}}, "weights names 'fultext'; it may name code, fulltext"),
        ({"weights": {"fulltext": 0, "semantic": 0}}, "weights are all 0"),
        ({"weights": {"fulltext": -1}}, "weights.fulltext is -1; it must be 0 to 1000"),
        ({"weights": {"fulltext": float("nan")}}, "weights.fulltext is nan"),
        ({"top_m_per_lane": {"semantic": 10001}}, "top_m_per_lane.semantic is 10001; it must be 1 to 10000"),
        ({"rrf_k": 0}, "rrf_k is 0; it must be 1 to 1000"),
        ({"beta_fuse": 11}, "beta_fuse is 11; it must be 0 to 10"),
        ({"target_profile": {"upc": {"1": 1}}}, "target_profile names 'upc'; it may name any, cpc, fi, ft, ipc"),
        ({"target_profile": {"ipc": {"H04L": 0}}}, "target_profile.ipc.H04L is 0; it must be above 0"),
        ({"target_profile": {"ipc": {" ": 1}}}, "target_profile.ipc has the code ' '; it must be a section"),
        (
            {"target_profile": {"ipc": {"ZZZ??": 1}}},
            "target_profile.ipc has the code 'ZZZ??'; it must be a section",
        ),
        ({"target_profile": {"fi": {"H04L9/3Q,2": 1}}}, "target_profile.fi has the code 'H04L9/3Q,2'; it must be"),
        ({"target_profile": {"ft": {"K067": 1}}}, "target_profile.ft has the code 'K067'; it must be a theme (5K067)"),
        ({"target_profile": {"any": {"ZZZ??": 1}}}, "target_profile.any has the code 'ZZZ??'; it must be letters"),
        ({"k_grid": ()}, "k_grid has 0 values"),
        ({"k_grid": (0,)}, "k_grid is 0; it must be 1 to 10000"),
        ({"fold": "room"}, "fold is 'room'; it must be one of none, closet, family"),
    ],
)
def test_a_plan_that_cannot_be_used_is_refused(change: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidInput) as error:
        PLAN.changed(change).checked([("fulltext", "fulltext-1"), ("semantic", "semantic-1")])
    assert said in error.value.message


def test_a_plan_survives_its_recipe() -> None:
    plan = replace(PLAN, target_profile={"ipc": {"H04L": 0.7}})
    assert Plan.from_recipe(plan.as_recipe()) == plan
