"""Ingest and search on a real Neo4j."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.graphs import edges_of, nodes_of
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder

from graphpalace.app import GraphPalace, wire
from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.vectors import Matrix
from graphpalace.errors import EmptyQuery, InvalidInput, NotFound, WrongDimension
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.operations.search.lanes.entity import EntityLane
from graphpalace.operations.search.lanes.fulltext import FulltextLane
from graphpalace.operations.search.lanes.lane import SemanticLane
from graphpalace.operations.search.lanes.path import McmpLane, PathLane
from graphpalace.operations.search.recall import Recall
from graphpalace.operations.search.side_by_side import SearchLanes
from graphpalace.replica.node_vectors import NodeVectors
from graphpalace.settings.load import Settings


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "kitchen").mkdir()
    (tmp_path / "garden").mkdir()
    (tmp_path / "kitchen" / "bread.md").write_text(
        "# Bread\n\nSourdough needs a starter.\n\n# Soup\n\nLentils simmer.\n"
    )
    (tmp_path / "garden" / "roses.md").write_text("# Roses\n\nPrune roses in winter.\n")
    return tmp_path


async def test_what_was_ingested_is_found_with_its_path(app: GraphPalace, palace: str, folder: Path) -> None:
    report = await app.ingesting.files([folder], palace=palace, wing="home")
    assert report.documents_stored == 2
    answer = await app.recall.search(palace, SearchRequest("when to prune roses"))
    best = answer.hits[0]
    assert "Prune roses in winter." in best.text
    assert [step.kind for step in best.path] == ["Palace", "Wing", "Room", "Closet", "Drawer"]
    assert [step.name for step in best.path][1:3] == ["home", "garden"]
    assert best.source.uri == (folder / "garden" / "roses.md").as_uri()
    assert set(best.lanes) == {"fulltext", "semantic"}
    assert sum(lane.share for lane in best.lanes.values()) == pytest.approx(1)


@pytest.fixture
async def diary(app: GraphPalace, palace: str) -> str:
    """A palace with two wings and dated drawers."""
    for day in range(1, 11):
        for wing, room in (("work", "meetings"), ("home", "garden")):
            await app.drawers.add(
                palace,
                NewDrawer(
                    text=f"entry about planning, day {day}, {wing}",
                    wing=wing,
                    room=room,
                    occurred_at=datetime(2026, 3, day, 12, tzinfo=UTC),
                ),
            )
    return palace


async def _found(app: GraphPalace, palace: str, question: SearchRequest) -> list[str]:
    hits = (await app.recall.search(palace, question)).hits
    assert all(set(hit.lanes) == {"fulltext", "semantic"} for hit in hits)
    return [hit.text for hit in hits]


async def test_filters_apply_before_the_ranking_is_cut(app: GraphPalace, diary: str) -> None:
    lanes = SearchLanes(
        [FulltextLane(app.database), SemanticLane(app.replica.indexes)],
        PathLane(app.replica.indexes, app.replica.snapshots, NodeVectors(app.replica.indexes)),
        McmpLane(app.replica.indexes, agents=20, steps=5),
        EntityLane(app.replica.indexes, app.replica.known_names),
    )
    shallow = Recall.of(
        app.database,
        app.replica.indexes,
        app.replica.models,
        lanes,
        learning=app.replica.learning,
        searches=app.history.searches,
        rerank=app.rerank,
        known_facts=app.replica.known_facts,
        settings=app.settings.search.model_copy(update={"lane_depth": 3}),
    )
    hits = (await shallow.search(diary, SearchRequest("planning entry day 1 2 3 work", wing="home", top_k=3))).hits
    assert [hit.wing for hit in hits] == ["home"] * 3
    assert len(await _found(app, diary, SearchRequest("planning entry", wing="home", top_k=200))) == 10
    march = [datetime(2026, 3, day, tzinfo=UTC) for day in (4, 6)]
    found = await _found(app, diary, SearchRequest("planning entry", room="meetings", since=march[0], until=march[1]))
    assert sorted(found) == [f"entry about planning, day {day}, work" for day in (4, 5)]


async def test_a_filter_that_nothing_passes_finds_nothing(app: GraphPalace, diary: str) -> None:
    assert await _found(app, diary, SearchRequest("planning", since=datetime(2030, 1, 1, tzinfo=UTC))) == []


async def test_an_embedding_may_take_the_place_of_words(app: GraphPalace, diary: str) -> None:
    vector = app.embedder.embed(["entry about planning, day 7, home"])[0].tolist()
    (hit,) = (await app.recall.search(diary, SearchRequest(query_embedding=vector, top_k=1))).hits
    assert hit.text == "entry about planning, day 7, home"
    assert set(hit.lanes) == {"semantic"}


@pytest.mark.parametrize("query", ['"', "a AND", "path/to:file*", "~(", "\\", "NOT", "[a TO b]", "x^y && || !"])
async def test_what_means_something_to_lucene_is_only_text(app: GraphPalace, diary: str, query: str) -> None:
    await app.recall.search(diary, SearchRequest(query))


async def test_questions_that_cannot_be_answered_say_why(app: GraphPalace, diary: str) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    for question, error, message in (
        (SearchRequest(" "), EmptyQuery, "query is empty"),
        (SearchRequest("x", top_k=0), InvalidInput, "top_k is 0; it must be 1 to 200"),
        (SearchRequest("x", top_k=201), InvalidInput, "top_k is 201"),
        (SearchRequest("x", wing="wrok"), NotFound, "wing 'wrok' is not in palace .* it has 'home', 'work'"),
        (
            SearchRequest("x", wing="work", room="garden"),
            NotFound,
            "room 'garden' is not in wing 'work'; it has 'meetings'",
        ),
        (SearchRequest(query_embedding=[1.0, 2.0]), WrongDimension, "query_embedding has 2 values"),
        (SearchRequest("x", since=now, until=now), InvalidInput, "before until"),
    ):
        with pytest.raises(error, match=message):
            await app.recall.search(diary, question)


async def test_searching_changes_nothing_in_the_palace(app: GraphPalace, diary: str) -> None:
    before = await nodes_of(app.database, diary), await edges_of(app.database, diary)
    await app.recall.search(diary, SearchRequest("planning"))
    assert (await nodes_of(app.database, diary), await edges_of(app.database, diary)) == before


async def test_a_drawer_keeps_its_text_word_for_word_and_is_found_at_once(app: GraphPalace, palace: str) -> None:
    text = "  Grüße,\r\n\tWörter 日本語 \N{ROCKET}\n\nEnde  "
    added = await app.drawers.add(palace, NewDrawer(text=text, wing="w", importance=1.0))
    assert added.created is True
    assert (await app.drawers.read(palace, added.drawer.id)).text == text
    assert (await app.drawers.add(palace, NewDrawer(text=text, wing="w"))).created is False
    (hit,) = (await app.recall.search(palace, SearchRequest("wörter"))).hits
    assert hit.text == text


async def test_deleting_a_wing_leaves_nothing_of_it(app: GraphPalace, diary: str) -> None:
    assert (await app.drawers.delete_room(diary, "work", "meetings")).deleted == 10
    assert (await app.drawers.delete_wing(diary, "home")).deleted == 10
    assert await app.drawers.wings(diary) == [wing for wing in await app.drawers.wings(diary) if wing.name == "work"]
    assert not [node for node in await nodes_of(app.database, diary) if node["labels"] in (["Drawer"], ["Closet"])]


async def test_pages_give_every_drawer_once(app: GraphPalace, diary: str) -> None:
    seen, after = [], ""
    while after is not None:
        drawers, after = await app.drawers.page(diary, after=after, limit=7)
        seen += [drawer.id for drawer in drawers]
    assert len(seen) == len(set(seen)) == 20


async def test_blank_text_and_bad_names_are_refused(app: GraphPalace, palace: str) -> None:
    for new, message in (
        (NewDrawer(text=" \n", wing="w"), "text is blank"),
        (NewDrawer(text="x", wing=""), "wing is ''"),
        (NewDrawer(text="x", wing="w", room=" r"), "room is ' r'"),
        (NewDrawer(text="x", wing="w", importance=1.5), "importance is 1.5; it must be 0 to 1"),
        (NewDrawer(text="x", wing="w", embedding=[1.0]), "embedding has 1 value;"),
    ):
        with pytest.raises(InvalidInput, match=message):
            await app.drawers.add(palace, new)
    assert len(await nodes_of(app.database, palace)) == 1  # the palace itself: nothing was half written


async def test_an_answer_can_be_put_into_another_order_at_last(app: GraphPalace, palace: str) -> None:
    for text in ("tea is brewed hot", "tea is brewed very hot", "tea is grown on hills"):
        await app.drawers.add(palace, NewDrawer(text=text, wing="w", room="r"))
    plain = await app.recall.search(palace, SearchRequest("tea is brewed hot", top_k=2))
    assert [hit.text for hit in plain.hits] == ["tea is brewed hot", "tea is brewed very hot"]
    assert all(hit.reranked is None for hit in plain.hits)
    varied = await app.recall.search(palace, SearchRequest("tea is brewed hot", top_k=2, rerank=True, mmr_lambda=0.3))
    assert [hit.text for hit in varied.hits] == ["tea is brewed hot", "tea is grown on hills"]
    for hit in varied.hits:
        assert hit.reranked is not None
        signals, weights = hit.reranked, app.settings.rerank.weights
        weighed = [getattr(weights, name) * getattr(signals, name) for name in ("dense", "narrative", "pheromone")]
        assert hit.score == pytest.approx(sum(weighed))
    assert varied.hits[0].reranked is not None
    assert varied.hits[0].reranked.dense == pytest.approx(1.0)


async def test_a_palace_that_another_service_dropped_is_not_found_by_words_alone(app: GraphPalace) -> None:
    name = spare_name()
    await app.create_palace(name)
    await app.drawers.add(name, NewDrawer(text="the spare key", wing="home", room="hall"))
    question = SearchRequest("spare key", lanes=("fulltext",))
    assert len((await app.recall.search(name, question)).hits) == 1
    other = wire(app.settings, embedder=app.embedder)
    try:
        await other.drop_palace(name)
    finally:
        await other.database.close()
    with pytest.raises(NotFound, match=name):
        await app.recall.search(name, question)


class Untouchable(WordEmbedder):
    """A model that must neither be loaded nor used."""

    def load(self) -> None:
        raise AssertionError("the model was loaded")

    def embed(self, texts: Sequence[str]) -> Matrix:
        raise AssertionError(f"the model was used on {texts!r}")


async def test_what_is_asked_wrongly_is_refused_before_the_palace_or_the_model_is_loaded(
    settings: Settings, diary: str
) -> None:
    cold = wire(settings, embedder=Untouchable())
    try:
        for question, error in (
            (SearchRequest(""), EmptyQuery),
            (SearchRequest("x", top_k=0), InvalidInput),
            (SearchRequest("x", wing="nowhere"), NotFound),
            (SearchRequest("x", wing="home", room="nowhere"), NotFound),
            (SearchRequest("x", wing=""), NotFound),
        ):
            with pytest.raises(error):
                await cold.recall.search(diary, question)
        for wrong, error in (({"query": " "}, EmptyQuery), ({"query": "x", "wing": "nowhere"}, NotFound)):
            with pytest.raises(error):
                await cold.walking.explore.walk(diary, **wrong)
        with pytest.raises(NotFound):
            await cold.recall.search("nosuchpalace", SearchRequest("x"))
        assert cold.replica.indexes.loaded == []
    finally:
        await cold.close()
