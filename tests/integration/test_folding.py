"""Equal and nearly equal texts are one hit of an answer, and the hit says where else they stand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.acceptance.served import changed
from tests.reads import noted_reads
from tests.words import WordEmbedder

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.new_drawer import NewDrawer
from graphpalace.domain.search.answer import Answer
from graphpalace.domain.search.request import SearchRequest
from graphpalace.settings.load import Settings

LONG = "bread needs flour and water and salt and an oven and patience and a warm place " * 6


async def add(app: GraphPalace, palace: str, *texts: str, room: str = "a", **more: Any) -> list[str]:
    added = [
        await app.drawers.add(palace, NewDrawer(text, "w", f"{room}{at}", **more)) for at, text in enumerate(texts)
    ]
    return [one.drawer.id for one in added]


async def ask(app: GraphPalace, palace: str, query: str = "bread", **how: Any) -> Answer:
    return await app.recall.search(palace, SearchRequest(query, **how))


def ids(answer: Answer) -> list[str]:
    return [hit.id for hit in answer.hits]


async def test_equal_texts_are_one_hit_that_names_the_others(app: GraphPalace, palace: str) -> None:
    await add(app, palace, "bread needs flour", "Bread  needs flour", "bread needs\nflour", "bread and butter")
    answer = await ask(app, palace)
    assert answer.count == len(answer.hits) == 2
    (folded,) = [hit for hit in answer.hits if hit.also_at]
    assert len(folded.also_at) == 2
    every = await ask(app, palace, fold_duplicates=False)
    assert [hit.also_at for hit in every.hits] == [[]] * 4
    assert sorted([*ids(answer), *(copy.id for copy in folded.also_at)]) == sorted(ids(every))
    copy = folded.also_at[0]
    other = next(hit for hit in every.hits if hit.id == copy.id)
    assert (copy.wing, copy.room, copy.closet, copy.source) == (other.wing, other.room, other.closet, other.source)


async def test_nearly_equal_texts_are_one_hit_but_not_if_a_number_differs(app: GraphPalace, palace: str) -> None:
    await add(app, palace, LONG, f"{LONG} always", f"{LONG} 2019", f"{LONG} 2020")
    answer = await ask(app, palace)
    assert sorted(len(hit.also_at) for hit in answer.hits) == [0, 0, 1]


async def test_as_many_different_hits_are_returned_as_were_asked_for(app: GraphPalace, palace: str) -> None:
    for room in range(15):
        await add(app, palace, "bread needs flour", room=f"same{room}")
    await add(app, palace, "bread and butter", "bread with jam", "old bread")
    answer = await ask(app, palace, top_k=4)
    assert len({hit.text for hit in answer.hits}) == 4
    assert sum(len(hit.also_at) for hit in answer.hits) == 14


async def test_more_copies_than_a_search_usually_looks_at_do_not_shorten_the_answer(
    app: GraphPalace, palace: str
) -> None:
    same = [NewDrawer("bread needs flour", "w", f"same{room}") for room in range(60)]
    await app.drawers.add_many(palace, same)
    await add(app, palace, "old bread in a box")
    for how in ({}, {"rerank": True}):
        answer = await ask(app, palace, top_k=2, **how)
        assert len({hit.text for hit in answer.hits}) == 2, how


async def test_folding_reads_the_hits_in_one_query(
    app: GraphPalace, palace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await add(app, palace, "bread needs flour", "bread needs flour", "bread and butter", "bread with jam")
    await ask(app, palace, "flour")
    read = noted_reads(app.database, monkeypatch)
    answer = await ask(app, palace, "flour", top_k=2, without=frozenset({"news"}))
    assert sum(len(hit.also_at) for hit in answer.hits) == 1
    assert read.count("drawers/read_drawers") == 1


async def test_texts_with_embeddings_of_their_own_fold_by_their_words(app: GraphPalace, palace: str) -> None:
    one, other = ([float(at == place) for at in range(app.embedder.dimension)] for place in (0, 1))
    await add(app, palace, "bread needs flour", embedding=one)
    await add(app, palace, "bread needs flour", room="b", embedding=other)
    await add(app, palace, "bread and butter", room="c")
    answer = await ask(app, palace, "needs flour", top_k=2)
    assert len({hit.text for hit in answer.hits}) == 2
    assert sorted(len(hit.also_at) for hit in answer.hits) == [0, 1]


async def test_what_was_folded_can_still_be_judged_and_learned_from(app: GraphPalace, palace: str) -> None:
    first, second = await add(app, palace, "bread needs flour", "bread needs flour")
    answer = await ask(app, palace)
    (hit,) = answer.hits
    (copy,) = hit.also_at
    assert {hit.id, copy.id} == {first, second}
    await app.learning.feedback.give(palace, run=answer.run, useful={copy.id: 1.0})
    (after,) = (await ask(app, palace)).hits
    assert after.id == copy.id  # what helped stands first now, and the other one is named
    assert [other.id for other in after.also_at] == [hit.id]


async def test_the_setting_turns_folding_off_and_a_request_turns_it_on(
    app: GraphPalace, palace: str, settings: Settings
) -> None:
    await add(app, palace, "bread needs flour", "bread needs flour")
    off = changed(settings, search={"fold_duplicates": False})
    async with wiring.opened(off, embedder=WordEmbedder()) as other:
        assert len((await ask(other, palace)).hits) == 2
        assert len((await ask(other, palace, fold_duplicates=True)).hits) == 1
