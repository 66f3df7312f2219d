"""The whole fusion on a handful of documents."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graphpalace.domain.search.fusion_plan import Constants, Plan
from graphpalace.domain.search.run import DrawerColumns, LaneRanking
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
