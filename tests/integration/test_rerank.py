"""Rerank on a real Neo4j: what was learned counts, and reading changes nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import astuple, replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from tests.decaying import decay_of
from tests.graphs import edges_of, nodes_of
from tests.spare_palaces import spare_name
from tests.walks import furnish, trail_between, way_to
from tests.words import WordEmbedder

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.domain.pheromones.pheromones import DecayRates
from graphpalace.domain.rerank import Candidate, PromotedDocument, RerankAnswer, RerankQuery, RerankWeights
from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.vectors import Matrix, to_bytes, unit_rows
from graphpalace.errors import (
    BadRequest,
    EmptyQuery,
    GraphPalaceError,
    InvalidInput,
    NotFound,
    TooLarge,
    WrongDimension,
)
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.operations.rerank.drawer_signals import DrawerSignals
from graphpalace.operations.rerank.rerank import Rerank
from graphpalace.replica.palace_models import PalaceModels
from graphpalace.rerank.signals import DecayStrategy, Exponential, NoDecay, Step
from graphpalace.settings.load import Settings
from graphpalace.settings.sections.learning import RerankSettings

BREAD = "knead the dough for ten minutes"
ROSES = "roses need pruning in spring"
CYCLE_S = 3600.0
LAID = (0.2 + 1 / 3) / 2  # a drawer at the third edge of a rewarded way: exploitation .2, success 1/3


def reranker(
    app: GraphPalace,
    *,
    strategy: DecayStrategy | None = None,
    embedder: WordEmbedder | None = None,
    options: RerankSettings | None = None,
) -> Rerank:
    """A rerank that explores nothing unless told to."""
    signals = DrawerSignals(
        app.database,
        rates=DecayRates(),
        cycle_seconds=CYCLE_S,
        recency_reset=1.0,
        narrative_floor=0.3,
        strategy=strategy,
    )
    options = options or RerankSettings(epsilon=0, mmr_lambda=1)
    models = PalaceModels(app.database, embedder or WordEmbedder())
    return Rerank(app.database, app.replica.indexes, models, signals, app.history.searches, settings=options)


def vector_of(text: str) -> np.ndarray:
    return WordEmbedder().embed([text])[0]


def ids(found: RerankAnswer) -> list[str]:
    return [place.id for place in found.results]


async def remember(app: GraphPalace, drawer: str, question: str, strength: float) -> None:
    """Store what feedback stores: the mean of the questions that a drawer answered."""
    vector = to_bytes(vector_of(question))
    await app.database.write(None, "tests/remember", drawer=drawer, vector=vector, strength=strength)


async def reward(app: GraphPalace, palace: str, drawer: str) -> None:
    trail = way_to(await app.replica.snapshots.get(palace), drawer)
    await app.pheromones.deposits.path_success(palace, trail, deposit_id=drawer)


async def pheromone_of(rerank: Rerank, palace: str, drawer: str, **asked: object) -> float:
    question = RerankQuery("anything", drawer_ids=[drawer], **asked)  # pyright: ignore[reportArgumentType]
    return (await rerank.rerank(palace, question)).results[0].components.pheromone


async def test_documents_of_the_callers_are_ordered_by_their_cosines(app: GraphPalace, palace: str) -> None:
    documents = [
        Candidate("far", "prune the roses"),
        Candidate("near", "how is bread made", metadata={"page": 7}),
        Candidate("given", embedding=(vector_of("how is bread made") * 3).tolist()),
    ]
    found = await reranker(app).rerank(palace, RerankQuery("how is bread made", documents=documents))
    assert ids(found) == ["given", "near", "far"]  # equal scores go by id
    first = found.results[1]
    assert (first.score, *astuple(first.components)) == pytest.approx((1, 1, 0, 0), abs=1e-5)
    assert (first.id, first.text, first.metadata) == ("near", "how is bread made", {"page": 7})
    assert found.debug.weights == RerankWeights(dense=1.0, narrative=0.6, pheromone=0.3)


async def test_drawers_come_with_their_text_and_their_place(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    question = RerankQuery("knead the dough", drawer_ids=list(drawers.values()), top_k=3)
    found = await reranker(app).rerank(palace, question)
    assert ids(found)[0] == drawers[BREAD]
    assert len(ids(found)) == 3
    best = found.results[0]
    assert best.text == BREAD
    assert (best.metadata["wing"], best.metadata["room"]) == ("kitchen", "bread")


async def test_a_memory_helps_questions_like_those_it_answered_and_no_others(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    await remember(app, drawers[ROSES], "what about loaves", 0.5)
    rerank = reranker(app)

    async def narratives(words: str) -> dict[str, float]:
        found = await rerank.rerank(palace, RerankQuery(words, drawer_ids=list(drawers.values())))
        return {place.id: place.components.narrative for place in found.results}

    like = await narratives("what about loaves")
    assert like.pop(drawers[ROSES]) == pytest.approx(0.5 * (1 - 0.3), abs=1e-5)
    assert set(like.values()) == {0}  # fault: one global vector, so that what one answered moves all
    assert set((await narratives("shears in autumn")).values()) == {0}
    best = await rerank.rerank(palace, RerankQuery("what about loaves", drawer_ids=list(drawers.values()), top_k=1))
    assert ids(best) == [drawers[ROSES]]
    place = best.results[0]
    dense, narrative, pheromone = astuple(place.components)
    assert place.score == pytest.approx(dense + 0.6 * narrative + 0.3 * pheromone)


async def test_a_memory_of_another_model_says_nothing(app: GraphPalace, palace: str) -> None:
    drawer = (await furnish(app, palace))[ROSES]
    await app.database.write(
        None, "tests/remember", drawer=drawer, vector=to_bytes(np.ones(3, np.float32)), strength=1.0
    )
    found = await reranker(app).rerank(palace, RerankQuery("roses", drawer_ids=[drawer]))
    assert found.results[0].components.narrative == 0


async def test_a_memory_fades_as_success_does_but_not_in_deterministic_mode(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    question = "what about loaves"
    await app.learning.feedback.give(palace, question=SearchRequest(question), useful={drawers[ROSES]: 1.0})
    rerank = reranker(app)

    async def narrative(*, deterministic: bool = False) -> float:
        asked = RerankQuery(question, drawer_ids=[drawers[ROSES]], deterministic=deterministic)
        return (await rerank.rerank(palace, asked)).results[0].components.narrative

    fresh = 0.3 * (1 - 0.3)  # a full reward makes a strength of .3, and the floor is .3
    assert await narrative() == pytest.approx(fresh, abs=1e-5)
    await app.database.write(palace, "tests/advance_clock", cycles=69)
    assert await narrative() == pytest.approx(fresh * 0.99**69, abs=1e-5)  # half of it
    assert await narrative(deterministic=True) == pytest.approx(fresh, abs=1e-5)


async def test_pheromones_fade_by_the_wall_clock_as_everywhere_in_the_palace(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    await reward(app, palace, drawers[BREAD])
    rerank = reranker(app)
    assert await pheromone_of(rerank, palace, drawers[BREAD]) == pytest.approx(LAID)
    assert await pheromone_of(rerank, palace, drawers[ROSES]) == 0
    await app.database.write(palace, "tests/advance_clock", cycles=7)
    after = pytest.approx((0.2 * 0.98**7 + 0.99**7 / 3) / 2)
    assert await pheromone_of(rerank, palace, drawers[BREAD]) == after
    await decay_of(app.database).apply(palace)
    assert await pheromone_of(rerank, palace, drawers[BREAD]) == after
    await app.database.write(palace, "tests/advance_clock", cycles=5000)
    assert await pheromone_of(rerank, palace, drawers[BREAD]) == 0


async def test_other_strategies_count_from_when_it_was_laid_whether_the_decay_ran_or_not(
    app: GraphPalace, palace: str
) -> None:
    drawer = (await furnish(app, palace))[BREAD]
    await reward(app, palace, drawer)
    await app.database.write(palace, "tests/advance_clock", cycles=7)
    expected = (
        (Exponential(7 * CYCLE_S), LAID / 2),
        (Step(7 * CYCLE_S), 0),
        (Step(8 * CYCLE_S), LAID),
        (NoDecay(), LAID),
    )
    for _ in range(2):
        for strategy, left in expected:
            assert await pheromone_of(reranker(app, strategy=strategy), palace, drawer) == pytest.approx(left)
        await decay_of(app.database).apply(palace)


async def test_a_drawer_that_was_reached_from_another_one_is_dated_by_that_way(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    snapshot = await app.replica.snapshots.get(palace)
    similar = next(edge for edge in await edges_of(app.database, palace) if edge["type"] == "SIMILAR_TO")
    trail = trail_between(snapshot, similar["from"], similar["to"])
    await app.pheromones.deposits.path_success(palace, trail, deposit_id="similar")
    await app.database.write(palace, "tests/advance_clock", cycles=7)
    await decay_of(app.database).apply(palace)
    rerank = reranker(app, strategy=Exponential(7 * CYCLE_S))
    assert similar["to"] in drawers.values()
    assert await pheromone_of(rerank, palace, similar["to"]) == pytest.approx(0.2 / 2 / 2)


async def test_deterministic_mode_freezes_the_decay_and_explores_nothing(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    await reward(app, palace, drawers[BREAD])
    rerank = reranker(app, options=RerankSettings(epsilon=1.0))
    question = RerankQuery("a knife", drawer_ids=list(drawers.values()), top_k=4, deterministic=True)
    first = await rerank.rerank(palace, question)
    assert (first.debug.deterministic, first.debug.epsilon_used, first.debug.explored) == (True, 0, [])
    for _ in range(3):
        await app.database.write(palace, "tests/advance_clock", cycles=12)
        await decay_of(app.database).apply(palace)
        again = await rerank.rerank(palace, question)
        assert ids(again) == ids(first)
        assert [place.score for place in again.results] == pytest.approx([place.score for place in first.results])
    free = (await rerank.rerank(palace, replace(question, deterministic=False))).debug
    assert (free.deterministic, free.epsilon_used, len(free.explored)) == (False, 1, 1)
    assert await pheromone_of(rerank, palace, drawers[BREAD], deterministic=True) == pytest.approx(LAID)
    assert await pheromone_of(rerank, palace, drawers[BREAD]) < 0.8 * LAID


async def test_a_service_that_is_started_anew_explores_the_same(app: GraphPalace, palace: str) -> None:
    question = RerankQuery("x", documents=[Candidate(f"d{at:02}", f"word{at}") for at in range(20)])

    async def explored(seed: int) -> list[list[PromotedDocument]]:
        rerank = reranker(app, options=RerankSettings(epsilon=0.5, seed=seed))
        return [(await rerank.rerank(palace, question)).debug.explored for _ in range(12)]

    first = await explored(1337)
    assert 0 < sum(map(bool, first)) < 12
    assert await explored(1337) == first
    assert await explored(7) != first


async def test_pheromones_can_be_taken_at_any_moment_whatever_the_decay_did_since(
    app: GraphPalace, palace: str
) -> None:
    drawer = (await furnish(app, palace))[BREAD]
    await reward(app, palace, drawer)
    soon = datetime.now(UTC) + timedelta(seconds=10 * CYCLE_S + 60)
    expected = pytest.approx((0.2 * 0.98**10 + 0.99**10 / 3) / 2)
    assert await pheromone_of(reranker(app), palace, drawer, reference_time=soon) == expected
    # The clock goes on by 20 cycles, so that the same moment of the palace lies 20 hours of real time earlier.
    await app.database.write(palace, "tests/advance_clock", cycles=20)
    await decay_of(app.database).apply(palace)
    moment = soon - timedelta(seconds=20 * CYCLE_S)
    assert await pheromone_of(reranker(app), palace, drawer, reference_time=moment) == expected
    before = moment - timedelta(days=300)
    assert await pheromone_of(reranker(app), palace, drawer, reference_time=before) == pytest.approx(LAID)
    for end, left in ((datetime.min, LAID), (datetime.max, 0)):
        at = end.replace(tzinfo=UTC)
        assert await pheromone_of(reranker(app), palace, drawer, reference_time=at) == pytest.approx(left)


async def test_reading_never_changes_the_palace(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    await reward(app, palace, drawers[BREAD])
    await remember(app, drawers[ROSES], "roses", 1.0)
    before = await nodes_of(app.database, palace), await edges_of(app.database, palace)
    question = RerankQuery("roses", drawer_ids=list(drawers.values()), deterministic=False)
    answers = [await reranker(app).rerank(palace, question) for _ in range(20)]
    assert all(answer.results == answers[0].results for answer in answers)  # fault: each read was a penalty
    assert (await nodes_of(app.database, palace), await edges_of(app.database, palace)) == before


async def test_palaces_do_not_leak_into_each_other(app: GraphPalace, palace: str) -> None:
    mine = (await furnish(app, palace))[BREAD]
    await reward(app, palace, mine)
    await remember(app, mine, "bread", 1.0)
    other = spare_name()
    await app.create_palace(other)
    try:
        same = (await furnish(app, other))[BREAD]
        assert same != mine
        place = (await reranker(app).rerank(other, RerankQuery("bread", drawer_ids=[same]))).results[0].components
        assert (place.narrative, place.pheromone) == (0, 0)
        for question in (
            RerankQuery("bread", drawer_ids=[mine]),
            RerankQuery("bread", documents=[Candidate("a", "bread", drawer_id=mine)]),
        ):
            with pytest.raises(NotFound, match=f"drawer '{mine}' is not in palace '{other}'"):
                await reranker(app).rerank(other, question)
    finally:
        await app.drop_palace(other)


async def test_what_one_service_learned_another_one_knows_at_once(
    app: GraphPalace, palace: str, settings: Settings
) -> None:
    drawers = await furnish(app, palace)
    other = wiring.wire(settings, embedder=WordEmbedder())
    question = RerankQuery("bread", drawer_ids=[drawers[BREAD]], deterministic=True)
    try:
        assert (await other.rerank.rerank(palace, question)).results[0].components.pheromone == 0
        await reward(app, palace, drawers[BREAD])
        await remember(app, drawers[BREAD], "bread", 0.5)
        place = (await other.rerank.rerank(palace, question)).results[0].components
        assert (place.pheromone, place.narrative) == pytest.approx((LAID, 0.35), abs=1e-5)
    finally:
        await other.database.close()


async def test_a_document_may_stand_for_a_drawer(app: GraphPalace, palace: str) -> None:
    drawer = (await furnish(app, palace))[BREAD]
    await reward(app, palace, drawer)
    documents = [Candidate("summary", "on kneading", drawer_id=drawer), Candidate("plain", "on kneading")]
    found = await reranker(app).rerank(palace, RerankQuery("kneading", documents=documents))
    assert [(place.id, place.components.pheromone) for place in found.results] == [
        ("summary", pytest.approx(LAID)),
        ("plain", 0),
    ]


async def test_the_order_in_which_candidates_are_given_does_not_matter(app: GraphPalace, palace: str) -> None:
    random = np.random.default_rng(3)
    vectors = unit_rows(random.standard_normal((300, 384)).astype(np.float32))
    documents = [Candidate(f"d{at}", embedding=row.tolist()) for at, row in enumerate(vectors)]
    rerank = reranker(app, options=RerankSettings(epsilon=0, mmr_lambda=0.5))
    question = RerankQuery(query_embedding=vectors[0].tolist(), documents=documents)
    first = await rerank.rerank(palace, question)
    shuffled = [documents[at] for at in random.permutation(300)]
    again = await rerank.rerank(palace, replace(question, documents=shuffled))
    assert (again.results, again.debug) == (first.results, first.debug)


async def test_one_bound_of_the_gate_may_be_given_alone(app: GraphPalace, palace: str) -> None:
    documents = [Candidate(f"d{at:03}", f"word{at}") for at in range(60)]
    question = RerankQuery("word7", documents=documents, gating_max_candidates=5)
    gate = (await reranker(app).rerank(palace, question)).debug.gating
    assert (gate.effective_candidate_count, gate.total_candidates, gate.use_gating) == (5, 60, True)
    off = (await reranker(app).rerank(palace, replace(question, gating_mode="off"))).debug.gating
    assert (off.effective_candidate_count, off.use_gating) == (60, False)


async def test_lambda_is_clamped_and_told(app: GraphPalace, palace: str) -> None:
    documents = [Candidate("a", "bread"), Candidate("b", "roses")]
    for given, used in ((7.0, 1), (-2.0, 0), (0.3, 0.3), (None, 1)):
        question = RerankQuery("bread", documents=documents, mmr_lambda=given)
        assert (await reranker(app).rerank(palace, question)).debug.mmr_lambda_used == used


async def test_no_documents_are_no_mistake(app: GraphPalace, palace: str) -> None:
    found = await reranker(app).rerank(palace, RerankQuery("bread", documents=[]))
    assert (ids(found), found.debug.gating.total_candidates) == ([], 0)
    assert ids(await reranker(app).rerank(palace, RerankQuery("bread", drawer_ids=[]))) == []


GOOD = Candidate("a", "bread")
OPTIONS = RerankSettings(max_top_k=12, max_documents=2, max_text_chars=10)
MISTAKES: list[tuple[RerankQuery, type[GraphPalaceError], str]] = [
    (RerankQuery(" ", documents=[GOOD]), EmptyQuery, "query is empty"),
    (RerankQuery("x"), InvalidInput, "give documents or drawer_ids"),
    (RerankQuery("x", documents=[GOOD], drawer_ids=["a"]), InvalidInput, "give documents or drawer_ids"),
    (RerankQuery("x", documents=[GOOD, GOOD]), InvalidInput, "documents has 'a' twice"),
    (RerankQuery("x", drawer_ids=["b", "b"]), InvalidInput, "drawer_ids has 'b' twice"),
    (RerankQuery("x", documents=[Candidate("a", " ")]), InvalidInput, r"documents.0.text is blank"),
    (RerankQuery("x", documents=[Candidate("a", "\ud800")]), InvalidInput, r"documents.0.text has a lone surrogate"),
    (RerankQuery("x", documents=[GOOD], top_k=0), InvalidInput, "top_k is 0; it must be 1 to 12"),
    (RerankQuery("x", documents=[GOOD], top_k=13), BadRequest, r"top_k is 13; at most 12 .*max_top_k"),
    (RerankQuery("x", drawer_ids=["a", "b", "c"]), BadRequest, r"drawer_ids has 3 items; at most 2"),
    (
        RerankQuery("x", documents=[Candidate("a", "y" * 11)]),
        TooLarge,
        r"documents.0.text has 11 characters; at most",
    ),
    (RerankQuery("x", documents=[GOOD], mmr_lambda=float("nan")), InvalidInput, "mmr_lambda is not a number"),
    (RerankQuery("x", documents=[GOOD], gating_entropy_temp=0.0), InvalidInput, "gating_entropy_temp is 0"),
    (
        RerankQuery("x", documents=[GOOD, Candidate("b", embedding=[1.0])]),
        WrongDimension,
        r"documents.1.embedding has 1",
    ),
    (RerankQuery(query_embedding=[0.0] * 384, documents=[GOOD]), WrongDimension, "query_embedding must be finite"),
    (RerankQuery("x", drawer_ids=["b", "a"]), NotFound, "drawer 'a' and 1 more is not in palace"),
    (RerankQuery("x", documents=[Candidate("a", "y", drawer_id="no")]), NotFound, "drawer 'no' is not in palace"),
]


@pytest.mark.parametrize(("question", "error", "message"), MISTAKES, ids=[message[:40] for *_, message in MISTAKES])
async def test_what_cannot_be_ranked_is_refused_with_field_and_value(
    app: GraphPalace, palace: str, question: RerankQuery, error: type[GraphPalaceError], message: str
) -> None:
    with pytest.raises(error, match=message):
        await reranker(app, options=OPTIONS).rerank(palace, question)


async def test_a_palace_that_is_not_there_is_named(app: GraphPalace) -> None:
    with pytest.raises(NotFound, match="there is no palace 'nosuch'"):
        await reranker(app).rerank("nosuch", RerankQuery("x", documents=[GOOD, Candidate("b", embedding=[1.0])]))
    with pytest.raises(NotFound, match="there is no palace 'nosuch'"):
        await reranker(app).rerank("nosuch", RerankQuery("x", drawer_ids=[]))
    with pytest.raises(NotFound, match="there is no palace 'nosuch'"):
        await reranker(app).order("nosuch", vector_of("x"), [("a", 1.0)], top_k=1)


class SlowEmbedder(WordEmbedder):
    """A model that takes its time."""

    def embed(self, texts: Sequence[str]) -> Matrix:
        time.sleep(0.5)
        return super().embed(texts)


async def test_the_event_loop_stays_free_meanwhile(app: GraphPalace, palace: str) -> None:
    vectors = unit_rows(np.random.default_rng(1).standard_normal((1000, 384)).astype(np.float32)).tolist()
    documents = [Candidate(f"d{at}", embedding=row) for at, row in enumerate(vectors)]
    rerank = reranker(app, embedder=SlowEmbedder())
    running = asyncio.create_task(rerank.rerank(palace, RerankQuery("x", documents=documents, gating_mode="off")))
    rounds = 0
    while not running.done():
        await asyncio.sleep(0.005)
        rounds += 1
    assert len((await running).results) == 10
    assert rounds > 10  # about a hundred, and one or two if anything waited for the model in the loop


async def test_the_last_stage_of_a_search_keeps_its_order_where_nothing_was_learned(
    app: GraphPalace, palace: str
) -> None:
    drawers = list((await furnish(app, palace)).values())
    hits = [(drawer, 0.08 - 0.01 * at) for at, drawer in enumerate(drawers)]
    order = await reranker(app).order(palace, vector_of("unrelated"), [*hits, ("gone", 0.07)], top_k=8)
    assert [place.id for place in order.places] == drawers
    assert [place.components.dense for place in order.places] == pytest.approx([1 - at / 8 for at in range(8)])


async def test_the_last_stage_of_a_search_lifts_what_answered_such_a_question(app: GraphPalace, palace: str) -> None:
    drawers = list((await furnish(app, palace)).values())
    await remember(app, drawers[2], "loaves", 1.0)
    hits = [(drawer, 0.08 - 0.01 * at) for at, drawer in enumerate(drawers)]
    rerank = reranker(app)
    order = await rerank.order(palace, vector_of("loaves"), hits, top_k=3)
    assert [place.id for place in order.places] == [drawers[2], drawers[0], drawers[1]]
    assert order.places[0].score == pytest.approx(0.75 + 0.6 * 0.7, abs=1e-5)
    light = await rerank.order(palace, vector_of("loaves"), hits, top_k=3, weights=RerankWeights(narrative=0.2))
    assert [place.id for place in light.places] == [drawers[0], drawers[2], drawers[1]]  # .75 + .14 against .875
    assert (await rerank.order(palace, vector_of("loaves"), [], top_k=3)).places == []


async def test_a_new_drawer_can_be_ranked_at_once(app: GraphPalace, palace: str) -> None:
    await furnish(app, palace)
    drawer = (await app.drawers.add(palace, NewDrawer(text="rye bread", wing="kitchen"))).drawer.id
    found = await reranker(app).rerank(palace, RerankQuery("rye bread", drawer_ids=[drawer]))
    assert found.results[0].components.dense == pytest.approx(1, abs=1e-5)
