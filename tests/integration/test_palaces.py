"""Palaces side by side in one database never see each other."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import pytest
from neo4j.exceptions import ClientError, Neo4jError, TransientError
from tests.graphs import edges_of, nodes_of
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.domain.search.answer import Answer
from graphpalace.domain.search.request import SearchRequest
from graphpalace.errors import DatabaseFailed, ModelMismatch, NotFound
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Row, Transaction
from graphpalace.store.palaces.palaces import PalaceStore


@pytest.fixture
async def other(app: GraphPalace) -> AsyncIterator[str]:
    name = spare_name()
    await app.create_palace(name)
    yield name
    await app.drop_palace(name)


def _seen(answer: Answer) -> list[tuple[str, float, dict[str, float]]]:
    return [(hit.text, hit.score, {lane: score.score for lane, score in hit.lanes.items()}) for hit in answer.hits]


async def test_what_one_palace_stores_changes_nothing_in_another(
    app: GraphPalace, palace: str, other: str, tmp_path: Path
) -> None:
    for number in range(6):
        (tmp_path / f"{number}.md").write_text(f"# Note {number}\n\nowls hunt mice at night, note{number}\n")
    for first, second in ((palace, other), (other, palace)):  # from both sides
        await app.ingesting.files([tmp_path], palace=first, wing="w")
        before = _seen(await app.recall.search(first, SearchRequest("owls hunt note3")))
        graph = await nodes_of(app.database, first), await edges_of(app.database, first)
        # Common words of the other palace would lower their weight here if statistics were shared.
        for number in range(30):
            await app.drawers.add(second, NewDrawer(text=f"owls hunt mice at night, filler {number}", wing="w"))
        assert _seen(await app.recall.search(first, SearchRequest("owls hunt note3"))) == before
        assert (await nodes_of(app.database, first), await edges_of(app.database, first)) == graph
        await app.drop_palace(first)
        assert await nodes_of(app.database, first) == []
        assert len(await nodes_of(app.database, second)) > 30
        await app.drop_palace(second)
        for name in (first, second):
            await app.create_palace(name)


async def test_the_same_text_has_another_id_in_another_palace_and_is_not_found_there_by_it(
    app: GraphPalace, palace: str, other: str
) -> None:
    here = await app.drawers.add(palace, NewDrawer(text="one and the same", wing="w"))
    there = await app.drawers.add(other, NewDrawer(text="one and the same", wing="w"))
    assert here.drawer.id != there.drawer.id
    with pytest.raises(NotFound, match="not in palace"):
        await app.drawers.read(other, here.drawer.id)
    counts = {row.name: row.drawers for row in await app.list_palaces()}
    assert counts[palace] == counts[other] == 1


async def test_edges_never_cross_palaces(app: GraphPalace, palace: str, other: str) -> None:
    for name in (palace, other):
        for text in ("red apples ripen", "red apples rot", "green apples ripen"):
            await app.drawers.add(name, NewDrawer(text=text, wing="w"))
    ids = {node["id"] for node in await nodes_of(app.database, palace)}
    edges = await edges_of(app.database, palace)
    assert {edge["type"] for edge in edges} >= {"SIMILAR_TO", "HAS_DRAWER"}
    assert all(edge["from"] in ids and edge["to"] in ids for edge in edges)


class AnotherEmbedder(WordEmbedder):
    name = "another"


async def test_creating_a_palace_again_finds_it_and_a_model_that_cannot_be_made_is_refused(
    app: GraphPalace, palace: str, settings: Settings
) -> None:
    assert await app.create_palace(palace) is False
    async with wiring.opened(settings, embedder=AnotherEmbedder(), any_model=True) as other:
        with pytest.raises(ModelMismatch, match=r"vectors of words \(384 dimensions\).*graphpalace reembed --palace"):
            await other.create_palace(palace)


async def test_several_services_may_create_a_palace_at_once(app: GraphPalace) -> None:
    name = spare_name()
    made = await asyncio.gather(*(app.create_palace(name) for _ in range(4)))
    assert sorted(made) == [False, False, False, True]
    await app.drop_palace(name)


async def test_a_palace_that_is_not_there_is_told(app: GraphPalace) -> None:
    with pytest.raises(NotFound, match="there is no palace 'nowhere'"):
        await app.recall.search("nowhere", SearchRequest("x"))
    with pytest.raises(NotFound):
        await app.drop_palace("nowhere")


async def test_a_palace_of_an_earlier_version_is_renewed_before_it_is_searched(app: GraphPalace, palace: str) -> None:
    await app.drawers.add(palace, NewDrawer(text="def min_cost(grid): ...", wing="code", title="Cheapest ways"))
    await app.database.change_schema(palace, "palaces/drop_exact_index")
    await app.database.change_schema(palace, "palaces/drop_stems_index")
    await app.database.write(palace, "tests/make_old_drawers")
    assert await PalaceStore(app.database).renew() == [palace]
    for question in ("cost", "cheap way"):
        answer = await app.recall.search(palace, SearchRequest(question, lanes=["fulltext"]))
        assert len(answer.hits) == 1 and not answer.left_out
    assert await PalaceStore(app.database).renew() == []


async def test_a_palace_may_be_dropped_while_another_service_renews_it(
    app: GraphPalace, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"t{uuid.uuid4().hex[:12]}"
    read = app.database.read

    async def late(palace: str | None, query: str, **params: Any) -> list[Row]:
        rows = await read(palace, query, **params)
        return [*rows, {"name": name}] if query == "palaces/list_names" else rows  # it was there then

    monkeypatch.setattr(app.database, "read", late)
    await PalaceStore(app.database).renew()
    assert f"drawer_exact_{name}" not in {row["name"] for row in await read(None, "health/list_indexes")}


@pytest.mark.parametrize(("error", "times"), [(TransientError("later"), 1), (ClientError("never"), 2)])
async def test_a_read_is_repeated_if_neo4j_says_that_it_may_be(
    app: GraphPalace, palace: str, monkeypatch: pytest.MonkeyPatch, error: Neo4jError, times: int
) -> None:
    run, calls = Transaction.run, 0
    mine = ContextVar("mine", default=False)  # other parts of the app read in the background
    mine.set(True)

    async def failing(tx: Transaction, name: str, /, **params: Any) -> list[Row]:
        nonlocal calls
        if not mine.get():
            return await run(tx, name, **params)
        calls += 1
        if calls <= times:
            raise error
        return await run(tx, name, **params)

    monkeypatch.setattr(Transaction, "run", failing)
    if error.is_retryable():
        assert [row["name"] for row in await app.database.read(None, "palaces/list_names")].count(palace) == 1
        assert calls == 2
    else:
        with pytest.raises(DatabaseFailed):
            await app.database.read(None, "palaces/list_names")
        assert calls == 1
