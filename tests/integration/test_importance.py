"""What somebody says of a drawer's importance counts in answers: a little, and each hit says how much."""

from __future__ import annotations

from typing import Any

import pytest

from graphpalace.app import GraphPalace
from graphpalace.domain.search.answer import Answer, Importance
from graphpalace.domain.search.request import SearchRequest
from graphpalace.errors import InvalidInput
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.serve.render import as_json


async def added(app: GraphPalace, palace: str, **importances: float) -> dict[str, str]:
    """Add drawers of the very same text, one in each room; return the room of each."""
    drawers = [
        await app.drawers.add(palace, NewDrawer(text="bread needs flour", wing="w", room=room, importance=importance))
        for room, importance in importances.items()
    ]
    return {drawer.drawer.id: room for drawer, room in zip(drawers, importances, strict=True)}


async def asked(app: GraphPalace, palace: str, query: str = "bread", **how: Any) -> Answer:
    return await app.recall.search(palace, SearchRequest(query, **{"fold_duplicates": False} | how))


def scores(answer: Answer) -> list[tuple[str, float]]:
    return [(hit.id, hit.score) for hit in answer.hits]


async def test_an_important_drawer_stands_before_an_equal_one_and_an_unimportant_one_after_it(
    app: GraphPalace, palace: str
) -> None:
    rooms = await added(app, palace, low=0.0, plain=0.5, high=0.9)
    answer = await asked(app, palace)
    assert [rooms[hit.id] for hit in answer.hits] == ["high", "plain", "low"]
    high, plain, low = answer.hits
    assert high.importance == Importance(0.9, pytest.approx(0.08))
    assert plain.importance is None
    assert low.importance == Importance(0.0, pytest.approx(-0.1))
    without = dict(scores(await asked(app, palace, without=frozenset({"importance"}))))
    for hit in answer.hits:
        change = hit.importance.change if hit.importance else 0.0
        assert hit.score == pytest.approx(without[hit.id] + change)
    assert as_json(high)["importance"] == {"value": 0.9, "change": pytest.approx(0.08)}
    assert as_json(plain)["importance"] is None


async def test_an_important_drawer_comes_in_from_below_the_cut(app: GraphPalace, palace: str) -> None:
    rooms = await added(app, palace, **{f"room{at:02}": 0.5 for at in range(50)})
    last = (await asked(app, palace, top_k=50)).hits[-1]
    await app.drawers.delete(palace, last.id)
    again = await added(app, palace, **{rooms[last.id]: 1.0})
    (best,) = (await asked(app, palace, top_k=1)).hits
    assert best.room in again.values()
    assert best.importance == Importance(1.0, pytest.approx(0.1))


async def test_neutral_importances_change_neither_order_nor_scores(app: GraphPalace, palace: str) -> None:
    await added(app, palace, one=0.5, two=0.5, three=0.5)
    answer = await asked(app, palace)
    assert scores(answer) == scores(await asked(app, palace, without=frozenset({"importance"})))
    assert all(hit.importance is None for hit in answer.hits)
    # One elsewhere that is not neutral does not move them either.
    await app.drawers.add(palace, NewDrawer(text="roses in spring", wing="w", importance=1.0))
    here = {drawer for drawer, _ in scores(answer)}
    more = await asked(app, palace)
    less = await asked(app, palace, without=frozenset({"importance"}))
    assert [pair for pair in scores(more) if pair[0] in here] == [pair for pair in scores(less) if pair[0] in here]


async def test_the_plain_order_by_ranks_leaves_importance_out(app: GraphPalace, palace: str) -> None:
    await added(app, palace, low=0.0, plain=0.5, high=1.0)
    answer = await asked(app, palace, fusion="rrf")
    assert scores(answer) == scores(await asked(app, palace, fusion="rrf", without=frozenset({"importance"})))
    assert all(hit.importance is None for hit in answer.hits)


async def test_beside_what_was_learned_every_score_is_still_the_sum_of_its_parts(app: GraphPalace, palace: str) -> None:
    rooms = await added(app, palace, low=0.0, plain=0.5, high=1.0)
    names = {room: drawer for drawer, room in rooms.items()}
    run = (await asked(app, palace)).run
    await app.learning.feedback.give(palace, run=run, useful={names["low"]: 1.0})
    answer = await asked(app, palace)
    # Memory gives .2 to the low one, which is .2 below the high one, and .1 below the plain one.
    unlearned = await asked(app, palace, without=frozenset({"learning"}))
    place = {hit.id: at for at, hit in enumerate(unlearned.hits, start=1)}
    plain = dict(scores(unlearned))
    assert any(hit.taught is not None and hit.taught.memory > 0.15 for hit in answer.hits)
    for hit in answer.hits:
        assert hit.taught is not None
        assert hit.taught.rank == place[hit.id]
        assert hit.taught.score == pytest.approx(plain[hit.id], abs=1e-6)
        parts = ("question", "lanes", "memory", "others", "bound")
        assert hit.score == pytest.approx(hit.taught.score + sum(getattr(hit.taught, part) for part in parts))
    assert answer.hits == sorted(answer.hits, key=lambda hit: (-hit.score, hit.id))


@pytest.mark.parametrize("importance", [-0.01, 1.01, float("nan")])
async def test_an_importance_out_of_range_is_refused(app: GraphPalace, palace: str, importance: float) -> None:
    with pytest.raises(InvalidInput, match="importance"):
        await added(app, palace, one=importance)
