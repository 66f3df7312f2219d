"""Runs on a real Neo4j: lanes, fusions, lineage, expiry; a test for each known fault of the original."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.publications import write_publications
from tests.reads import noted_reads
from tests.spare_palaces import spare_name

from graphpalace.app import GraphPalace
from graphpalace.app.search import make_lanes, make_runs
from graphpalace.domain.runs.run import Run, RunVerification
from graphpalace.errors import EmptyQuery, InvalidInput, NotFound
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.operations.runs.fusion_runs import LaneRunChoice
from graphpalace.operations.runs.lane_runs import LaneAnswer, LaneQuestion
from graphpalace.operations.runs.run_store import RunStore
from graphpalace.operations.runs.runs import Runs, SnippetChoice
from graphpalace.operations.search.lanes.fulltext import FulltextLane
from graphpalace.operations.search.lanes.lane import SemanticLane
from graphpalace.operations.search.lanes.path import PathLane
from graphpalace.replica.node_vectors import NodeVectors
from graphpalace.settings.sections.search import RunSettings

PROFILE = {"ipc": {"H04L": 1.0}}


@pytest.fixture(scope="module")
async def patents(app: GraphPalace, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """A palace of a few publications; runs do not change it."""
    name = spare_name()
    await app.create_palace(name)
    path = write_publications(tmp_path_factory.mktemp("patents"))
    await app.ingesting.files([path], palace=name, wing="patents")
    yield name
    await app.drop_palace(name)


class Clock:
    """A time that tests move."""

    def __init__(self) -> None:
        self.time = datetime(2030, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time


def runs_of(app: GraphPalace, clock: Clock | None = None) -> Runs:
    """Return tools with a memory of their own, as another service has."""
    store = RunStore(app.database, ttl_h=24, memory_runs=8, **({"now": clock} if clock else {}))
    lanes = [FulltextLane(app.database), SemanticLane(app.replica.indexes)]
    return Runs.of(app.database, lanes, app.replica.models, store=store, settings=RunSettings(), rrf_k=60)


async def searched(runs: Runs, palace: str, q: str = "cipher key", **more: Any) -> list[LaneAnswer]:
    return await runs.lanes.multilane(
        palace, [LaneQuestion(lane, q, **more) for lane in ("fulltext", "semantic")], trace_id="t"
    )


async def fused(runs: Runs, palace: str, **given: Any) -> Run:
    answers = await searched(runs, palace)
    run, _ = await runs.fusions.blend(palace, [LaneRunChoice(one.run_id_lane, one.lane) for one in answers], given)
    return run


async def stored(app: GraphPalace, palace: str) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in await app.database.read(palace, "tests/runs")}


async def closets_of(app: GraphPalace, palace: str, ids: tuple[str, ...]) -> list[str]:
    return [(await app.drawers.read(palace, drawer)).closet for drawer in ids]


async def test_runs_are_nodes_that_plain_cypher_reads(app: GraphPalace, patents: str) -> None:
    answers = await searched(app.runs, patents)
    run, _ = await app.runs.fusions.blend(patents, [LaneRunChoice(one.run_id_lane) for one in answers], {})
    assert re.fullmatch(r"fulltext-[0-9a-f]{8}", answers[0].run_id_lane)
    assert re.fullmatch(r"semantic-[0-9a-f]{8}", answers[1].run_id_lane)
    assert re.fullmatch(r"fusion-[0-9a-f]{10}", run.id)
    nodes = await stored(app, patents)
    assert nodes[run.id]["derived_from"] == sorted(one.run_id_lane for one in answers)
    assert nodes[run.id]["members"] == nodes[run.id]["scores"] == len(run.ids) > 0
    lane = await app.runs.store.get(patents, answers[0].run_id_lane)
    assert lane.scores[:2] == pytest.approx((1 / 61, 1 / 62))
    assert lane.recipe["trace_id"] == "t"


async def test_a_run_read_back_is_the_run_that_was_made(app: GraphPalace, patents: str) -> None:
    run = await fused(app.runs, patents, target_profile=PROFILE)
    assert await runs_of(app).store.get(patents, run.id) == run


async def test_a_lane_ranks_publications_and_their_ranks_add_up(app: GraphPalace, patents: str) -> None:
    questions = [LaneQuestion("fulltext", "network wheel"), LaneQuestion("semantic", "cipher key exchanged safely")]
    answers = await app.runs.lanes.multilane(patents, questions, trace_id="t")
    ranks: dict[str, list[tuple[int, str]]] = {}
    for answer in answers:
        ids = (await app.runs.store.get(patents, answer.run_id_lane)).ids
        titles = await closets_of(app, patents, ids)
        assert len(titles) == len(set(titles)) == answer.count_returned
        for rank, (title, drawer) in enumerate(zip(titles, ids, strict=True), start=1):
            ranks.setdefault(title, []).append((rank, drawer))
    assert any(len({drawer for _, drawer in found}) == 2 for found in ranks.values())  # each lane likes another best
    lanes = [LaneRunChoice(one.run_id_lane, one.lane) for one in answers]
    run, _ = await app.runs.fusions.blend(patents, lanes, {"fold": "none"})
    found = dict(zip(await closets_of(app, patents, run.ids), zip(run.ids, run.scores, strict=True), strict=True))
    assert found.keys() == ranks.keys()
    for title, (drawer, score) in found.items():
        assert score == pytest.approx(sum(1 / (60 + rank) for rank, _ in ranks[title]))
        assert drawer in {shown for _, shown in ranks[title]}


async def test_a_publication_of_two_wings_is_one_and_notes_are_one_each(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    for wing in ("bought", "own"):
        (tmp_path / wing).mkdir()
        await app.ingesting.files([write_publications(tmp_path / wing)], palace=palace, wing=wing)
    page = tmp_path / "page.md"
    page.write_text(
        "".join(f"# Lock {at}\n\nA lock with a cipher wheel, number {at}.\n\n" for at in range(30)), "utf-8"
    )
    await app.ingesting.files([page], palace=palace, wing="pages")
    for text in ("a cipher lock on the shed", "a cipher lock on the gate"):
        await app.drawers.add(palace, NewDrawer(text, wing="home"))
    for lane in ("fulltext", "semantic"):
        answer = await app.runs.lanes.search(palace, LaneQuestion(lane, "a lock with a cipher wheel"))
        run = await app.runs.store.get(palace, answer.run_id_lane)
        closets = await closets_of(app, palace, run.ids)
        assert closets.count("general notes") == 2
        assert len(closets) - 2 == len(set(closets) - {"general notes"}) == 5
        # The thirty drawers of the page are the best; the lane is asked on until it has as many documents as it should.
        few = await app.runs.lanes.search(palace, LaneQuestion(lane, "a lock with a cipher wheel", top_k=3))
        assert (await app.runs.store.get(palace, few.run_id_lane)).ids == run.ids[:3]
        assert (few.count_returned, few.truncated) == (3, True)
    assert (await app.runs.fusions.provenance(palace, few.run_id_lane, verify=True)).verified.same


async def test_snippets_are_got_by_drawer_or_by_publication(app: GraphPalace, patents: str) -> None:
    drawer = (await fused(app.runs, patents)).ids[0]
    found = await app.runs.snippets.get(patents, ["US2", drawer, "JP1"], look=SnippetChoice())
    assert list(found) == ["US2", drawer, "JP1"]
    assert found["US2"]["abst"] == "A lock whose cipher wheel turns."
    assert list(found["US2"]) == list(found["JP1"])[: len(found["US2"])]
    with pytest.raises(NotFound, match="no document with the id 'US9', 'drawer-x'"):
        await app.runs.snippets.get(patents, ["US9", "US2", "drawer-x"], look=SnippetChoice())
    with pytest.raises(InvalidInput, match="fields has 'text', which the publication 'US2' does not have"):
        await app.runs.snippets.get(patents, [drawer, "US2"], look=SnippetChoice(["text"]))


async def test_hierarchical_codes_match(app: GraphPalace, patents: str) -> None:
    plain = await fused(app.runs, patents, fold="none")
    wanted = await fused(app.runs, patents, fold="none", target_profile=PROFILE, beta_fuse=0.0)
    assert all("code" not in parts for parts in plain.contributions.values())
    helped = tuple(drawer for drawer, parts in wanted.contributions.items() if "code" in parts)
    assert set(await closets_of(app, patents, helped)) == {"Cipher key update", "暗号鍵の更新方法"}


async def test_families_are_folded(app: GraphPalace, patents: str) -> None:
    run = await fused(app.runs, patents)
    titles = await closets_of(app, patents, run.ids)
    assert len(titles) == len(set(titles)) == 3
    assert len({"Cipher key update", "暗号鍵の更新方法"} & set(titles)) == 1
    one = next(drawer for drawer, others in run.folded.items() if others)
    assert not set(run.folded[one]) & set(run.ids)
    everything = await fused(app.runs, patents, fold="none")
    assert len(everything.ids) == len(run.ids) + sum(map(len, run.folded.values()))
    assert len(await closets_of(app, patents, (await fused(app.runs, patents, fold="closet")).ids)) == 4


async def test_there_is_a_code_only_lane(app: GraphPalace, patents: str) -> None:
    answers = await searched(app.runs, patents)
    chosen = [LaneRunChoice(one.run_id_lane) for one in answers]
    given = {"target_profile": PROFILE, "beta_fuse": 0.0, "fold": "none", "weights": {"fulltext": 0, "semantic": 0.001}}
    run, _ = await app.runs.fusions.blend(patents, chosen, given | {"weights": given["weights"] | {"code": 10}})
    best = run.contributions[run.ids[0]]
    assert best["code"] > 99
    assert run.scores[0] == pytest.approx(10 / 61, rel=0.01)


async def test_the_frontier_is_stored_and_provenance_returns_it(app: GraphPalace, patents: str) -> None:
    run = await fused(app.runs, patents, k_grid=(1, 2, 50))
    shown = await runs_of(app).fusions.provenance(patents, run.id)
    assert [point.k for point in shown.frontier] == [1, 2, 50]
    assert all(0 <= point.P_star <= 1 for point in shown.frontier)
    recall = [point.R_star for point in shown.frontier]
    assert recall == sorted(recall)
    assert recall[-1] == pytest.approx(1)
    assert shown.metrics.at == 50


async def test_peeking_leaves_the_codes_of_a_run_alone(app: GraphPalace, patents: str) -> None:
    run = await fused(app.runs, patents, fold="none")
    before = (await app.runs.fusions.provenance(patents, run.id)).freqs_topk
    await app.runs.snippets.peek(patents, run.id, look=SnippetChoice())
    assert (await runs_of(app).fusions.provenance(patents, run.id)).freqs_topk == before
    assert set(before) == {"cpc", "fi", "ft", "ipc"}


async def test_the_same_query_with_another_top_k_is_another_run(app: GraphPalace, patents: str) -> None:
    question = LaneQuestion("fulltext", "cipher key", top_k=2)
    two = await app.runs.lanes.search(patents, question)
    one = await app.runs.lanes.search(patents, LaneQuestion("fulltext", "cipher key", top_k=1))
    assert (two.count_returned, one.count_returned) == (2, 1)
    assert (two.truncated, two.cursor) == (True, "2")
    kept = runs_of(app)
    first, second = [(await kept.store.get(patents, each.run_id_lane)).ids for each in (two, one)]
    assert len(first) == 2
    assert first[:1] == second


async def test_two_runs_of_one_lane_stay_two(app: GraphPalace, patents: str) -> None:
    answers = [
        await app.runs.lanes.search(patents, LaneQuestion("fulltext", words)) for words in ("cipher key", "hose")
    ]
    chosen = [LaneRunChoice(one.run_id_lane, "fulltext") for one in answers]
    run, _ = await app.runs.fusions.blend(patents, chosen, {"fold": "none"})
    assert len(run.ids) == sum(one.count_returned for one in answers)
    assert run.scores[:2] == pytest.approx((1 / 61, 1 / 61))
    child = await app.runs.fusions.mutate(patents, run.id, {"weights": {answers[1].run_id_lane: 2.0}})
    assert child.scores[0] == pytest.approx(2 / 61)


async def test_a_code_boost_never_swamps_the_ranks(app: GraphPalace, patents: str) -> None:
    answers = await searched(app.runs, patents)
    chosen = [LaneRunChoice(one.run_id_lane) for one in answers]
    given: dict[str, Any] = {"fold": "none", "weights": {"code": 0}, "beta_fuse": 0}
    plain, _ = await app.runs.fusions.blend(patents, chosen, given)
    boosted, _ = await app.runs.fusions.blend(patents, chosen, given | {"target_profile": PROFILE})
    before = dict(zip(plain.ids, plain.scores, strict=True))
    gains = [score / before[drawer] for drawer, score in zip(boosted.ids, boosted.scores, strict=True)]
    assert min(gains) == pytest.approx(1)
    assert max(gains) == pytest.approx(1.3)


async def test_truncated_says_in_every_answer_that_there_are_more_documents(app: GraphPalace, patents: str) -> None:
    for top_k, budget_bytes in ((1, 4096), (1000, 4096), (1000, 64)):
        question = LaneQuestion("semantic", "cipher key", top_k=top_k, budget_bytes=budget_bytes)
        lane = await app.runs.lanes.search(patents, question)
        assert lane.truncated == (lane.cursor is not None) == (top_k == 1)
        assert (lane.codes_left_out > 0) == (budget_bytes == 64)
    run = await fused(app.runs, patents, fold="none")
    titles = SnippetChoice(["title"])
    whole = await app.runs.snippets.peek(patents, run.id, look=titles, limit=100)
    assert (whole.truncated, whole.cursor, whole.page.shortened) == (False, None, 0)
    assert len(whole.page.snippets) == whole.total_docs == whole.retrieved
    short = await app.runs.snippets.peek(patents, run.id, look=titles, limit=100, budget_bytes=400)
    assert short.truncated
    assert short.cursor == str(len(short.page.snippets))
    cut = await app.runs.snippets.peek(patents, run.id, look=SnippetChoice(["title"], {"title": 5}), limit=100)
    assert (cut.truncated, cut.page.shortened) == (False, cut.total_docs)
    first = await app.runs.snippets.peek(patents, run.id, look=titles, limit=1)
    last = await app.runs.snippets.peek(patents, run.id, look=titles, limit=1, offset=first.total_docs - 1)
    assert (first.truncated, last.truncated) == (True, False)


async def test_contributions_sum_to_a_hundred_with_code_once(app: GraphPalace, patents: str) -> None:
    run = await fused(app.runs, patents, target_profile=PROFILE)
    assert len(run.contributions) == len(run.ids)
    for parts in run.contributions.values():
        assert sum(parts.values()) == pytest.approx(100)
        assert set(parts) <= {"fulltext", "semantic", "code"}


async def test_documents_are_loaded_with_one_query(
    app: GraphPalace, patents: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = await fused(app.runs, patents, fold="none")
    asked = noted_reads(app.database, monkeypatch)
    await app.runs.snippets.peek(patents, run.id, look=SnippetChoice())
    await app.runs.snippets.get(patents, run.ids[:3], look=SnippetChoice())
    await app.runs.snippets.publication(patents, ["US1", "US2", "JP1"], id_type="pub_id", look=SnippetChoice())
    assert asked == ["runs/read_documents", "runs/read_documents", "runs/read_publications"]


async def test_pages_follow_one_another_to_the_end(app: GraphPalace, patents: str) -> None:
    run = await fused(app.runs, patents, fold="none")
    seen: list[str] = []
    cursor: str | None = "0"
    while cursor is not None:
        peek = await app.runs.snippets.peek(
            patents, run.id, look=SnippetChoice(), offset=int(cursor), limit=4, budget_bytes=1500
        )
        assert 1 <= len(peek.page.snippets) <= 4
        assert peek.page.used_bytes <= 1500
        seen += [snippet.id for snippet in peek.page.snippets]
        cursor = peek.cursor
    assert tuple(seen) == run.ids
    assert (await app.runs.snippets.peek(patents, run.id, look=SnippetChoice(), offset=999)).page.snippets == ()


async def test_snippets_show_parts_and_identifiers(app: GraphPalace, patents: str) -> None:
    run = await fused(app.runs, patents)
    (japanese,) = (
        await app.runs.snippets.publication(patents, ["JPA1"], id_type="app_doc_id", look=SnippetChoice())
    ).values()
    assert japanese["claim"] == "1. 暗号鍵を更新する方法。"
    assert (japanese["app_id"], japanese["app_doc_id"], japanese["pub_id"], japanese["exam_id"]) == (
        "JPA1",
        "JPA1",
        "JP1",
        "EX1",
    )
    look = SnippetChoice(["abst"], {"abst": 40}, "match")
    peek = await app.runs.snippets.peek(patents, run.id, look=look)
    assert all({"pub_id", "app_id"} <= snippet.fields.keys() for snippet in peek.page.snippets)
    (found,) = (await app.runs.snippets.get(patents, [run.ids[0]], look=SnippetChoice(["title", "published"]))).values()
    assert found["published"].startswith("202")


async def test_plain_documents_show_their_text(app: GraphPalace, palace: str) -> None:
    await app.drawers.add(palace, NewDrawer("the key is under the mat", wing="home", room="keys"))
    answer = await app.runs.lanes.search(palace, LaneQuestion("semantic", "key"))
    peek = await app.runs.snippets.peek(palace, answer.run_id_lane, look=SnippetChoice())
    assert dict(peek.page.snippets[0].fields) == {"title": "keys notes", "text": "the key is under the mat"}


async def test_bytes_are_those_of_utf8(app: GraphPalace, patents: str) -> None:
    answer = await app.runs.lanes.search(patents, LaneQuestion("fulltext", "暗号鍵 cipher key"))
    look = SnippetChoice(["title", "abst", "claim", "desc"], {"abst": 100_000, "desc": 100_000})
    for budget in (256, 700, 1500, 9000):
        peek = await app.runs.snippets.peek(patents, answer.run_id_lane, look=look, budget_bytes=budget)
        sent = json.dumps(
            [snippet.as_json() for snippet in peek.page.snippets], ensure_ascii=False, separators=(",", ":")
        )
        assert peek.page.used_bytes == len(sent.encode()) <= budget


async def test_the_lineage_of_three_mutations_is_kept(app: GraphPalace, patents: str) -> None:
    first = await fused(app.runs, patents)
    runs = [first]
    for delta in ({"rrf_k": 30}, {"weights": {"fulltext": 2.0}}, {"target_profile": PROFILE, "k_grid": (5,)}):
        runs.append(await app.runs.fusions.mutate(patents, runs[-1].id, delta))
    last = await runs_of(app).store.get(patents, runs[-1].id)
    assert last.history == tuple(run.id for run in runs)
    assert last.parent == runs[2].id
    assert last.recipe["rrf_k"] == 30
    assert last.recipe["weights"] == {"fulltext": 2.0, "semantic": 1.0, "code": 0.5}
    assert (await runs_of(app).store.get(patents, first.id)) == first
    assert first.recipe["rrf_k"] == 60
    assert runs[1].scores[0] > first.scores[0]
    assert (await stored(app, patents))[last.id]["derived_from"] == sorted([runs[2].id, *first.sources])


async def test_the_recipe_alone_gives_the_ranking_again(app: GraphPalace, patents: str) -> None:
    run = await fused(app.runs, patents, target_profile=PROFILE, top_m_per_lane={"semantic": 5})
    other = runs_of(app)
    for each in (run.id, *run.sources):
        verified = (await other.fusions.provenance(patents, each, verify=True)).verified
        assert verified == RunVerification(same=True, differs_at=None, revision=run.revision)


async def test_verifying_tells_when_the_palace_has_changed(app: GraphPalace, palace: str) -> None:
    for text in ("a red door", "a blue door"):
        await app.drawers.add(palace, NewDrawer(text, wing="home"))
    answer = await app.runs.lanes.search(palace, LaneQuestion("fulltext", "door"))
    run, _ = await app.runs.fusions.blend(palace, [LaneRunChoice(answer.run_id_lane)], {})
    await app.drawers.add(palace, NewDrawer("door", wing="home"))
    verified = (await app.runs.fusions.provenance(palace, run.id, verify=True)).verified
    assert (verified.same, verified.differs_at) == (False, 1)
    assert verified.revision > run.revision


async def test_an_expired_run_is_not_found_and_goes_with_the_next_write(app: GraphPalace, patents: str) -> None:
    clock = Clock()
    runs = runs_of(app, clock)
    answers = await searched(runs, patents)
    clock.time += timedelta(hours=12)
    fusion, _ = await runs.fusions.blend(patents, [LaneRunChoice(answers[0].run_id_lane)], {})
    clock.time += timedelta(hours=13)
    with pytest.raises(NotFound, match=r"expired at 2030-01-02.*search again"):
        await runs.store.get(patents, answers[1].run_id_lane)
    used = await runs.store.get(patents, answers[0].run_id_lane)
    assert used.expires_at == fusion.expires_at  # what a fusion was made of lives as long
    await runs.lanes.search(patents, LaneQuestion("fulltext", "hose"))
    left = await stored(app, patents)
    assert answers[1].run_id_lane not in left
    assert {answers[0].run_id_lane, fusion.id} <= left.keys()
    with pytest.raises(NotFound, match="there is no run"):
        await runs.store.get(patents, answers[1].run_id_lane)


async def test_runs_go_with_their_palace(app: GraphPalace) -> None:
    dropped = spare_name()
    await app.create_palace(dropped)
    await app.drawers.add(dropped, NewDrawer("a door", wing="home"))
    answer = await app.runs.lanes.search(dropped, LaneQuestion("fulltext", "door"))
    await app.drop_palace(dropped)
    assert await stored(app, dropped) == {}
    with pytest.raises(NotFound, match="no palace"):
        await app.runs.store.get(dropped, answer.run_id_lane)


async def test_filters_and_rollup_reach_the_lane(app: GraphPalace, patents: str) -> None:
    question = LaneQuestion(
        "fulltext", "cipher lock hose", filters={"ipc": ["H04L"], "date_from": "2023-01-01"}, rollup={"ipc": "subclass"}
    )
    answer = await app.runs.lanes.search(patents, question)
    run = await app.runs.store.get(patents, answer.run_id_lane)
    assert set(await closets_of(app, patents, run.ids)) == {"Cipher key update", "暗号鍵の更新方法"}
    assert set(answer.code_freqs["ipc"]) == {"H04L"}
    assert set(run.counts["ipc"]) == {"H04L9/08", "H04L9/32"}
    short = await app.runs.lanes.search(patents, LaneQuestion("semantic", "cipher", budget_bytes=64))
    assert (short.truncated, short.codes_left_out > 0) == (False, True)
    assert len(json.dumps(short.code_freqs, separators=(",", ":"))) <= 64


async def test_bad_requests_are_named_and_leave_nothing(app: GraphPalace, patents: str) -> None:
    run = await fused(app.runs, patents)
    lane = run.sources[0]
    before = await stored(app, patents)
    runs = app.runs
    refused: list[tuple[Any, type[Exception], str]] = [
        (runs.lanes.search(patents, LaneQuestion("walk", "x")), InvalidInput, "lane is 'walk'; it must be one of"),
        (runs.lanes.search(patents, LaneQuestion("fulltext", " ")), EmptyQuery, "q is empty"),
        (runs.lanes.search(patents, LaneQuestion("fulltext", "x", [0.1])), InvalidInput, "takes no query_embedding"),
        (runs.lanes.search(patents, LaneQuestion("fulltext", "x", top_k=0)), InvalidInput, "top_k is 0"),
        (runs.lanes.search(patents, LaneQuestion("fulltext", "x", top_k=10_001)), InvalidInput, "top_k is 10001"),
        (runs.lanes.search(patents, LaneQuestion("fulltext", "x", rollup={"ipc": "x"})), InvalidInput, "rollup.ipc"),
        (runs.lanes.search(patents, LaneQuestion("fulltext", "x", filters={"ipx": 1})), InvalidInput, "ipx"),
        (runs.lanes.search("nosuch", LaneQuestion("fulltext", "x")), NotFound, "no palace 'nosuch'"),
        (searched(runs, patents, wing="attic"), NotFound, "attic"),
        (runs.fusions.blend(patents, [], {}), InvalidInput, "runs has 0 items"),
        (runs.fusions.blend(patents, [LaneRunChoice("fulltext-00000000")], {}), NotFound, "no run 'fulltext-00000000'"),
        (runs.fusions.blend(patents, [LaneRunChoice(run.id)], {}), InvalidInput, "is a fusion"),
        (runs.fusions.blend(patents, [LaneRunChoice(lane, "semantic")], {}), InvalidInput, "of the lane 'semantic'"),
        (
            runs.fusions.blend(patents, [LaneRunChoice(lane), LaneRunChoice(lane)], {}),
            InvalidInput,
            "the same run twice",
        ),
        (runs.fusions.blend(patents, [LaneRunChoice(lane)], {"rank": 1}), InvalidInput, "'rank' cannot be chosen"),
        (runs.fusions.blend(patents, [LaneRunChoice(lane)], {"weights": {"x": 1}}), InvalidInput, "weights names 'x'"),
        (runs.fusions.mutate(patents, lane, {"rrf_k": 1}), InvalidInput, "only a fusion can be changed"),
        (runs.fusions.mutate(patents, run.id, {}), InvalidInput, "delta is empty"),
        (runs.fusions.provenance(patents, "fusion-0"), NotFound, "no run 'fusion-0'"),
        (runs.snippets.peek(patents, run.id, look=SnippetChoice(["titel"])), InvalidInput, "fields has 'titel'"),
        (runs.snippets.peek(patents, run.id, look=SnippetChoice([])), InvalidInput, "fields is empty"),
        (runs.snippets.peek(patents, run.id, look=SnippetChoice(), limit=101), InvalidInput, "limit is 101"),
        (
            runs.snippets.peek(patents, run.id, look=SnippetChoice(), budget_bytes=255),
            InvalidInput,
            "budget_bytes is 255",
        ),
        (
            runs.snippets.peek(patents, run.id, look=SnippetChoice(None, {"title": 3})),
            InvalidInput,
            "per_field_chars.title",
        ),
        (
            runs.snippets.get(patents, ["drawer-x"], look=SnippetChoice()),
            NotFound,
            "no document with the id 'drawer-x'",
        ),
        (runs.snippets.get(patents, run.ids[:1], look=SnippetChoice(None, {}, "mix")), InvalidInput, "query is empty"),
        (
            runs.snippets.publication(patents, ["A"], id_type="doi", look=SnippetChoice()),
            InvalidInput,
            "id_type is 'doi'",
        ),
        (runs.snippets.publication(patents, ["A"], id_type="pub_id", look=SnippetChoice()), NotFound, "the pub_id 'A'"),
    ]
    for asked, error, said in refused:
        with pytest.raises(error) as raised:
            await asked
        assert said in str(raised.value)
    assert await stored(app, patents) == before


async def test_a_run_of_one_palace_is_not_seen_in_another(app: GraphPalace, patents: str, palace: str) -> None:
    run = await fused(app.runs, patents)
    with pytest.raises(NotFound, match="there is no run"):
        await app.runs.store.get(palace, run.id)


async def test_settings_reach_the_tools(app: GraphPalace) -> None:
    changed = app.settings.model_copy(
        update={"runs": app.settings.runs.model_copy(update={"peek_max_docs": 7, "alpha": {"fulltext": 0.1}})}
    )
    path = PathLane(app.replica.indexes, app.replica.snapshots, NodeVectors(app.replica.indexes))
    lanes = make_lanes(changed, app.database, app.replica.indexes, path, app.replica.known_names)
    runs = make_runs(changed, app.database, lanes, app.embedder)
    assert runs.snippets.settings.peek_max_docs == 7
