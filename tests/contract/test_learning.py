"""Feedback and what is learned from it, behind every door."""

from __future__ import annotations

from typing import Any

import pytest

from graphpalace.errors import InvalidInput, NotFound


async def test_feedback_is_given_listed_and_taken_back(door: Any) -> None:
    kept = await door.add("Prune the roses in late winter.", wing="garden")
    other = await door.add("Feed the roses in May.", wing="garden")
    answer = await door.search("when to prune roses")
    assert await door.shown(answer.run) == [hit.id for hit in answer.hits]

    given = await door.useful(answer.run, kept.id)
    assert (given.fresh, given.useful, given.useless) == (True, 1, 0)
    assert not (await door.useful(answer.run, kept.id)).fresh
    again = await door.feedback(
        query="when to feed roses",
        wing="garden",
        useful=[other.id],
        useless=[{"id": kept.id, "reward": 0.5}],
        id="mine",
    )
    assert (again.useful, again.useless) == (1, 1)
    assert [one.id for one in await door.feedbacks(wing="garden", limit=1)] == [again.id]
    assert (await door.learned()).lessons > 0

    await door.take_back(again.id)
    assert [one.id for one in await door.feedbacks()] == [given.id]
    with pytest.raises(NotFound, match=again.id):
        await door.take_back(again.id)
    assert await door.unlearn(wing="garden") == 1
    assert await door.feedbacks() == []

    with pytest.raises(NotFound, match="search-nosuch"):
        await door.useful("search-nosuch", kept.id)
    with pytest.raises(NotFound, match="search-nosuch"):
        await door.shown("search-nosuch")
    with pytest.raises(InvalidInput, match="success"):
        await door.feedback(answer.run, success=0.5)
    with pytest.raises(NotFound, match="nowhere"):
        await door.learned(wing="nowhere")
