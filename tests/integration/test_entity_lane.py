"""The lane `entity`: what a search finds by way of names."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from graphpalace.app import GraphPalace, wire
from graphpalace.domain.drawers.new_drawer import NewDrawer
from graphpalace.domain.knowledge.entity import entity_id, normalised_name
from graphpalace.domain.search.answer import Answer
from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.walking.graph_snapshot import RELATIONS

FILM, LIFE, SOIL = "Hugo is a film by Ann Lee", "Ann Lee was born in Oslo in 1950", "roses like clay soil"
QUESTION = "where was the director of the film Hugo born"
REFERENCES = RELATIONS.index("REFERENCES")


async def mention(app: GraphPalace, palace: str, drawer: str, name: str, *, is_title: bool = False) -> None:
    """Let a drawer mention a name."""
    spelling = normalised_name(name)
    await app.database.write(
        palace,
        "tests/mention",
        drawer=drawer,
        entity=entity_id(palace, spelling),
        name=name,
        normalised=spelling,
        is_title=is_title,
    )


@pytest.fixture
async def drawers(app: GraphPalace, palace: str) -> dict[str, str]:
    """Give the ids of three drawers by their texts. Two mention Ann Lee, and one Hugo."""
    found = {}
    for text, wing in ((FILM, "films"), (LIFE, "people"), (SOIL, "garden")):
        found[text] = (await app.drawers.add(palace, NewDrawer(text=text, wing=wing))).drawer.id
    for text, name in ((FILM, "Hugo"), (FILM, "Ann Lee"), (LIFE, "Ann Lee")):
        await mention(app, palace, found[text], name, is_title=name in text.partition(" is ")[0])
    return found


def ways(answer: Answer) -> dict[str, tuple[str, str | None]]:
    """Return by way of which name, and of which drawer, each text was found."""
    return {hit.text: (hit.by_name.name, hit.by_name.drawer) for hit in answer.hits if hit.by_name}


async def test_a_drawer_is_found_by_way_of_a_name_that_the_best_drawer_has(
    app: GraphPalace, palace: str, drawers: dict[str, str]
) -> None:
    # Only words are asked, and the second document has none of the film's.
    question = SearchRequest("film Hugo", lanes=["fulltext", "entity"])
    answer = await app.recall.search(palace, question)
    assert [hit.text for hit in answer.hits] == [FILM, LIFE]
    assert ways(answer) == {LIFE: ("Ann Lee", drawers[FILM])}
    life = answer.hits[1]
    assert life.lanes.keys() == {"entity"}
    assert (life.lanes["entity"].rank, life.lanes["entity"].evidence) == (1, 1.0)
    assert [(step.type, step.source) for step in life.trail] == [
        ("REFERENCES", drawers[FILM]),
        ("REFERENCES", drawers[LIFE]),
    ]


async def test_a_hit_is_surer_if_a_name_of_the_first_hit_led_to_it(
    app: GraphPalace, palace: str, drawers: dict[str, str]
) -> None:
    for text in ("who made the cake", "a film on soap"):  # they lead, besides the film, and not the life
        await app.drawers.add(palace, NewDrawer(text=text, wing="garden"))

    async def sure(**more: Any) -> dict[str, float | None]:
        answer = await app.recall.search(palace, SearchRequest("who made the film Hugo", **more))
        return {hit.text: hit.confidence for hit in answer.hits}

    led, plain = await sure(), await sure(lanes=["fulltext", "semantic"])
    assert (led[LIFE] or 0) > (plain[LIFE] or 1)
    assert (led[FILM] or 0) > (led[LIFE] or 1)


async def test_nothing_is_found_by_names_unless_the_question_has_one(
    app: GraphPalace, palace: str, drawers: dict[str, str]
) -> None:
    unnamed = await app.recall.search(palace, SearchRequest("a film about a boy", lanes=["fulltext", "entity"]))
    assert [hit.text for hit in unnamed.hits] == [FILM]
    with_it = await app.recall.search(palace, SearchRequest("a film about a boy"))
    without = await app.recall.search(palace, SearchRequest("a film about a boy", lanes=["fulltext", "semantic"]))
    assert [(hit.id, hit.score) for hit in with_it.hits] == [(hit.id, hit.score) for hit in without.hits]


async def test_filters_hold_for_what_names_find(app: GraphPalace, palace: str, drawers: dict[str, str]) -> None:
    answer = await app.recall.search(palace, SearchRequest("film Hugo", lanes=["fulltext", "entity"], wing="films"))
    assert [hit.text for hit in answer.hits] == [FILM]


async def test_the_lane_alone_starts_from_what_the_others_would_find(
    app: GraphPalace, palace: str, drawers: dict[str, str]
) -> None:
    answer = await app.recall.search(palace, SearchRequest(QUESTION, lanes=["entity"]))
    assert {hit.text for hit in answer.hits} <= {FILM, LIFE}
    assert all(hit.lanes.keys() == {"entity"} for hit in answer.hits)
    assert (await app.recall.search(palace, SearchRequest("clay", lanes=["entity"]))).hits == []


async def test_reciprocal_rank_fuses_the_lane_too(app: GraphPalace, palace: str, drawers: dict[str, str]) -> None:
    question = SearchRequest("film Hugo", lanes=["fulltext", "entity"], fusion="rrf", weights={"entity": 1.0})
    answer = await app.recall.search(palace, question)
    assert {hit.text: hit.score for hit in answer.hits} == {FILM: pytest.approx(1 / 61), LIFE: pytest.approx(1 / 61)}


async def test_the_index_follows_names_that_come_and_go_in_every_process(
    app: GraphPalace, palace: str, drawers: dict[str, str]
) -> None:
    question = SearchRequest("film Hugo", lanes=["fulltext", "entity"])
    other = wire(app.settings, embedder=app.embedder)
    try:
        for each in (app, other):
            assert len(ways(await each.recall.search(palace, question))) == 1
        await mention(app, palace, drawers[SOIL], "Ann Lee")
        for each in (app, other):
            assert ways(await each.recall.search(palace, question)).keys() == {LIFE, SOIL}
        await app.database.write(palace, "tests/unmention", drawer=drawers[LIFE])
        for each in (app, other):
            assert ways(await each.recall.search(palace, question)).keys() == {SOIL}
        await app.drawers.delete(palace, drawers[SOIL])
        for each in (app, other):
            assert ways(await each.recall.search(palace, question)) == {}
    finally:
        await other.close()


async def test_names_are_not_read_again_as_long_as_nothing_changes(
    app: GraphPalace, palace: str, drawers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    question = SearchRequest("film Hugo", lanes=["fulltext", "entity"])
    await app.recall.search(palace, question)
    asked = list[str]()
    read = type(app.database).read

    async def counted(self: object, palace: str | None, name: str, /, **params: object) -> object:
        asked.append(name)
        return await read(self, palace, name, **params)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(type(app.database), "read", counted)
    await app.recall.search(palace, question)
    assert not [name for name in asked if name.startswith("knowledge/")]


async def test_names_that_take_longer_to_load_than_a_lane_may_are_waited_for_once(
    app: GraphPalace, palace: str, drawers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    hasty = app.settings.search.model_copy(update={"lane_timeout_s": 0.5})
    other = wire(app.settings.model_copy(update={"search": hasty}), embedder=app.embedder)
    stream, loads = type(other.database).stream, list[str]()

    async def slowly(
        self: object, palace: str | None, name: str, /, **more: Any
    ) -> AsyncIterator[Mapping[str, object]]:
        loads.append(name)
        await asyncio.sleep(1)
        async for row in stream(self, palace, name, **more):  # pyright: ignore[reportArgumentType]
            yield row

    question = SearchRequest("film Hugo", lanes=["fulltext", "entity"])
    try:
        await other.recall.search(palace, SearchRequest("film", lanes=["fulltext"]))  # the database plans its queries
        monkeypatch.setattr(type(other.database), "stream", slowly)
        answers = await asyncio.gather(*(other.recall.search(palace, question) for _ in range(2)))
        for answer in answers:
            assert answer.left_out == {}
            assert ways(answer).keys() == {LIFE}
        assert loads == ["knowledge/load_mentions"]
    finally:
        await other.close()


async def test_feedback_lays_success_on_the_mentions_that_led_to_what_helped_and_taking_it_back_removes_it(
    app: GraphPalace, palace: str, drawers: dict[str, str]
) -> None:
    async def success() -> list[float]:
        snapshot = await app.replica.snapshots.get(palace)
        return sorted(snapshot.edges.success[snapshot.edges.relation == REFERENCES].tolist())

    question = SearchRequest("film Hugo", lanes=["fulltext", "entity"])
    answer = await app.recall.search(palace, question)
    assert await success() == [0.0, 0.0, 0.0]
    given = await app.learning.feedback.give(palace, run=answer.run, useful={drawers[LIFE]: 1.0})
    # The way is film, Ann Lee, life: the first edge gets the whole reward, the second half of it.
    assert await success() == [0.0, pytest.approx(0.5), pytest.approx(1.0)]
    index = await app.replica.known_names.of(palace, await app.replica.indexes.look(palace))
    assert sorted(index.mentions.success.tolist()) == [0.0, pytest.approx(0.5), pytest.approx(1.0)]
    await app.learning.feedback.take_back(palace, given.id)
    assert await success() == [0.0, 0.0, 0.0]
    index = await app.replica.known_names.of(palace, await app.replica.indexes.look(palace))
    assert index.mentions.success.tolist() == [0.0, 0.0, 0.0]


async def test_feedback_knows_how_sure_each_lane_was_of_each_drawer_in_every_process(
    app: GraphPalace, palace: str, drawers: dict[str, str]
) -> None:
    for text in ("who made the cake", "a film on soap"):  # they lead, besides the film, and not the life
        await app.drawers.add(palace, NewDrawer(text=text, wing="garden"))
    answer = await app.recall.search(palace, SearchRequest("who made the film Hugo"))
    logged = (await app.history.searches.find(palace, answer.run)).candidates
    sure = {hit.id: hit.lanes["entity"].evidence for hit in answer.hits if "entity" in hit.lanes}
    assert sure.keys() == {drawers[LIFE]}
    assert logged.others["entity"][logged.ids.index(drawers[LIFE])] == pytest.approx(sure[drawers[LIFE]])
    await app.history.searches.flush()
    app.history.searches.forget(palace)
    stored = (await app.history.searches.find(palace, answer.run)).candidates
    assert {lane: row.tolist() for lane, row in stored.others.items()} == {
        lane: row.tolist() for lane, row in logged.others.items()
    }
    for asking in range(10):
        answer = await app.recall.search(palace, SearchRequest(f"who made the film Hugo {asking}"))
        await app.learning.feedback.give(palace, run=answer.run, useful={drawers[LIFE]: 1.0})
    (tried,) = (await app.learning.learned.of(palace)).lane_weights
    assert tried.lane == "entity"
    assert tried.factor == 1 or tried.kept
    await app.database.run_statement(
        f"MATCH (f:Feedback {{palace: '{palace}'}}) REMOVE f.other_lanes, f.other_evidence"
    )
    app.replica.learning.forget(palace)
    assert (await app.learning.learned.of(palace)).lane_weights == []  # lessons of earlier versions know nothing of it
