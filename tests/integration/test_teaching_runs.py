"""Feedback on runs of lanes, fusions and reranks on a real Neo4j, and documents of callers' own that learn by it."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Any

import pytest
from tests.decaying import decay_of
from tests.graphs import edges_of, nodes_of
from tests.publications import write_publications
from tests.spare_palaces import spare_name

from graphpalace.app import GraphPalace
from graphpalace.domain.learning.feedback import document_id
from graphpalace.domain.learning.feedback_requests import RewardedDrawer
from graphpalace.domain.pheromones.pheromones import DecayRates
from graphpalace.domain.rerank import Candidate, RerankAnswer, RerankedDocument, RerankQuery
from graphpalace.domain.runs.run import Run
from graphpalace.domain.search.answer import RerankSignals
from graphpalace.domain.search.request import SearchRequest
from graphpalace.errors import EmptyQuery, InvalidInput, NotFound
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.operations.runs.fusion_runs import LaneRunChoice
from graphpalace.operations.runs.lane_runs import LaneQuestion

QUESTION = "how is bread made"
DOCUMENTS = [Candidate("oven", "heat the oven for bread"), Candidate("roses", "prune the roses in spring")]
RATES = DecayRates()
_ASIDE = {"Palace", "Search", "Run"}  # counters, and what was asked


@pytest.fixture(scope="module")
async def patents(app: GraphPalace, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """A palace of a few publications; each test takes its feedback back."""
    name = spare_name()
    await app.create_palace(name)
    await app.ingesting.files([write_publications(tmp_path_factory.mktemp("patents"))], palace=name, wing="patents")
    yield name
    await app.drop_palace(name)


async def fused(app: GraphPalace, palace: str, q: str = "cipher lock") -> Run:
    answers = await app.runs.lanes.multilane(palace, [LaneQuestion(lane, q) for lane in ("fulltext", "semantic")])
    run, _ = await app.runs.fusions.blend(palace, [LaneRunChoice(one.run_id_lane) for one in answers], {})
    return run


async def reranked(app: GraphPalace, palace: str, query: str = QUESTION, **asked: Any) -> RerankAnswer:
    given: dict[str, Any] = {"documents": DOCUMENTS, "deterministic": None} | asked
    return await app.rerank.rerank(palace, RerankQuery(query, **given))


async def place_of(app: GraphPalace, palace: str, name: str = "oven", **asked: Any) -> RerankedDocument:
    return next(one for one in (await reranked(app, palace, **asked)).results if one.id == name)


async def signals_of(app: GraphPalace, palace: str, name: str = "oven", **asked: Any) -> RerankSignals:
    return (await place_of(app, palace, name, **asked)).components


async def stored(app: GraphPalace, palace: str) -> list[dict[str, Any]]:
    return [row["document"] for row in await app.database.read(palace, "tests/caller_documents")]


async def state(app: GraphPalace, palace: str) -> list[list[tuple[str, str]]]:
    """Return what learning may change, with what is not nothing and says not only since when."""
    rows = [*await nodes_of(app.database, palace), *await edges_of(app.database, palace)]
    kept = [
        sorted((key, str(value)) for key, value in row.items() if value and key != "pheromone_cycle")
        for row in rows
        if not _ASIDE & {*row.get("labels", [])}
    ]
    return sorted(kept)


async def test_a_fusion_is_taught_by_drawer_and_by_publication_and_taken_back(app: GraphPalace, patents: str) -> None:
    run = await fused(app, patents)
    number = {drawer: (await app.drawers.read(patents, drawer)).pub_id for drawer in run.ids}
    first, last = run.ids[0], run.ids[-1]
    warm = await app.learning.feedback.give(
        patents, run=run.id, useful={last: 0.1}
    )  # so that the edges have their properties
    await app.learning.feedback.take_back(patents, warm.id)
    before = await state(app, patents)
    given = await app.learning.feedback.give(patents, run=run.id, useful={number[last]: 1.0}, useless={first: 0.5})
    (row,) = await app.learning.feedback.listed(patents)
    assert (row.search, row.query) == (run.id, "cipher lock")
    assert (row.useful, row.useless) == ([RewardedDrawer(last, 1.0)], [RewardedDrawer(first, 0.5)])
    assert (given.useful, given.useless) == (1, 1)
    found = await app.rerank.rerank(patents, RerankQuery("cipher lock", drawer_ids=[last]))
    assert found.results[0].components.narrative
    answered = {edge["to"] for edge in await edges_of(app.database, patents) if edge["type"] == "ANSWERED_BY"}
    assert len(answered) == len(run.contributions[last])
    assert not (
        await app.learning.feedback.give(patents, run=run.id, useful={number[last]: 1.0}, useless={first: 0.5})
    ).fresh
    await app.learning.feedback.take_back(patents, given.id)
    assert await state(app, patents) == before


async def test_a_publication_that_was_folded_is_its_own_drawer(app: GraphPalace, patents: str) -> None:
    run = await fused(app, patents, "cipher key")
    ((kept, (folded,)),) = [(kept, others) for kept, others in run.folded.items()]
    number = (await app.drawers.read(patents, folded)).pub_id
    given = await app.learning.feedback.give(patents, run=run.id, useful={number: 1.0})
    (row,) = await app.learning.feedback.listed(patents)
    assert row.useful == [RewardedDrawer(folded, 1.0)]
    assert kept != folded
    await app.learning.feedback.take_back(patents, given.id)


async def test_a_lane_is_taught_and_what_a_run_does_not_have_is_refused(app: GraphPalace, patents: str) -> None:
    answer = await app.runs.lanes.search(patents, LaneQuestion("semantic", "hose", wing="patents", top_k=2))
    lane = await app.runs.store.get(patents, answer.run_id_lane)
    given = await app.learning.feedback.give(patents, run=lane.id, useful={"US3": 1.0})
    assert await app.learning.feedback.opened(patents, run=lane.id, drawer=lane.ids[0]) is not None
    assert await app.learning.feedback.opened(patents, run=lane.id, drawer="drawer-x") is None
    codes = await app.runs.lanes.search(patents, LaneQuestion("code", profile={"ipc": {"H04L": 1.0}}))
    rows = await app.learning.feedback.listed(patents)
    assert len(rows) == 2
    coded = (await app.runs.store.get(patents, codes.run_id_lane)).ids[0]
    assert await app.learning.feedback.opened(patents, run=codes.run_id_lane, drawer=coded) is None
    refused: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"run": lane.id, "useful": {"JP9": 1.0}}, NotFound, "useful names 'JP9', which semantic-"),
        ({"run": lane.id, "useful": {"US3": 1.0, lane.ids[0]: 1.0}}, InvalidInput, "name it once"),
        ({"run": lane.id, "useful": {"US3": 1.0}, "useless": {lane.ids[0]: 1.0}}, InvalidInput, "both useful and"),
        ({"run": lane.id, "useful": {"drawer-x": 1.0}}, NotFound, "drawer-x: not in palace"),
        ({"run": "fusion-0000000000", "useful": {"US3": 1.0}}, NotFound, "there is no run 'fusion-0000000000'"),
        ({"run": "rerank-000000000000", "useful": {"US3": 1.0}}, NotFound, "there is no search 'rerank-"),
        ({"run": codes.run_id_lane, "useful": {"US1": 1.0}}, InvalidInput, "only for codes; feedback needs words"),
        ({"run": lane.id, "namespace": "n", "useful": {"US3": 1.0}}, InvalidInput, "can be given only with query"),
    ]
    for how, error, said in refused:
        with pytest.raises(error, match=said):
            await app.learning.feedback.give(patents, **how)
    assert await app.learning.feedback.listed(patents) == rows
    for row in rows:
        await app.learning.feedback.take_back(patents, row.id)
    assert given.id not in {row.id for row in await app.learning.feedback.listed(patents)}


async def test_documents_of_a_caller_learn_within_their_namespace_and_palace(
    app: GraphPalace, palace: str, patents: str
) -> None:
    plain = await place_of(app, palace)
    assert (plain.components.narrative, plain.components.pheromone) == (0, 0)
    run = (await reranked(app, palace, namespace="cook")).run
    given = await app.learning.feedback.give(palace, run=run, useful={"oven": 1.0}, useless={"roses": 1.0})
    assert (given.fresh, given.useful, given.useless) == (True, 1, 1)
    place = await place_of(app, palace, namespace="cook")
    taught = place.components
    assert taught.narrative == pytest.approx(0.3 * (1 - 0.3))  # a full reward gives strength .3; the floor is .3
    assert taught.pheromone == pytest.approx(0.2)
    assert place.score == pytest.approx(taught.dense + 0.6 * taught.narrative + 0.3 * taught.pheromone)
    assert (
        await signals_of(app, palace, "roses", namespace="cook")
    ).pheromone == 0  # blame takes, but not below nothing
    assert (await signals_of(app, palace, namespace="cook", query="roses in spring")).narrative < taught.narrative
    for where, namespace in ((palace, "default"), (palace, "garden"), (patents, "cook")):
        other = await signals_of(app, where, namespace=namespace)
        assert (other.narrative, other.pheromone) == (0, 0)
    oven, roses = await stored(app, palace)
    assert (oven["namespace"], oven["name"], roses["name"]) == ("cook", "oven", "roses")
    assert oven["id"] == document_id(palace, "cook", "oven")
    (row,) = await app.learning.feedback.listed(palace)
    assert [asdict(one) for one in row.documents] == [
        {"namespace": "cook", "id": "oven", "useful": True, "reward": 1.0},
        {"namespace": "cook", "id": "roses", "useful": False, "reward": 1.0},
    ]
    assert (await app.learning.learned.of(palace)).lessons == 0
    await app.learning.feedback.take_back(palace, given.id)
    assert await place_of(app, palace, namespace="cook") == plain
    assert await stored(app, palace) == []


async def test_what_a_document_learned_fades_with_the_clock_and_not_in_deterministic_mode(
    app: GraphPalace, palace: str
) -> None:
    run = (await reranked(app, palace)).run
    await app.learning.feedback.give(palace, run=run, useful={"oven": 0.5})
    fresh = await signals_of(app, palace)
    assert fresh.pheromone == pytest.approx(0.1)
    await app.database.write(palace, "tests/advance_clock", cycles=20)
    for decayed in (False, True):
        if decayed:  # whether or when the decay service ran makes no difference
            await decay_of(app.database).apply(palace)
            (document,) = await stored(app, palace)
            assert document["exploitation_pheromone"] == pytest.approx(0.1 * (1 - RATES.exploitation) ** 20)
        faded = await signals_of(app, palace)
        assert faded.pheromone == pytest.approx(fresh.pheromone * (1 - RATES.exploitation) ** 20)
        assert faded.narrative == pytest.approx(fresh.narrative * (1 - RATES.success) ** 20)
        frozen = await signals_of(app, palace, deterministic=True)
        assert (frozen.pheromone, frozen.narrative) == pytest.approx((fresh.pheromone, fresh.narrative))


async def test_taking_back_leaves_a_document_as_if_that_feedback_had_never_been(app: GraphPalace, palace: str) -> None:
    """In the namespace `other` the same is given, but for what is taken back."""
    draw = random.Random(5)
    taken: list[str] = []
    for number in range(12):
        rewards: dict[str, Any] = {"useful" if draw.random() < 0.6 else "useless": {"oven": draw.uniform(0.1, 1.0)}}
        query = draw.choice([QUESTION, "bread in the oven", "roses"])
        leaves = draw.random() < 0.5
        for namespace in ("one",) if leaves else ("one", "other"):
            run = (await reranked(app, palace, query, namespace=namespace)).run
            given = await app.learning.feedback.give(palace, run=run, **rewards)
            taken += [given.id] if leaves else []
        if number % 4 == 3:
            await app.database.write(palace, "tests/advance_clock", cycles=draw.randint(1, 30))
    draw.shuffle(taken)
    for feedback in taken:
        await app.learning.feedback.take_back(palace, feedback)
    assert 0 < len(taken) < 12
    for query in (QUESTION, "roses"):
        one, other = [await signals_of(app, palace, query=query, namespace=name) for name in ("one", "other")]
        assert other.pheromone > 0
        assert (one.narrative, one.pheromone) == pytest.approx((other.narrative, other.pheromone), abs=1e-9)
    await app.learning.feedback.reset(palace)
    assert await stored(app, palace) == []


async def test_a_rerank_of_drawers_teaches_them_also_in_another_service(app: GraphPalace, palace: str) -> None:
    added = [await app.drawers.add(palace, NewDrawer(text, wing="home")) for text in ("knead the dough", "water roses")]
    ids = [drawer.drawer.id for drawer in added]
    documents = [Candidate("mine", "bread"), Candidate("kept", "dough", drawer_id=ids[0])]
    runs = [(await reranked(app, palace, documents=documents)).run]
    runs.append((await reranked(app, palace, documents=None, drawer_ids=ids)).run)
    await app.history.searches.flush()
    app.history.searches.forget(palace)  # as a service that did not answer them knows them
    assert await app.learning.feedback.shown(palace, runs[1]) in (ids, ids[::-1])
    mixed = await app.learning.feedback.give(palace, run=runs[0], useful={"mine": 1.0, "kept": 1.0})
    plain = await app.learning.feedback.give(palace, run=runs[1], useless={ids[1]: 1.0})
    assert (mixed.useful, plain.useless) == (2, 1)
    rows = await app.learning.feedback.listed(palace)
    assert [row.search for row in rows] == runs[::-1]
    assert [row.useful for row in rows] == [[], [RewardedDrawer(ids[0], 1.0)]]
    assert [len(row.documents) for row in rows] == [0, 1]
    assert (await app.learning.learned.of(palace)).lessons == 2
    with pytest.raises(NotFound, match="useful names 'b', which rerank-"):
        await app.learning.feedback.give(palace, run=runs[0], useful={"b": 1.0})


async def test_documents_can_be_taught_by_their_question_alone(app: GraphPalace, palace: str) -> None:
    asked = SearchRequest(QUESTION)
    first = await app.learning.feedback.give(palace, question=asked, namespace="cook", useful={"oven": 1.0})
    second = await app.learning.feedback.give(palace, question=asked, namespace="garden", useful={"oven": 1.0})
    assert first.id != second.id
    assert (await signals_of(app, palace, namespace="cook")).narrative == pytest.approx(0.21)
    with pytest.raises(EmptyQuery):
        await app.learning.feedback.give(palace, question=SearchRequest(" "), namespace="cook", useful={"oven": 1.0})
    with pytest.raises(InvalidInput, match="leave out wing, room and filters"):
        await app.learning.feedback.give(
            palace, question=SearchRequest("x", wing="w"), namespace="cook", useful={"oven": 1.0}
        )


async def test_documents_go_with_their_palace(app: GraphPalace) -> None:
    dropped = spare_name()
    await app.create_palace(dropped)
    run = (await reranked(app, dropped)).run
    await app.learning.feedback.give(dropped, run=run, useful={"oven": 1.0})
    await app.drop_palace(dropped)
    assert (await app.database.read(dropped, "tests/count_learned"))[0]["left"] == 0
