"""A drawer that is probably news on an older one is linked to it, and a search puts it before that one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.new_drawer import DrawerUpdate, NewDrawer
from graphpalace.domain.search.answer import Answer
from graphpalace.domain.search.request import SearchRequest
from graphpalace.errors import NotFound

OLD = "The ferry to the island leaves from pier four."
NEW = "The ferry to the island leaves from pier nine now."
OTHER = "Aunt Ilse grows three kinds of quince behind the barn."
QUESTION = "ferry to the island from pier four"


async def _add(app: GraphPalace, palace: str, text: str, day: int | None = None, **more: Any) -> str:
    given = {"wing": "harbour", "occurred_at": None if day is None else datetime(2026, 3, day, tzinfo=UTC)} | more
    return (await app.drawers.add(palace, NewDrawer(text=text, **given))).drawer.id


async def _search(app: GraphPalace, palace: str, query: str = QUESTION, **how: Any) -> Answer:
    return await app.recall.search(palace, SearchRequest(query, **how))


@pytest.fixture
async def told(app: GraphPalace, palace: str) -> dict[str, str]:
    """A palace that was told where the ferry leaves, of something else, and that the pier has changed."""
    old = await _add(app, palace, OLD, 1)
    await _add(app, palace, OTHER, 2)
    return {"old": old, "new": await _add(app, palace, NEW, 3)}


async def test_news_come_before_what_they_are_news_on_and_both_say_so(
    app: GraphPalace, palace: str, told: dict[str, str]
) -> None:
    before = await _search(app, palace, without=frozenset({"news"}))
    assert [hit.id for hit in before.hits[:2]] == [told["old"], told["new"]]
    assert before.hits[0].newer is None
    new, old = (await _search(app, palace)).hits[:2]
    assert [new.id, old.id] == [told["new"], told["old"]]
    assert new.news_on
    assert old.newer
    assert (new.news_on.drawer, old.newer.drawer) == (old.id, new.id)
    assert new.score == pytest.approx(before.hits[1].score + new.news_on.change)
    assert old.score == pytest.approx(before.hits[0].score + old.newer.change)
    assert new.news_on.change > 0 > old.newer.change >= -0.2


@pytest.mark.parametrize(
    "how",
    [
        {"query": "the previous pier of the ferry to the island, four"},
        {"as_of": "2026-04"},
        {"fusion": "rrf"},
    ],
)
async def test_questions_about_the_past_and_reciprocal_ranks_know_no_news(
    app: GraphPalace, palace: str, told: dict[str, str], how: dict[str, Any]
) -> None:
    found = await _search(app, palace, **how)
    assert [hit.newer for hit in found.hits] == [None] * len(found.hits)
    assert found.hits[0].id == told["old"]


async def test_who_adds_news_is_told_what_they_are_news_on(app: GraphPalace, palace: str) -> None:
    old = await _add(app, palace, OLD, 1)
    added = await app.drawers.add(palace, NewDrawer(text=NEW, wing="harbour"))
    assert [(one.drawer, one.text) for one in added.news] == [(old, OLD)]
    assert added.news[0].probability >= 0.5
    other = await app.drawers.add(palace, NewDrawer(text=OTHER, wing="harbour"))
    assert other.news == []


async def test_neither_another_wing_nor_the_same_source_nor_what_is_not_older_is_news(
    app: GraphPalace, palace: str
) -> None:
    await _add(app, palace, OLD, 2, source_uri="file:///ferry.txt")
    for more in (
        {"wing": "elsewhere", "day": 3},
        {"source_uri": "file:///ferry.txt", "day": 3},
        {"day": 2},
        {"day": 1, "room": "earlier"},
    ):
        await _add(app, palace, f"{NEW[:-1]}, said {len(more)} of {more['day']}.", **more)
    found = await _search(app, palace, fold_duplicates=False)
    linked = [hit.news_on for hit in found.hits if hit.wing == "elsewhere" or hit.source.uri == "file:///ferry.txt"]
    assert linked == [None] * 3


async def test_what_is_said_of_news_settles_them_and_what_was_refused_does_not_come_back(
    app: GraphPalace, palace: str, told: dict[str, str]
) -> None:
    await app.drawers.supersede(palace, told["old"], told["new"])
    new, old = (await _search(app, palace)).hits[:2]
    assert [new.id, old.id] == [told["new"], told["old"]]
    assert old.outdated
    assert new.news_on
    assert new.news_on.probability == 1.0
    assert await app.drawers.take_back_supersede(palace, told["old"]) == told["new"]
    found = await _search(app, palace)
    assert [hit.id for hit in found.hits[:2]] == [told["old"], told["new"]]
    assert [hit.newer for hit in found.hits] == [None] * len(found.hits)
    await app.drawers.update(palace, told["new"], DrawerUpdate(text=f"{NEW} Really."))
    assert (await _search(app, palace)).hits[0].newer is None
    with pytest.raises(NotFound, match="none probably outdates it"):
        await app.drawers.take_back_supersede(palace, told["old"])


async def test_a_supposition_is_refused_in_one_call(app: GraphPalace, palace: str, told: dict[str, str]) -> None:
    assert await app.drawers.take_back_supersede(palace, told["old"]) == told["new"]
    assert [hit.id for hit in (await _search(app, palace)).hits[:2]] == [told["old"], told["new"]]


async def test_with_another_text_a_drawer_is_no_longer_news(
    app: GraphPalace, palace: str, told: dict[str, str]
) -> None:
    await app.drawers.update(palace, told["new"], DrawerUpdate(text="The bakery sells rye bread on Tuesdays."))
    assert [hit.newer for hit in (await _search(app, palace)).hits] == [None] * 3


async def test_news_that_no_lane_found_come_in(app: GraphPalace, palace: str, told: dict[str, str]) -> None:
    await _search(app, palace)  # so that the palace in memory is up to date
    found = await _search(app, palace, "something about four", lanes=("fulltext", "entity"))
    assert [hit.id for hit in found.hits] == [told["new"], told["old"]]
    assert found.hits[0].lanes == {}


@pytest.mark.parametrize("query", ["the island leaves from pier four", "pier four"])
async def test_a_drawer_that_the_question_quotes_keeps_its_place_and_says_that_there_are_news(
    app: GraphPalace, palace: str, told: dict[str, str], query: str
) -> None:
    old = (await _search(app, palace, query)).hits[0]
    assert old.id == told["old"]
    assert old.newer
    assert (old.newer.drawer, old.newer.change) == (told["new"], 0.0)
    still = await _search(app, palace, f"{query} still")
    assert still.hits[0].id == told["new"]


async def test_each_of_a_series_is_first_for_its_own_number(app: GraphPalace, palace: str) -> None:
    series = [await _add(app, palace, f"incident {number}: the database ran out of disk") for number in range(11, 23)]
    assert any(hit.newer for hit in (await _search(app, palace, "the database and its disk")).hits)
    for number, drawer in enumerate(series, start=11):
        for query in (f"incident {number}", f"What happened in incident {number}?"):
            assert (await _search(app, palace, query)).hits[0].id == drawer, query


@pytest.mark.parametrize("lane", ["fulltext", "semantic", "path"])
async def test_a_single_lane_shows_its_own_order(
    app: GraphPalace, palace: str, told: dict[str, str], lane: str
) -> None:
    found = await _search(app, palace, lanes=(lane,))
    assert found.hits[0].id == told["old"]
    assert [hit.newer for hit in found.hits] == [None] * len(found.hits)


async def test_an_embedding_alone_asks_for_what_is_nearest(app: GraphPalace, palace: str, told: dict[str, str]) -> None:
    vector = app.embedder.embed([OLD])[0].tolist()
    found = await app.recall.search(palace, SearchRequest(query_embedding=vector))
    assert [hit.id for hit in found.hits[:2]] == [told["old"], told["new"]]


async def test_a_palace_learns_from_what_is_said_of_its_news(app: GraphPalace, palace: str) -> None:
    async def supposed(number: int) -> tuple[str, float]:
        """Say where a boat lies, and then that it has moved; return the first text and how probably it is outdated."""
        old = await _add(app, palace, f"The boat called Gull{number} lies in berth seven.", 1)
        new = await app.drawers.add(
            palace, NewDrawer(text=f"The boat called Gull{number} lies in berth nine now.", wing="harbour")
        )
        return old, next(one.probability for one in new.news if one.drawer == old)

    first, before = await supposed(1)
    await app.drawers.take_back_supersede(palace, first)
    second, less = await supposed(2)
    assert less < before
    # What is said otherwise later counts once, as the last word.
    newer = (await app.drawers.add(palace, NewDrawer(text="Gull1 is in berth nine.", wing="harbour"))).drawer.id
    for _ in range(2):
        await app.drawers.supersede(palace, second, newer)
        await app.drawers.take_back_supersede(palace, second)
    assert (await supposed(3))[1] < less


async def test_what_holds_comes_to_the_top_from_below_many_that_are_old(app: GraphPalace, palace: str) -> None:
    for at in range(60):
        await _add(app, palace, f"The ferry to the island leaves from pier {at} by noon.", source_uri="file:///a.txt")
    new = await _add(app, palace, "Nobody can cross any more.")
    asked: dict[str, Any] = {"query": "ferry from the pier", "wing": "harbour"}
    before = (await _search(app, palace, **asked, top_k=60)).hits
    old, holds = before[:50], before[50:55]
    assert holds[-1].score > old[0].score - 0.2
    await app.database.write(palace, "ingest/create_news", news=[[new, each.id, 1.0] for each in old])
    app.replica.indexes.forget(palace)
    after = await _search(app, palace, **asked, top_k=6)
    assert [hit.id for hit in after.hits] == [new, *(hit.id for hit in holds)]
