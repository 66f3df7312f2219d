"""Feedback on a real Neo4j: it changes the next answers, within bounds, and can be taken back."""

from __future__ import annotations

import asyncio

import pytest
from tests.graphs import nodes_of

from graphpalace.bootstrap import GraphPalace, wire
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.operations.drawers import NewDrawer
from graphpalace.operations.recall import Question

TEXTS = {
    "bread": "Sourdough bread needs a starter that is fed every day with flour and water.",
    "soup": "Lentil soup simmers for an hour with bay leaf and onion.",
    "roses": "Prune roses in winter, above an outward facing bud.",
    "tomatoes": "Tomatoes want warmth, water at the root and a stake to climb.",
    "compost": "Compost turns kitchen scraps into soil for the garden.",
    "oven": "Preheat the oven with a stone, and steam the first ten minutes.",
}


@pytest.fixture
async def home(app: GraphPalace, palace: str) -> dict[str, str]:
    """Drawers of a palace by what they are about; `palace` is the palace's name."""
    ids = {"palace": palace}
    for name, text in TEXTS.items():
        room = "garden" if name in {"roses", "tomatoes", "compost"} else "kitchen"
        added = await app.drawers.add(palace, NewDrawer(text=text, wing="home", room=room))
        ids[name] = added["id"]
    return ids


async def _order(app: GraphPalace, palace: str, query: str, **more: object) -> list[str]:
    answer = await app.recall.search(palace, Question(query, **more))  # pyright: ignore[reportArgumentType]
    return [hit.drawer["id"] for hit in answer.hits]


async def test_what_helped_is_first_when_the_question_comes_again(app: GraphPalace, home: dict[str, str]) -> None:
    palace, query = home["palace"], "how do I keep my kitchen going with flour and scraps"
    answer = await app.recall.search(palace, Question(query))
    last = answer.hits[-1].drawer["id"]
    given = await app.feedback.give(palace, run=answer.run, useful={last: 1.0})
    assert (given.fresh, given.useful, given.useless) == (True, 1, 0)
    again = await app.recall.search(palace, Question(query))
    hit = next(hit for hit in again.hits if hit.drawer["id"] == last)
    assert hit.taught is not None
    assert hit.taught.memory > 0.15
    assert hit.taught.rank == len(answer.hits)
    changes = hit.taught.question + hit.taught.lanes + hit.taught.memory + hit.taught.bound
    assert hit.score == pytest.approx(hit.taught.score + changes)
    assert [one.drawer["id"] for one in again.hits].index(last) < len(answer.hits) - 1
    unlearned = await app.recall.search(palace, Question(query, without=frozenset({"learning"})))
    assert [one.drawer["id"] for one in unlearned.hits] == [one.drawer["id"] for one in answer.hits]
    assert all(one.taught is None for one in unlearned.hits)


async def test_the_same_feedback_twice_is_once(app: GraphPalace, home: dict[str, str]) -> None:
    palace = home["palace"]
    run = (await app.recall.search(palace, Question("roses in winter"))).run
    first = await app.feedback.give(palace, run=run, useful={home["roses"]: 1.0})
    before = await nodes_of(app.database, palace)
    second = await app.feedback.give(palace, run=run, useful={home["roses"]: 1.0})
    assert (first.fresh, second.fresh, first.id == second.id) == (True, False, True)
    assert await nodes_of(app.database, palace) == before
    assert len(await app.feedback.listed(palace)) == 1


async def test_feedback_is_seen_by_another_service_and_after_a_restart(app: GraphPalace, home: dict[str, str]) -> None:
    palace, query = home["palace"], "warmth and a stake"
    answer = await app.recall.search(palace, Question(query))
    await app.searches.flush()
    other = wire(app.settings, embedder=app.embedder)
    try:
        last = answer.hits[-1].drawer["id"]
        await other.feedback.give(palace, run=answer.run, useful={last: 1.0})
        here = await _order(app, palace, query)
        assert here == await _order(other, palace, query)
        assert here != [hit.drawer["id"] for hit in answer.hits]
    finally:
        await other.close()


async def test_what_was_taken_back_leaves_nothing(app: GraphPalace, home: dict[str, str]) -> None:
    palace, query = home["palace"], "bread with a starter"
    before = await app.recall.search(palace, Question(query))
    last = before.hits[-1].drawer["id"]
    given = await app.feedback.give(
        palace, run=before.run, useful={last: 1.0}, useless={before.hits[0].drawer["id"]: 1.0}
    )
    assert await _order(app, palace, query) != [hit.drawer["id"] for hit in before.hits]
    await app.feedback.take_back(palace, given.id)
    assert await _order(app, palace, query) == [hit.drawer["id"] for hit in before.hits]
    assert await app.feedback.listed(palace) == []
    for drawer in (node for node in await nodes_of(app.database, palace) if node.get("id") == last):
        assert not drawer.get("narrative_strength")
    with pytest.raises(NotFound, match="no feedback"):
        await app.feedback.take_back(palace, given.id)


async def test_bad_feedback_is_refused_and_nothing_is_kept(app: GraphPalace, home: dict[str, str]) -> None:
    palace = home["palace"]
    run = (await app.recall.search(palace, Question("soup"))).run
    soup = home["soup"]
    for useful, useless, error, part in (
        ({soup: -50.0}, {}, InvalidInput, "above 0"),
        ({soup: float("nan")}, {}, InvalidInput, "above 0"),
        ({soup: 1.5}, {}, InvalidInput, "at most 1"),
        ({}, {}, InvalidInput, "at least one drawer"),
        ({soup: 1.0}, {soup: 1.0}, InvalidInput, "both"),
        ({soup: 1.0, "drawer-none": 1.0}, {}, NotFound, "drawer-none"),
    ):
        with pytest.raises(error, match=part):
            await app.feedback.give(palace, run=run, useful=useful, useless=useless)
    with pytest.raises(NotFound, match="give the question"):
        await app.feedback.give(palace, run="search-000000000000", useful={soup: 1.0})
    assert await app.feedback.listed(palace) == []


async def test_feedback_can_name_the_question_of_a_search_that_expired(app: GraphPalace, home: dict[str, str]) -> None:
    palace, query = home["palace"], "an hour with onion"
    given = await app.feedback.give(palace, question=Question(query), useful={home["oven"]: 1.0})
    assert given.fresh
    hit = next(
        hit for hit in (await app.recall.search(palace, Question(query))).hits if hit.drawer["id"] == home["oven"]
    )
    assert hit.taught is not None
    assert hit.taught.memory > 0


async def test_many_services_may_give_feedback_at_once(app: GraphPalace, home: dict[str, str]) -> None:
    palace = home["palace"]
    answers = [await app.recall.search(palace, Question(f"question {at} of soup")) for at in range(12)]
    await asyncio.gather(*(app.feedback.give(palace, run=answer.run, useful={home["soup"]: 1.0}) for answer in answers))
    assert len(await app.feedback.listed(palace)) == 12
    assert len({row["id"] for row in await app.feedback.listed(palace)}) == 12


async def test_a_drawer_with_the_question_word_for_word_stays(app: GraphPalace, home: dict[str, str]) -> None:
    palace, query = home["palace"], "an outward facing bud"
    for at in range(3):
        answer = await app.recall.search(palace, Question(query, top_k=2))
        useful = {home[name]: 1.0 for name in ("oven", "soup", "bread")}
        await app.feedback.give(
            palace, run=answer.run, useful=useful, useless={home["roses"]: 1.0}, feedback_id=f"wrong {at}"
        )
    found = await _order(app, palace, query, top_k=2)
    assert home["roses"] in found
    assert len(found) == 2
