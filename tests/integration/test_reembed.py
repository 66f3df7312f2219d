"""A palace changes its model while it is searched, and goes on where it was killed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.graphs import edges_of
from tests.spare_palaces import UNTOUCHED
from tests.words import ShortEmbedder, WordEmbedder

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.new_drawer import DrawerUpdate, NewDrawer
from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.vectors import Matrix
from graphpalace.errors import Conflict, ModelMismatch, NotFound
from graphpalace.settings.load import Settings
from graphpalace.store.connection.schema import ServerStore
from graphpalace.store.drawers.closets import ClosetStore
from graphpalace.store.drawers.reembedding import ReembeddingStore
from graphpalace.store.palaces.palaces import PalaceStore

TEXTS = [f"{fruit} {deed} in {month}" for fruit in ("apples", "pears", "plums") for deed in ("ripen", "rot", "grow")
         for month in ("june", "july", "august", "may")]  # fmt: skip


class MortalEmbedder(ShortEmbedder):
    """A model that can be ended after some texts, as a process is killed."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.dies_after: int | None = None

    def embed(self, texts: Sequence[str]) -> Matrix:
        if self.dies_after is not None and len(self.texts) + len(texts) > self.dies_after:
            raise KilledError
        self.texts += texts
        return super().embed(texts)

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        return super().embed(texts)


class KilledError(Exception):
    """Stands for the end of the process."""


@pytest.fixture(autouse=True)
def _vector_index_stays(request: pytest.FixtureRequest, palace: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the vector index as it is but in the test that looks at it: Neo4j plans all queries anew when it changes.

    Searches do not read it; it is for Cypher by hand and for retrievers.
    """
    if request.node.originalname == test_every_vector_and_what_follows_from_it_is_of_the_new_model.__name__:
        return

    async def nothing(_store: ReembeddingStore, _palace: str, **_given: int) -> None: ...

    monkeypatch.setattr(ReembeddingStore, "drop_vector_index", nothing)
    monkeypatch.setattr(ReembeddingStore, "create_vector_index", nothing)
    UNTOUCHED.add(palace)


@pytest.fixture
def short() -> MortalEmbedder:
    return MortalEmbedder()


@pytest.fixture
async def new(settings: Settings, app: GraphPalace, short: MortalEmbedder) -> AsyncIterator[GraphPalace]:
    """Another process, with the new model; each process can make the model of the other."""
    async with wiring.opened(settings, embedder=short, any_model=True) as opened:
        app.replica.models._make, opened.replica.models._make = lambda _name: short, lambda _name: WordEmbedder()
        opened.replica.models._made.clear()  # it has tried to make the model of the default palace
        yield opened
    app.replica.models._make = lambda _name: None
    app.replica.models._made.clear()


async def best(app: GraphPalace, palace: str, query: str, **options: object) -> str:
    answer = await app.recall.search(palace, SearchRequest(query, lanes=["semantic"], **options))  # pyright: ignore
    assert not answer.left_out
    return answer.hits[0].text


async def cosines(app: GraphPalace, palace: str, query: str) -> list[float]:
    answer = await app.recall.search(palace, SearchRequest(query, lanes=["semantic"], top_k=5))
    return [hit.lanes["semantic"].score for hit in answer.hits]


async def stored(app: GraphPalace, palace: str, texts: Sequence[str] = TEXTS) -> list[str]:
    return list((await app.drawers.add_many(palace, [NewDrawer(text=text, wing="w") for text in texts])).ids)


async def test_a_long_text_is_found_by_its_end_with_the_new_model_too(
    app: GraphPalace, new: GraphPalace, palace: str
) -> None:
    end = "finally the quince jelly sets"
    long = " ".join(f"line {number} of a log" for number in range(500)) + f" {end}" * 40
    await stored(app, palace, [long, *TEXTS, "a quince tree"])
    await new.reembed(palace)
    assert await best(new, palace, end) == long
    assert await best(app, palace, end) == long


async def test_every_vector_and_what_follows_from_it_is_of_the_new_model(
    app: GraphPalace, new: GraphPalace, palace: str, short: MortalEmbedder
) -> None:
    ids = await stored(app, palace)
    done = await new.reembed(palace)
    assert (done.before, done.model, done.embedded) == ("words", "short words", len(TEXTS))
    state = await PalaceStore(app.database).get(palace)
    assert (state.model, state.dimension) == ("short words", 96)
    rows = await app.database.read(palace, "tests/vectors_of_drawers")
    assert {len(row["embedding"]) for row in rows} == {4 * 96} and {len(row["int8"]) for row in rows} == {96}
    assert all(row["next"] is None for row in rows)
    vectors = dict(zip(ids, ShortEmbedder().embed(TEXTS), strict=True))
    similar = [edge for edge in await edges_of(app.database, palace) if edge["type"] == "SIMILAR_TO"]
    assert similar
    for edge in similar:
        cosine = float(vectors[edge["from"]] @ vectors[edge["to"]])
        assert edge["similarity"] == pytest.approx(cosine, abs=1e-5)
        assert edge["base_cost"] == edge["current_cost"] == pytest.approx(1 - cosine, abs=1e-5)
    assert len({frozenset((edge["from"], edge["to"])) for edge in similar}) == len(similar)
    indexes = {index.name: index for index in await ServerStore(app.database).indexes()}
    assert f"drawer_vector_{palace}" in indexes
    again = await new.reembed(palace)
    assert (again.before, again.embedded) == ("short words", 0)


async def test_drawers_are_linked_in_the_order_of_their_times_and_ids_whatever_order_neo4j_lists_them_in(
    app: GraphPalace, new: GraphPalace, palace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = await stored(app, palace)  # at one time
    said = NewDrawer(text="quinces rot in may", wing="w", occurred_at=datetime(2020, 1, 1, tzinfo=UTC))
    (earliest,) = (await app.drawers.add_many(palace, [said])).ids
    linked: list[str] = []
    relink = ReembeddingStore.relink

    async def noted(store: ReembeddingStore, palace: str, ids: Sequence[str], *given: Any, **named: Any) -> None:
        linked.extend(ids)
        await relink(store, palace, ids, *given, **named)

    monkeypatch.setattr(ReembeddingStore, "relink", noted)
    await new.reembed(palace)
    assert linked == [earliest, *sorted(together)]


async def test_a_run_that_is_killed_goes_on_and_the_old_model_answers_meanwhile(
    app: GraphPalace, new: GraphPalace, palace: str, short: MortalEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphpalace.operations.reembedding._BATCH", 8)
    await stored(app, palace)
    before = await cosines(app, palace, "plums rot in july")
    short.dies_after = 20
    with pytest.raises(KilledError):
        await new.reembed(palace)
    assert len(short.texts) == 16
    assert await cosines(app, palace, "plums rot in july") == before
    assert await cosines(new, palace, "plums rot in july") == before  # this process is set to the new model
    await stored(app, palace, ["cherries ripen in june"])  # what comes meanwhile is not forgotten
    short.dies_after = None
    assert (await new.reembed(palace)).embedded == len(TEXTS) - 16 + 1
    assert sorted(short.texts) == sorted([*TEXTS, "cherries ripen in june"])
    assert await best(app, palace, "cherries ripen") == "cherries ripen in june"


@pytest.mark.parametrize("step", ["relink", "move", "finish"])
async def test_a_run_that_is_killed_after_the_switch_completes_what_is_left(
    app: GraphPalace, new: GraphPalace, palace: str, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    async def killed(*_args: object, **_options: object) -> None:
        raise KilledError

    ids = await stored(app, palace)
    with monkeypatch.context() as patch:
        patch.setattr(f"graphpalace.store.drawers.reembedding.ReembeddingStore.{step}", killed)
        with pytest.raises(KilledError):
            await new.reembed(palace)
    assert await best(app, palace, "plums rot in july") == "plums rot in july"
    await app.drawers.update(palace, ids[0], DrawerUpdate(text="cherries bloom"))
    await stored(app, palace, ["figs dry in august"])
    assert await best(app, palace, "cherries bloom") == "cherries bloom"
    assert (await new.reembed(palace)).embedded == 0
    rows = await app.database.read(palace, "tests/vectors_of_drawers")
    assert {len(row["embedding"]) for row in rows} == {4 * 96}
    assert all(row["next"] is None for row in rows)
    assert await best(app, palace, "figs dry") == "figs dry in august"


async def test_another_process_follows_the_switch(app: GraphPalace, new: GraphPalace, palace: str) -> None:
    await stored(app, palace)
    before = await cosines(app, palace, "plums rot in july")
    await new.reembed(palace)
    after = await cosines(app, palace, "plums rot in july")
    assert after == await cosines(new, palace, "plums rot in july")
    assert after != before
    added = await app.drawers.add(palace, NewDrawer(text="quinces fall in november", wing="w"))
    assert await best(new, palace, "quinces fall") == added.drawer.text


async def test_a_process_that_cannot_make_the_new_model_says_so(
    app: GraphPalace, new: GraphPalace, palace: str
) -> None:
    await stored(app, palace)
    await new.reembed(palace)
    app.replica.models._make = lambda _name: None
    with pytest.raises(ModelMismatch, match=f"graphpalace reembed --palace {palace}"):
        await app.drawers.add(palace, NewDrawer(text="figs", wing="w"))


async def test_vectors_of_the_old_model_are_not_stored_after_the_switch(
    app: GraphPalace, new: GraphPalace, palace: str
) -> None:
    await stored(app, palace)
    await new.reembed(palace)
    with pytest.raises(Conflict, match="has just changed its embedding model"):
        await ClosetStore(app.database).write(palace, [], [], model="words")


async def test_two_processes_may_change_a_palace_to_one_model_at_once(
    app: GraphPalace, new: GraphPalace, palace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphpalace.operations.reembedding._BATCH", 8)
    await stored(app, palace)
    both = await asyncio.gather(new.reembed(palace), new.reembed(palace))
    assert {done.model for done in both} == {"short words"}
    rows = await app.database.read(palace, "tests/vectors_of_drawers")
    assert {len(row["embedding"]) for row in rows} == {4 * 96}
    assert all(row["next"] is None for row in rows)
    similar = [edge for edge in await edges_of(app.database, palace) if edge["type"] == "SIMILAR_TO"]
    assert similar
    assert len({frozenset((edge["from"], edge["to"])) for edge in similar}) == len(similar)


async def test_who_begins_a_change_to_another_model_ends_one_that_goes_on(
    app: GraphPalace, new: GraphPalace, palace: str, short: MortalEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphpalace.operations.reembedding._BATCH", 8)
    await stored(app, palace)
    store = ReembeddingStore(app.database)
    embed = short.embed

    def taken_over(texts: Sequence[str]) -> Matrix:
        if len(short.texts) == 16:
            asyncio.run_coroutine_threadsafe(begin(), loop).result()
        return embed(texts)

    async def begin() -> None:
        while not await store.begin(palace, "other", 96):
            await store.clear(palace)

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(short, "embed", taken_over)
    with pytest.raises(Conflict, match="somebody is changing palace"):
        await new.reembed(palace)
    rows = await app.database.read(palace, "tests/vectors_of_drawers")
    assert all(row["next"] is None for row in rows)  # none of them counts as a vector of the other model
    assert (await app.reembed(palace)).model == "words"  # a change that is no longer wanted is given up
    assert (await store.state(palace)).next_model is None


async def test_the_vectors_that_answer_are_not_cleared(app: GraphPalace, new: GraphPalace, palace: str) -> None:
    await stored(app, palace)
    store = ReembeddingStore(app.database)
    await store.begin(palace, "short words", 96)
    texts = await store.texts(palace, (await store.pending(palace))[0])
    await store.store(palace, texts, list(ShortEmbedder().embed([one.text for one in texts])), model="short words")
    await store.clear(palace)
    assert await store.pending(palace) == ([], len(TEXTS))
    assert await store.switch(palace, {}, model="short words", dimension=96)
    await store.clear(palace)
    assert not await store.begin(palace, "other", 96)
    assert await best(app, palace, "plums rot in july") == "plums rot in july"
    assert (await new.reembed(palace)).embedded == 0


async def test_code_is_embedded_with_its_name_and_a_passage_without_letters_not_at_all(
    app: GraphPalace, new: GraphPalace, palace: str, short: MortalEmbedder, tmp_path: Path
) -> None:
    (tmp_path / "fruit.py").write_text('class Apple:\n    def ripen(self):\n        return "june"\n', "utf-8")
    (tmp_path / "line.md").write_text("---- 12 ----\n", "utf-8")
    await app.ingesting.files([tmp_path], wing="w", palace=palace)
    await new.reembed(palace)
    assert any("fruit" in text.splitlines()[0] for text in short.texts)
    assert not any("12" in text for text in short.texts)
    rows = await app.database.read(palace, "tests/vectors_of_drawers")
    assert {len(row["embedding"]) for row in rows} == {4 * 96}
    (bare,) = [row for row in rows if not np.frombuffer(row["embedding"], "<f4").any()]
    assert bare["int8"] is None


async def test_what_was_learned_follows(app: GraphPalace, new: GraphPalace, palace: str) -> None:
    ids = await stored(app, palace)
    answer = await app.recall.search(palace, SearchRequest("plums rot", top_k=5))
    await app.learning.feedback.give(palace, run=answer.run, useful={ids[0]: 1.0})
    await new.reembed(palace)
    (lesson,) = await app.database.read(palace, "tests/questions_of_feedback")
    assert np.frombuffer(lesson["question"], "<f4") == pytest.approx(ShortEmbedder().embed(["plums rot"])[0], abs=1e-6)
    (memory,) = {row["narrative"] for row in await app.database.read(palace, "tests/vectors_of_drawers")} - {None}
    assert len(memory) == 4 * 96
    assert await best(app, palace, "plums rot", rerank=True)
    learned = await new.replica.learning.of(palace)
    assert learned is not None


async def test_another_target_starts_anew_and_a_missing_palace_is_told(
    app: GraphPalace, new: GraphPalace, palace: str, short: MortalEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphpalace.operations.reembedding._BATCH", 8)
    await stored(app, palace)
    short.dies_after = 20
    with pytest.raises(KilledError):
        await new.reembed(palace)
    short.dies_after = None
    monkeypatch.setattr(ShortEmbedder, "name", "shorter words")
    monkeypatch.setattr(new.embedder, "name", "shorter words")
    assert (await new.reembed(palace)).embedded == len(TEXTS)
    with pytest.raises(NotFound, match="nowhere"):
        await new.reembed("nowhere")


async def test_an_empty_palace_changes_its_model(app: GraphPalace, new: GraphPalace, palace: str) -> None:
    assert (await new.reembed(palace)).embedded == 0
    assert (await PalaceStore(app.database).get(palace)).model == "short words"
    await stored(app, palace, ["figs dry"])
    assert await best(new, palace, "figs") == "figs dry"
