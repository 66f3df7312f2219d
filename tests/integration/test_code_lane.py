"""The lane of codes and the walking lane, in searches and as runs, on a real Neo4j."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.spare_palaces import spare_name

from graphpalace.app import GraphPalace
from graphpalace.domain.search.answer import Ranking, SearchPlan
from graphpalace.domain.search.conditions import conditions_of
from graphpalace.domain.search.request import SearchRequest, plan_of
from graphpalace.errors import EmptyQuery, InvalidInput
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.operations.runs.fusion_runs import LaneRunChoice
from graphpalace.operations.runs.lane_runs import LaneQuestion
from graphpalace.operations.search.lanes.code import CodeLane
from graphpalace.operations.search.lanes.lane import LaneQuery
from graphpalace.replica.places import filter_of
from graphpalace.settings.load import Settings

# number, codes of the CPC, office, what it is about
KEYS = [
    ("US1", ["H04L9/32", "G06F21/60"], "US", "a cipher key opens the lock"),
    ("US2", ["H04L9/32"], "US", "a cipher wheel turns"),
    ("JP3", ["H04L9/32"], "JP", "a key is sent over a network"),
    ("JP4", ["H04L"], "JP", "a message is signed"),
    ("EP5", ["A01B1/02"], "EP", "a spade digs a cipher into the soil"),
]
WANTED = {"cpc": {"H04L9/32": 3.0, "G06F21/60": 1.0}}
# US1 has both; US2 and JP3 have 3 of 4; of JP4 the subclass counts .5 x 3 / 5 of the subgroup's 3 / 4.
SHARES = {"US1": 1.0, "US2": 0.75, "JP3": 0.75, "JP4": 0.225}


@pytest.fixture(scope="module")
async def keys(app: GraphPalace, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """A palace of five publications of two drawers each, and a note without codes; searches do not change it."""
    name = spare_name()
    await app.create_palace(name)
    records = [
        {
            "pub_id": number, "country": country, "title": f"Thing {number}", "cpc_codes": codes,
            "published": "2023-01-10", "abst": f"{about}.", "claim": f"1. A thing of which {about}.",
        }
        for number, codes, country, about in KEYS
    ]  # fmt: skip
    path = tmp_path_factory.mktemp("keys") / "keys.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), "utf-8")
    await app.ingesting.files([path], palace=name, wing="patents")
    await app.drawers.add(name, NewDrawer(text="the cipher key lies under the mat", wing="notes"))
    yield name
    await app.drop_palace(name)


async def ranked(
    app: GraphPalace, palace: str, wanted: dict[str, dict[str, float]], *, depth: int = 100, **where: Any
) -> Ranking:
    """Return what the lane of codes finds."""
    only = await filter_of(app.database, palace, **where)

    async def never() -> Any:
        raise AssertionError("codes need no embedding")

    lane = CodeLane(app.database, app.replica.indexes, broader_share=0.5)
    return await lane.rank(palace, LaneQuery("", never, only, depth, wanted))


async def numbers(app: GraphPalace, palace: str) -> dict[str, str]:
    """Return the publication of each drawer that is of one."""
    drawers, _ = await app.drawers.page(palace, limit=200)
    return {drawer.id: drawer.pub_id for drawer in drawers if drawer.pub_id}


async def publication(app: GraphPalace, palace: str, drawer: str) -> str | None:
    """Return the number of the publication that a drawer is a part of."""
    return (await app.drawers.read(palace, drawer)).pub_id


async def test_drawers_are_ranked_by_the_share_of_wanted_codes_as_worked_by_hand(app: GraphPalace, keys: str) -> None:
    of = await numbers(app, keys)
    ranking = await ranked(app, keys, WANTED)
    wanted = sorted((-SHARES[of[drawer]], drawer) for drawer in of if of[drawer] in SHARES)
    assert ranking.ids == tuple(drawer for _, drawer in wanted)  # of equal overlap by id
    assert ranking.scores == pytest.approx([-share for share, _ in wanted])
    assert ranking.most == 1.0
    assert len(ranking.ids) == 8


@pytest.mark.parametrize("wanted", [WANTED, {"cpc": {"H04L9/32": 1.0}}, {"cpc": {"H": 1.0}}], ids=str)
async def test_a_shorter_ranking_is_the_beginning_of_the_longer_one(
    app: GraphPalace, keys: str, wanted: dict[str, dict[str, float]]
) -> None:
    """Also where several documents are equally good and not all of them fit."""
    whole = await ranked(app, keys, wanted)
    for depth in range(1, len(whole.ids) + 1):
        cut = await ranked(app, keys, wanted, depth=depth)
        assert (cut.ids, cut.scores) == (whole.ids[:depth], whole.scores[:depth])


async def test_filters_apply_before_the_ranking_of_codes_is_cut(app: GraphPalace, keys: str) -> None:
    of = await numbers(app, keys)
    japanese = conditions_of({"country": ["JP"]})
    both = await ranked(app, keys, WANTED, depth=3, conditions=japanese)
    assert [of[drawer] for drawer in both.ids] == ["JP3", "JP3", "JP4"]
    assert (await ranked(app, keys, WANTED, wing="notes")).ids == ()
    assert (await ranked(app, keys, WANTED, until=datetime(2000, 1, 1, tzinfo=UTC))).ids == ()
    assert len((await ranked(app, keys, WANTED, since=datetime(2000, 1, 1, tzinfo=UTC))).ids) == 8


async def test_the_lane_finds_nothing_where_no_code_is_wanted_or_matches(app: GraphPalace, keys: str) -> None:
    assert (await ranked(app, keys, {})).ids == ()
    assert (await ranked(app, keys, {"cpc": {"C07D": 1.0}})).ids == ()
    assert (await ranked(app, keys, {"ipc": {"H04L9/32": 1.0}})).ids == ()  # another scheme
    assert len((await ranked(app, keys, {"any": {"H04L9/32": 1.0}})).ids) == 8


async def test_codes_alone_are_a_question(app: GraphPalace, keys: str) -> None:
    answer = await app.recall.search(keys, SearchRequest(target_profile=WANTED, top_k=8))
    assert answer.plan.lanes == ("code",)
    ranking = await ranked(app, keys, WANTED)
    assert [hit.id for hit in answer.hits] == list(ranking.ids)
    best = answer.hits[0].lanes["code"]
    assert (best.rank, best.score, best.share, best.evidence) == (1, 1.0, 1.0, 1.0)
    assert answer.left_out == {}
    assert "embed" not in answer.timings_ms
    assert (
        await app.recall.search(keys, SearchRequest(target_profile=WANTED, top_k=8, lanes=["code"]))
    ).hits == answer.hits
    with pytest.raises(InvalidInput, match="rerank needs words or an embedding"):
        await app.recall.search(keys, SearchRequest(target_profile=WANTED, rerank=True))


async def test_wanted_codes_join_the_lanes_and_move_the_answer(app: GraphPalace, keys: str) -> None:
    plain = await app.recall.search(keys, SearchRequest("cipher", top_k=20))
    assert [await publication(app, keys, hit.id) for hit in plain.hits[:2]] != ["EP5", "EP5"]
    for lanes, asked in (
        (None, ("fulltext", "semantic", "entity", "code")),
        (["fulltext", "semantic"], ("fulltext", "semantic", "code")),
        (["fulltext", "semantic", "entity", "code"], ("fulltext", "semantic", "entity", "code")),
    ):
        question = SearchRequest(
            "cipher", target_profile={"cpc": {"A01B": 1.0}}, weights={"code": 5.0}, lanes=lanes, top_k=20
        )
        answer = await app.recall.search(keys, question)
        assert answer.plan.lanes == asked
        assert answer.plan.weights["code"] == 5.0
        assert [await publication(app, keys, hit.id) for hit in answer.hits[:2]] == ["EP5", "EP5"]
        assert all("code" in hit.lanes for hit in answer.hits[:2])
    (own,) = (
        await app.recall.search(keys, SearchRequest("cipher", target_profile=WANTED, lanes=["path"], top_k=1))
    ).hits
    assert own.lanes.keys() == {"path", "code"}


async def test_codes_that_nothing_has_leave_the_answer_as_the_other_lanes_order_it(app: GraphPalace, keys: str) -> None:
    plain = await app.recall.search(keys, SearchRequest("cipher key", top_k=20, fusion="rrf"))
    joined = await app.recall.search(
        keys, SearchRequest("cipher key", top_k=20, fusion="rrf", target_profile={"cpc": {"C07D": 1.0}})
    )
    assert [hit.id for hit in joined.hits] == [hit.id for hit in plain.hits]


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"query": "x", "lanes": ["code"]}, "lanes has 'code', which needs a target_profile"),
        ({"query": "x", "lanes": ["fulltext", "code"]}, "lanes has 'code', which needs a target_profile"),
        ({"target_profile": WANTED, "weights": {"code": 0.0}}, "weights are 0 for all of code; one must be above 0"),
        ({"target_profile": {"isbn": {"1": 1.0}}}, "target_profile names 'isbn'; it may name any, cpc, fi, ft, ipc"),
        ({"target_profile": {"cpc": {}}}, "target_profile.cpc is empty; give at least one code"),
        ({"target_profile": {"cpc": {"H04L": 0.0}}}, "target_profile.cpc.H04L is 0.0; it must be above 0"),
        ({"target_profile": {"cpc": {"H04L": float("nan")}}}, "target_profile.cpc.H04L is nan; it must be above 0"),
        ({"target_profile": {"cpc": {" ": 1.0}}}, "target_profile.cpc has the code ' '; it must be a section"),
    ],
)
async def test_codes_that_cannot_be_wanted_are_refused(
    app: GraphPalace, keys: str, how: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        await app.recall.search(keys, SearchRequest(**how))


async def test_codes_alone_cannot_be_asked_of_lanes_that_need_words(app: GraphPalace, keys: str) -> None:
    with pytest.raises(EmptyQuery):
        await app.recall.search(keys, SearchRequest(target_profile=WANTED, lanes=["fulltext"]))


def test_a_plan_of_codes_alone_says_that_it_needs_some() -> None:
    search = Settings().search.plan, {"codes": SearchPlan(("code",), {}, "evidence")}
    with pytest.raises(InvalidInput, match="lanes has 'code', which needs a target_profile"):
        plan_of(SearchRequest("cipher", preset="codes"), *search)
    assert plan_of(SearchRequest("cipher", preset="codes", target_profile=WANTED), *search).lanes == ("code",)


async def test_the_lanes_of_codes_and_ways_are_kept_as_runs(app: GraphPalace, keys: str) -> None:
    path, code = await app.runs.lanes.multilane(
        keys, [LaneQuestion("path", "cipher key"), LaneQuestion("code", profile=WANTED)], trace_id="t"
    )
    walked = await app.recall.search(keys, SearchRequest("cipher key", lanes=["path"], top_k=50))
    assert max(hit.lanes["path"].evidence or 0.0 for hit in walked.hits) == 1.0  # shares are measured by the best
    kept = await app.runs.store.get(keys, path.run_id_lane)
    of = await numbers(app, keys)

    def best_of_each(ids: Iterable[str]) -> list[str]:
        firsts: dict[str | None, str] = {}
        for one in ids:
            firsts.setdefault(of.get(one) or one, one)
        return list(firsts.values())

    assert list(kept.ids) == best_of_each(hit.id for hit in walked.hits)
    coded = await app.runs.store.get(keys, code.run_id_lane)
    assert list(coded.ids) == best_of_each((await ranked(app, keys, WANTED)).ids)
    assert coded.recipe["target_profile"] == WANTED
    assert code.code_freqs["cpc"]["H04L9/32"] == 3  # documents, of two drawers each
    for run in (path, code):
        shown = await app.runs.fusions.provenance(keys, run.run_id_lane, verify=True)
        assert shown.verified.same is True


async def test_a_way_may_begin_at_an_embedding(app: GraphPalace, keys: str) -> None:
    vector = app.embedder.embed(["a spade digs a cipher into the soil"])[0].tolist()
    run = await app.runs.lanes.search(keys, LaneQuestion("path", query_embedding=vector, top_k=2))
    ids = (await app.runs.store.get(keys, run.run_id_lane)).ids
    of = await numbers(app, keys)
    assert (len(ids), run.truncated, run.cursor) == (2, True, "2")
    assert of[ids[0]] == "EP5"


async def test_filters_hold_for_ways_and_codes_as_runs(app: GraphPalace, keys: str) -> None:
    of = await numbers(app, keys)
    asked = [
        LaneQuestion("path", "cipher key", filters={"country": ["JP"]}),
        LaneQuestion("code", profile=WANTED, filters={"country": ["JP"]}, top_k=3),
    ]
    for answer in await app.runs.lanes.multilane(keys, asked):
        found = {of[one] for one in (await app.runs.store.get(keys, answer.run_id_lane)).ids}
        assert found == {"JP3", "JP4"}


async def test_a_run_of_codes_is_fused_with_contributions_that_sum_to_a_hundred(app: GraphPalace, keys: str) -> None:
    answers = await app.runs.lanes.multilane(
        keys, [LaneQuestion("fulltext", "cipher key"), LaneQuestion("code", profile=WANTED)]
    )
    chosen = [LaneRunChoice(one.run_id_lane, one.lane) for one in answers]
    for given in ({}, {"target_profile": WANTED}):
        run, _ = await app.runs.fusions.blend(keys, chosen, given)
        assert all(sum(parts.values()) == pytest.approx(100) for parts in run.contributions.values())
        assert any(parts.get("code", 0) > 1 for parts in run.contributions.values())


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (LaneQuestion("code", "cipher"), "target_profile has 0 schemes for the lane code"),
        (LaneQuestion("fulltext", "cipher", profile=WANTED), "target_profile has 1 schemes for the lane fulltext"),
        (LaneQuestion("code", "cipher", profile=WANTED), "the lane code takes neither q nor query_embedding"),
        (LaneQuestion("code", profile={"cpc": {}}), "target_profile.cpc is empty; give at least one code"),
        (LaneQuestion("code", profile={"cpc": {"H": -1.0}}), "target_profile.cpc.H is -1.0; it must be above 0"),
        (LaneQuestion("fulltext", query_embedding=[1.0] * 384), "the lane fulltext takes no query_embedding"),
        (LaneQuestion("smell", "cipher"), "lane is 'smell'; it must be one of semantic, fulltext, expanded, code"),
    ],
)
async def test_a_lane_that_cannot_be_asked_so_is_refused(
    app: GraphPalace, keys: str, question: LaneQuestion, message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        await app.runs.lanes.search(keys, question)
