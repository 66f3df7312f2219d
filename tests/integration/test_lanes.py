"""Lanes of a search on a real Neo4j: what each finds, what becomes of one that fails, and what each part does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

import pytest
from tests.graphs import edges_of, nodes_of
from tests.publications import write_publications
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder

from graphpalace.app import GraphPalace
from graphpalace.domain.palaces.palaces import PalaceVersion
from graphpalace.domain.search.answer import Answer, Ranking, SearchPlan
from graphpalace.domain.search.conditions import conditions_of
from graphpalace.domain.search.request import PARTS, SearchRequest
from graphpalace.domain.vectors import Matrix
from graphpalace.embedding.embedder import Embedder
from graphpalace.errors import DatabaseFailed, EmbeddingFailed, GraphPalaceError, InvalidInput, NotFound, SearchTimedOut
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.operations.search.lanes.entity import EntityLane
from graphpalace.operations.search.lanes.fulltext import FulltextLane
from graphpalace.operations.search.lanes.lane import Lane, LaneQuery, SemanticLane
from graphpalace.operations.search.lanes.path import McmpLane, PathLane
from graphpalace.operations.search.recall import Recall
from graphpalace.operations.search.side_by_side import SearchLanes
from graphpalace.replica.node_vectors import NodeVectors
from graphpalace.replica.palace_models import PalaceModels
from graphpalace.settings.sections.search import PlanSettings
from graphpalace.store.connection.database import Database, Row
from graphpalace.store.search.drawer_columns import DrawerVectorStore
from graphpalace.vectors.drawer_rows import Filter

TEXTS = (
    "the dog walked home",
    "the dog walks home",
    "the dog is walking home",
    "def min_cost(edge) returns a number",
    "readConfig opens the settings",
    "os.path.join glues names",
    "roses need pruning in spring",
    "pruning tomatoes is easy",
    "apples keep in a cold cellar",
)

TOO_LONG = "took longer than 0.5 s (search.lane_timeout_s, or most of the request's time)"


@pytest.fixture(scope="module")
async def notes(app: GraphPalace) -> AsyncIterator[str]:
    """A palace of one line each, and a drawer whose title says what its text does not; no test changes it."""
    name = spare_name()
    await app.create_palace(name)
    for text in TEXTS:
        await app.drawers.add(name, NewDrawer(text=text, wing="notes"))
    hall = NewDrawer(text="it stands beside the door", wing="notes", title="Umbrella", source_uri="notes:hall")
    await app.drawers.add(name, hall)
    yield name
    await app.drop_palace(name)


def recall_of(
    app: GraphPalace,
    *,
    lanes: Sequence[Lane] | None = None,
    embedder: Embedder | None = None,
    path: PathLane | None = None,
    **settings: Any,
) -> Recall:
    """Return a search beside the app's own, with nothing remembered."""
    path = path or PathLane(app.replica.indexes, app.replica.snapshots, NodeVectors(app.replica.indexes))
    lanes = lanes or (SemanticLane(app.replica.indexes), FulltextLane(app.database))
    return Recall.of(
        app.database,
        app.replica.indexes,
        app.replica.models if embedder is None else PalaceModels(app.database, embedder),
        SearchLanes(
            lanes,
            path,
            McmpLane(app.replica.indexes, agents=20, steps=5),
            EntityLane(app.replica.indexes, app.replica.known_names),
        ),
        learning=app.replica.learning,
        searches=app.history.searches,
        rerank=app.rerank,
        known_facts=app.replica.known_facts,
        settings=app.settings.search.model_copy(update={"weights": {}, "presets": {}} | settings),
    )


async def publication(app: GraphPalace, palace: str, drawer: str) -> str | None:
    """Return the number of the publication that a drawer is a part of."""
    return (await app.drawers.read(palace, drawer)).pub_id


async def found(app: GraphPalace, palace: str, query: str, **how: Any) -> list[str]:
    """Return what the full-text lane finds."""
    answer = await app.recall.search(palace, SearchRequest(query, lanes=["fulltext"], **how))
    return [hit.text for hit in answer.hits]


def told(answer: Answer) -> list[Any]:
    """Return all of an answer but its times."""
    return [answer.plan, answer.left_out, [(hit.id, hit.score, hit.lanes, hit.trail) for hit in answer.hits]]


@pytest.mark.parametrize("form", ["walked", "walks", "walking"])
async def test_all_forms_of_a_word_are_found_and_its_own_form_first(app: GraphPalace, notes: str, form: str) -> None:
    hits = await found(app, notes, form)
    assert len(hits) == 3
    assert form in hits[0]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("cost", "def min_cost(edge) returns a number"),
        ("min_cost", "def min_cost(edge) returns a number"),
        ("config", "readConfig opens the settings"),
        ("readconfig", "readConfig opens the settings"),
        ("read_config", "readConfig opens the settings"),
        ("join", "os.path.join glues names"),
        ("path.join", "os.path.join glues names"),
    ],
)
async def test_identifiers_are_found_whole_and_by_their_parts(
    app: GraphPalace, notes: str, query: str, text: str
) -> None:
    assert await found(app, notes, query) == [text]


async def test_words_of_a_title_find_its_drawers(app: GraphPalace, notes: str) -> None:
    assert await found(app, notes, "umbrellas") == ["it stands beside the door"]
    assert await found(app, notes, "umbrellas", without=frozenset({"titles"})) == []


async def test_words_side_by_side_as_in_the_question_are_worth_more(app: GraphPalace, palace: str) -> None:
    others = [f"my house number {number}" for number in ("one", "two", "six", "ten", "nine", "zero", "three", "five")]
    for text in ("my spare key box", "my key spare box", *others):
        await app.drawers.add(palace, NewDrawer(text=text, wing="w"))

    async def scores(query: str, **how: Any) -> dict[str, float]:
        answer = await app.recall.search(palace, SearchRequest(query, lanes=["fulltext"], **how))
        return {hit.text: hit.lanes["fulltext"].score for hit in answer.hits}

    loose = await scores("spare key", without=frozenset({"phrases"}))
    assert loose["my spare key box"] == pytest.approx(loose["my key spare box"])
    close = await scores("spare key")
    # Two words in 2 of 10 drawers of four words each: .4 x 2 ln(1 + 8.5 / 2.5) / 2.2
    assert close["my spare key box"] - loose["my spare key box"] == pytest.approx(0.5388, abs=1e-4)
    assert close["my key spare box"] == pytest.approx(loose["my key spare box"])
    # "house" is in eight of them and "my" in all: beside "key" they are common, and say nothing by standing together.
    assert await scores("my house key") == await scores("my house key", without=frozenset({"phrases"}))
    plain = recall_of(app, lanes=[FulltextLane(app.database, phrase_weight=0.0)])
    answer = await plain.search(palace, SearchRequest("spare key", lanes=["fulltext"]))
    assert {hit.text: hit.lanes["fulltext"].score for hit in answer.hits} == loose


async def test_what_was_measured_of_words_is_measured_again_after_a_change(app: GraphPalace, palace: str) -> None:
    for text in ("a spare key", "a key spare", "one", "two", "three", "four", "five", "six"):
        await app.drawers.add(palace, NewDrawer(text=text, wing="w"))
    question = SearchRequest("spare key", lanes=["fulltext"])
    before = await app.recall.search(palace, question)
    assert [hit.text for hit in before.hits] == ["a spare key", "a key spare"]
    for number in range(20):
        await app.drawers.add(palace, NewDrawer(text=f"spare key {number}", wing="w"))
    # Whoever notices first, nobody stumbles over it.
    answers = await asyncio.gather(*(app.recall.search(palace, question) for _ in range(8)))
    fresh = await recall_of(app, lanes=[FulltextLane(app.database)]).search(palace, question)
    assert [told(answer)[1:] for answer in answers] == [told(fresh)[1:]] * 8


async def test_a_large_palace_is_searched_in_a_thread_and_answers_as_a_small_one(
    app: GraphPalace, notes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def scores(answer: Answer) -> dict[str, Any]:
        return {hit.id: pytest.approx(hit.score, abs=1e-6) for hit in answer.hits}

    # Only by meaning: Lucene may clean up between two searches, and then weighs words anew.
    by_meaning = SearchRequest("", top_k=3, lanes=("semantic",))
    questions = [replace(by_meaning, query=text, wing=wing) for text in TEXTS for wing in (None, "notes")]
    small = [await app.recall.search(notes, question) for question in questions]
    monkeypatch.setattr("graphpalace.vectors.vector_rows._QUICK_PRODUCT", 0)
    large = [await app.recall.search(notes, question) for question in questions]
    for one, other in zip(small, large, strict=True):
        assert {hit.id: hit.score for hit in other.hits} == scores(one)


async def test_lanes_share_what_one_of_them_reads_of_the_palace(
    app: GraphPalace, notes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await app.recall.search(notes, SearchRequest("roses"))
    read, names = Database.read, list[str]()
    own = ContextVar("own", default=False)
    own.set(True)

    async def counted(self: Database, palace: str | None, name: str, /, **params: Any) -> list[Row]:
        if own.get():  # other parts of the app read in the background
            names.append(name)
        return await read(self, palace, name, **params)

    monkeypatch.setattr(Database, "read", counted)
    await app.recall.search(notes, SearchRequest("roses"))
    assert names == ["search/search_fulltext", "drawers/read_drawers"]
    names.clear()
    slow = recall_of(app, lanes=[Broken("fulltext"), SemanticLane(app.replica.indexes)], lane_timeout_s=1.0)
    assert (await slow.search(notes, SearchRequest("roses"))).hits
    assert names == ["search/read_changes", "drawers/read_drawers"]


async def test_a_question_of_many_words_and_signs_is_answered(app: GraphPalace, notes: str) -> None:
    for query in ("?", "... -- !!", "roses " * 3000, " ".join(f"word_{number}" for number in range(500))):
        await app.recall.search(notes, SearchRequest(query))


@dataclass
class Broken:
    """A lane that never answers: it fails, or it sleeps."""

    name: str
    error: GraphPalaceError | None = None
    needs_vector: bool = False

    async def rank(self, palace: str, asked: LaneQuery) -> Ranking:
        del palace, asked
        if self.error is None:
            await asyncio.sleep(60)
        raise self.error or AssertionError


class BrokenEmbedder(WordEmbedder):
    """A model that fails after some seconds."""

    def __init__(self, seconds: float = 0.0) -> None:
        self._seconds = seconds

    def embed(self, texts: Sequence[str]) -> Matrix:
        del texts
        time.sleep(self._seconds)
        raise EmbeddingFailed("the model is gone")


class BrokenPath(PathLane):
    """A path lane that fails."""

    async def walk(self, *_args: object, **_more: object) -> NoReturn:
        raise DatabaseFailed("the graph is gone")


@pytest.mark.parametrize("error", [DatabaseFailed("no disk"), EmbeddingFailed("no model")])
@pytest.mark.parametrize("broken", ["fulltext", "semantic"])
async def test_a_lane_that_fails_is_left_out_and_the_answer_says_so(
    app: GraphPalace, notes: str, error: GraphPalaceError, broken: str
) -> None:
    real = {"fulltext": FulltextLane(app.database), "semantic": SemanticLane(app.replica.indexes)}
    recall = recall_of(app, lanes=[*(real | {broken: Broken(broken, error)}).values()])
    answer = await recall.search(notes, SearchRequest("pruning roses"))
    assert answer.left_out == {broken: error.message}
    assert answer.hits[0].text == "roses need pruning in spring"
    assert {lane for hit in answer.hits for lane in hit.lanes} == real.keys() - {broken}


async def test_without_the_embedding_model_the_words_answer(app: GraphPalace, notes: str) -> None:
    recall = recall_of(app, embedder=BrokenEmbedder())
    answer = await recall.search(notes, SearchRequest("pruning roses"))
    assert answer.left_out == {"semantic": "the model is gone"}
    assert answer.hits[0].text == "roses need pruning in spring"
    walked = await recall.search(notes, SearchRequest("pruning roses", lanes=["fulltext", "semantic", "path"]))
    assert walked.left_out == {"semantic": "the model is gone", "path": "the model is gone"}
    assert told(walked)[2] == told(answer)[2]
    with pytest.raises(EmbeddingFailed, match="the model is gone"):
        await recall.search(notes, SearchRequest("pruning roses", lanes=["semantic"]))


async def test_words_alone_need_no_embedding(app: GraphPalace, notes: str) -> None:
    asked: list[str] = []

    class Counting(WordEmbedder):
        def embed(self, texts: Sequence[str]) -> Matrix:
            asked.extend(texts)
            return super().embed(texts)

    recall = recall_of(app, embedder=Counting())
    await recall.search(notes, SearchRequest("roses", lanes=["fulltext"]))
    assert asked == []
    await recall.search(notes, SearchRequest("roses"))
    assert asked == ["roses"]


async def test_a_slow_lane_is_left_out_when_its_time_is_over(app: GraphPalace, notes: str) -> None:
    recall = recall_of(app, lanes=[SemanticLane(app.replica.indexes), Broken("fulltext")], lane_timeout_s=0.5)
    start = time.perf_counter()
    answer = await recall.search(notes, SearchRequest("pruning roses"))
    assert 0.5 <= time.perf_counter() - start < 5
    assert answer.left_out == {"fulltext": TOO_LONG}
    assert answer.hits[0].text == "roses need pruning in spring"


@pytest.mark.parametrize("lanes", [["fulltext"], ["fulltext", "semantic"], ["fulltext", "semantic", "path"]])
async def test_a_search_that_no_lane_answers_in_time_is_told_to_come_again(
    app: GraphPalace, notes: str, lanes: list[str]
) -> None:
    recall = recall_of(app, lanes=[Broken("semantic"), Broken("fulltext")], lane_timeout_s=0.05)
    with pytest.raises(SearchTimedOut, match=r"no lane answered within search\.lane_timeout_s, 0\.05 s"):
        await recall.search(notes, SearchRequest("pruning roses", lanes=lanes))


async def test_a_slow_embedding_leaves_out_what_waits_for_it(app: GraphPalace, notes: str) -> None:
    recall = recall_of(app, embedder=BrokenEmbedder(seconds=2), lane_timeout_s=0.5)
    answer = await recall.search(notes, SearchRequest("pruning roses"))
    assert answer.left_out == {"semantic": TOO_LONG}
    assert answer.timings_ms["total"] < 1900
    assert answer.hits[0].text == "roses need pruning in spring"


async def test_a_rerank_that_has_nothing_to_compare_with_is_left_out_and_told(app: GraphPalace, notes: str) -> None:
    recall = recall_of(app, embedder=BrokenEmbedder())
    answer = await recall.search(notes, SearchRequest("pruning roses", rerank=True))
    assert answer.left_out == {
        "semantic": "the model is gone",
        "rerank": "the embedding of the question was not available in time",
    }
    assert [hit.reranked for hit in answer.hits] == [None] * len(answer.hits)
    assert answer.hits[0].text == "roses need pruning in spring"


async def test_the_time_that_a_model_takes_to_load_is_no_lanes_time(app: GraphPalace, notes: str) -> None:
    class Late(WordEmbedder):
        def load(self) -> None:
            time.sleep(1)

    answer = await recall_of(app, embedder=Late(), lane_timeout_s=0.5).search(notes, SearchRequest("pruning roses"))
    assert answer.left_out == {}
    assert answer.timings_ms["model"] >= 1000
    words = await recall_of(app, embedder=Late()).search(notes, SearchRequest("pruning roses", lanes=["fulltext"]))
    assert "model" not in words.timings_ms


async def test_a_path_lane_that_fails_is_left_out_unless_it_was_all(app: GraphPalace, notes: str) -> None:
    recall = recall_of(
        app, path=BrokenPath(app.replica.indexes, app.replica.snapshots, NodeVectors(app.replica.indexes))
    )
    answer = await recall.search(notes, SearchRequest("pruning roses", lanes=["fulltext", "path"]))
    assert answer.left_out == {"path": "the graph is gone"}
    assert {lane for hit in answer.hits for lane in hit.lanes} == {"fulltext"}
    with pytest.raises(DatabaseFailed, match="the graph is gone"):
        await recall.search(notes, SearchRequest("pruning roses", lanes=["path"]))


async def test_where_every_lane_fails_the_first_error_comes(app: GraphPalace, notes: str) -> None:
    broken = [Broken("semantic", EmbeddingFailed("no model")), Broken("fulltext", DatabaseFailed("no disk"))]
    recall = recall_of(app, lanes=broken)
    with pytest.raises(EmbeddingFailed, match="no model"):
        await recall.search(notes, SearchRequest("pruning roses"))
    with pytest.raises(NotFound, match="palace 'nowhere'"):
        await recall.search("nowhere", SearchRequest("pruning roses"))


async def test_a_plan_comes_from_preset_and_question(app: GraphPalace, notes: str) -> None:
    words = PlanSettings(lanes=("fulltext",), weights={"fulltext": 2.0, "semantic": 0.5}, fusion="rrf")
    recall = recall_of(app, weights={"semantic": 3.0}, presets={"words": words})
    for question, plan in (
        (SearchRequest("roses"), SearchPlan(("fulltext", "semantic", "entity"), {"semantic": 3.0}, "evidence")),
        (SearchRequest("roses", preset="words"), words.plan),
        (
            SearchRequest("roses", preset="words", lanes=["semantic", "fulltext"], weights={"fulltext": 4.0}),
            SearchPlan(("semantic", "fulltext"), {"fulltext": 4.0, "semantic": 0.5}, "rrf"),
        ),
        (
            SearchRequest("roses", preset="words", fusion="evidence"),
            SearchPlan(("fulltext",), words.plan.weights, "evidence"),
        ),
    ):
        answer = await recall.search(notes, question)
        assert answer.plan == plan
        assert {lane for hit in answer.hits for lane in hit.lanes} == set(plan.lanes) - {"entity"}  # it knows no names
        assert all((lane.evidence is None) == (plan.fusion == "rrf") for lane in answer.hits[0].lanes.values())


async def test_weights_decide_between_lanes(app: GraphPalace, notes: str) -> None:
    vector = app.embedder.embed(["apples keep in a cold cellar"])[0].tolist()
    for fusion in ("evidence", "rrf"):
        for weights, first in (
            ({"fulltext": 1000.0}, "os.path.join glues names"),
            ({"semantic": 1000.0}, "apples keep in a cold cellar"),
        ):
            question = SearchRequest("os.path.join", query_embedding=vector, weights=weights, fusion=fusion)
            answer = await app.recall.search(notes, question)
            assert answer.hits[0].text == first


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"preset": "wlak"}, "preset is 'wlak'; it must be some of rrf, walk"),
        ({"lanes": ["fulltext", "smell"]}, r"lanes is \['fulltext', 'smell'\]; it must be some of fulltext, semantic"),
        ({"lanes": []}, r"lanes is \[\]; it must be some of fulltext, semantic, entity, path"),
        ({"fusion": "cold"}, "fusion is 'cold'; it must be some of evidence, rrf"),
        (
            {"without": frozenset({"luck"})},
            r"without is \['luck'\]; it must be some of titles, exact words, phrases, sureness",
        ),
        ({"weights": {"smell": 1.0}}, "weights is 'smell'; it must be some of fulltext, semantic, entity, path"),
        ({"weights": {"fulltext": -1.0}}, "weights.fulltext is -1.0; it must be 0 to 1000"),
        ({"weights": {"fulltext": float("nan")}}, "weights.fulltext is nan; it must be 0 to 1000"),
        ({"weights": {"fulltext": 0.0, "semantic": 0.0}}, "weights are 0 for all of fulltext, semantic"),
        ({"weights": {"path": 0.0}, "lanes": ["path"]}, "weights are 0 for all of path; one must be above 0"),
    ],
)
async def test_what_is_not_known_is_refused_with_what_is(
    app: GraphPalace, palace: str, how: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        await app.recall.search(palace, SearchRequest("roses", **how))


async def test_the_pipeline_walks_flies_and_fuses(app: GraphPalace, notes: str) -> None:
    answer = await app.recall.search(notes, SearchRequest("roses", preset="pipeline", top_k=20, fold_duplicates=False))
    assert (answer.plan.lanes, answer.plan.fusion) == (("fulltext", "semantic", "path", "mcmp"), "rrf")
    assert answer.left_out == {}
    walked = {hit.id for hit in answer.hits if "path" in hit.lanes}
    flown = {hit.id for hit in answer.hits if "mcmp" in hit.lanes}
    assert flown == walked
    for hit in answer.hits:
        assert hit.score == pytest.approx(sum(1 / (60 + lane.rank) for lane in hit.lanes.values() if lane.rank))
        assert sum(lane.share for lane in hit.lanes.values()) == pytest.approx(1)


async def test_the_swarm_flies_among_what_the_walk_reached_and_nothing_else(app: GraphPalace, notes: str) -> None:
    near = (await app.recall.search(notes, SearchRequest("roses", lanes=["path"], top_k=20))).hits
    only_meaning = recall_of(app, lanes=[SemanticLane(app.replica.indexes), FulltextLane(app.database)], lane_depth=2)
    answer = await only_meaning.search(notes, SearchRequest("roses", lanes=["path", "mcmp"], top_k=20))
    walked = [hit.id for hit in answer.hits if "path" in hit.lanes]
    assert {hit.id for hit in answer.hits if "mcmp" in hit.lanes} == set(walked) <= {hit.id for hit in near}


async def test_without_presets_the_refusal_says_so(app: GraphPalace, palace: str) -> None:
    with pytest.raises(InvalidInput, match=r"none: the settings have no \[search.presets\]"):
        await recall_of(app).search(palace, SearchRequest("roses", preset="walk"))


async def test_conditions_hold_in_every_lane(app: GraphPalace, palace: str, tmp_path: Path) -> None:
    await app.ingesting.files([write_publications(tmp_path)], palace=palace, wing="patents")
    lanes = ["fulltext", "semantic", "path"]
    for given, expected in (
        (None, {"JP1", "US1", "US2", "US3"}),
        ({"country": ["US"]}, {"US1", "US2", "US3"}),
        ({"ipc": "H04L", "date_from": "2023-02-01"}, {"US1"}),
        ({"country": ["US"], "assignee": "nobody"}, set[str]()),
    ):
        question = SearchRequest("cipher key", conditions=conditions_of(given), lanes=lanes, top_k=50)
        answer = await app.recall.search(palace, question)
        assert {await publication(app, palace, hit.id) for hit in answer.hits} == expected
        assert answer.left_out == {}


# A question for each part, such that its answer cannot be the same without the part.
_NEEDING = {
    "titles": SearchRequest("umbrella at home"),
    "exact words": SearchRequest("the dog walking"),
    "phrases": SearchRequest("roses need what"),
    "sureness": SearchRequest("pruning in the cellar"),
    "looked-up cosines": SearchRequest(
        "cellar", query_embedding=WordEmbedder().embed(["roses need pruning"])[0].tolist(), top_k=2
    ),
    "rocchio": SearchRequest("pruning"),
}


@pytest.mark.parametrize("part", PARTS)
async def test_an_answer_changes_when_a_part_is_left_out(app: GraphPalace, notes: str, part: str) -> None:
    recall = recall_of(app, lane_depth=2)
    whole = await recall.search(notes, _NEEDING[part])
    less = await recall.search(notes, replace(_NEEDING[part], without=frozenset({part})))
    assert told(whole) != told(less)


async def test_each_part_does_what_it_says(app: GraphPalace, notes: str) -> None:
    recall = recall_of(app, lane_depth=2)

    async def lanes(question: SearchRequest, *without: str) -> list[dict[str, Any]]:
        answer = await recall.search(notes, replace(question, top_k=2, without=frozenset(without)))
        return [hit.lanes for hit in answer.hits]

    # No drawer has both words: the lane is sure of none, unless it is measured by itself.
    apart = SearchRequest("tomatoes cellar")
    assert max(hit["fulltext"].evidence for hit in await lanes(apart) if "fulltext" in hit) < 0.7
    sure = await lanes(apart, "sureness")
    assert max(hit["fulltext"].evidence for hit in sure if "fulltext" in hit) == 1
    # The words find one drawer, the embedding, of something else, two others.
    other = _NEEDING["looked-up cosines"]
    assert [hit["semantic"].rank for hit in await lanes(other) if "fulltext" in hit] == [None]
    assert [hit.keys() for hit in await lanes(other, "looked-up cosines") if "fulltext" in hit] == [{"fulltext"}]
    plain = await lanes(SearchRequest("pruning"), "rocchio")
    assert all(hit["semantic"].evidence == max(hit["semantic"].score, 0) for hit in plain)
    moved = await lanes(SearchRequest("pruning"))
    assert all(hit["semantic"].evidence > hit["semantic"].score for hit in moved)


async def test_a_word_that_a_question_repeats_weighs_more(app: GraphPalace, palace: str) -> None:
    for text in ("roses need pruning", "apples need storing"):
        await app.drawers.add(palace, NewDrawer(text=text, wing="notes"))
    for question, first in (
        ("roses apples apples", "apples need storing"),
        ("roses, apples, Roses", "roses need pruning"),
    ):
        answer = await recall_of(app).search(palace, SearchRequest(question, lanes=["fulltext"]))
        assert answer.hits[0].text == first
        assert answer.hits[0].score > answer.hits[1].score


async def test_ten_words_of_a_long_question_are_enough_for_the_full_evidence(app: GraphPalace, palace: str) -> None:
    trees = "oak elm ash yew fir pine beech birch maple willow"
    fishes = "salmon trout perch cod eel carp pike tuna herring bream"
    for text in (trees, fishes):
        await app.drawers.add(palace, NewDrawer(text=text, wing="notes"))
    question = SearchRequest(f"{trees} {fishes}", lanes=["fulltext"], without=frozenset({"phrases"}))
    answer = await recall_of(app).search(palace, question)
    # Each drawer has ten of the twenty words, as well as any drawer has them.
    assert [hit.lanes["fulltext"].evidence for hit in answer.hits] == [pytest.approx(1.0), pytest.approx(1.0)]


@pytest.mark.parametrize("lanes", [["fulltext", "semantic"], ["fulltext"]])
async def test_what_the_words_could_reach_follows_the_palace(app: GraphPalace, palace: str, lanes: list[str]) -> None:
    recall = recall_of(app)
    question = SearchRequest("pruning roses", lanes=lanes)
    evidence = set[float | None]()
    for text in ("roses in spring", "pruning apples", "pruning, pruning and pruning"):
        added = await app.drawers.add(palace, NewDrawer(text=text, wing="notes"))
        answer = await recall.search(palace, question)
        assert added.drawer.id in {hit.id for hit in answer.hits}
        assert told(answer) == told(await recall_of(app).search(palace, question))  # as one who remembers nothing
        evidence |= {hit.lanes["fulltext"].evidence for hit in answer.hits if hit.text == "roses in spring"}
    assert len(evidence) == 3


async def test_a_palace_that_was_made_anew_is_measured_anew(app: GraphPalace, palace: str) -> None:
    recall = recall_of(app)
    for text in ("roses and roses", "one rose among many other flowers of the garden"):
        assert (await app.database.read(palace, "search/read_changes", seen=0, loaded=False))[0]["revision"] == 0
        await app.drawers.add(palace, NewDrawer(text=text, wing="notes"))
        answer = await recall.search(palace, SearchRequest("roses", lanes=["fulltext"]))
        assert told(answer) == told(await recall_of(app).search(palace, SearchRequest("roses", lanes=["fulltext"])))
        await app.drop_palace(palace)
        await app.create_palace(palace)


_PRESETS = {
    "rrf": PlanSettings(weights={}, fusion="rrf"),
    "walk": PlanSettings(lanes=("fulltext", "semantic", "path"), weights={}),
}


async def test_the_same_question_has_the_same_answer(app: GraphPalace, notes: str) -> None:
    for preset in (None, "rrf", "walk"):
        question = SearchRequest("pruning roses at home", preset=preset)
        recall = recall_of(app, presets=_PRESETS)
        first = await recall.search(notes, question)
        assert told(await recall.search(notes, question)) == told(first)
        assert told(await recall_of(app, presets=_PRESETS).search(notes, question)) == told(first)


async def test_no_lane_and_no_fusion_changes_the_palace(app: GraphPalace, notes: str) -> None:
    before = await nodes_of(app.database, notes), await edges_of(app.database, notes)
    for preset in (None, "rrf", "walk"):
        assert (await app.recall.search(notes, SearchRequest("pruning roses", preset=preset))).hits
    assert (await nodes_of(app.database, notes), await edges_of(app.database, notes)) == before


async def test_a_swarm_ranks_what_the_other_lanes_found_and_always_alike(app: GraphPalace, notes: str) -> None:
    question = SearchRequest("walking", lanes=["fulltext", "semantic", "mcmp"])
    answers = [await app.recall.search(notes, question) for _ in range(2)]
    assert told(answers[0]) == told(answers[1])
    first = answers[0].hits[0].lanes["mcmp"]
    assert first.rank == 1
    assert first.score >= first.evidence * 1.6 - 1e-6  # the greatest relevance is 1 + .5 + .1
    assert 0 < first.evidence <= 1


async def test_a_swarm_alone_begins_at_what_words_and_meaning_find(app: GraphPalace, notes: str) -> None:
    answer = await app.recall.search(notes, SearchRequest("walking", lanes=["mcmp"]))
    assert answer.hits
    assert all(set(hit.lanes) == {"mcmp"} for hit in answer.hits)
    assert {"fulltext", "semantic", "mcmp"} <= answer.timings_ms.keys()


async def read_by_fulltext(app: GraphPalace, palace: str, query: str) -> PalaceVersion | None:
    """Return what the lane's statement says of where the palace stands."""

    async def never() -> NoReturn:
        raise AssertionError("this lane needs no vector")

    return (await FulltextLane(app.database).read(palace, LaneQuery(query, never, Filter(), 10))).state


async def test_the_fulltext_statement_tells_where_the_palace_stands_as_the_feed_does(
    app: GraphPalace, notes: str
) -> None:
    told = await read_by_fulltext(app, notes, "pruning roses")
    read = await DrawerVectorStore(app.database).changes(notes, since=None)
    assert told is not None and read is not None
    assert told.since_ms == pytest.approx(read[0].since_ms, abs=60_000)
    assert replace(told, since_ms=0) == replace(read[0], since_ms=0)


async def test_a_question_without_words_leaves_it_to_others_to_look_where_the_palace_stands(
    app: GraphPalace, notes: str
) -> None:
    assert await read_by_fulltext(app, notes, "") is None
