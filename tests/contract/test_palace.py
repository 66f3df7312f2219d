"""What a palace does behind every door."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from graphpalace.errors import EmptyQuery, InvalidInput, NotFound, WrongDimension
from tests.words import WordEmbedder


async def test_what_is_stored_is_found_opened_and_removed(door: Any) -> None:
    kept = await door.add("The door code is 4711.", wing="home", room="keys", importance=0.9)
    assert (kept.text, kept.wing, kept.room, kept.created) == ("The door code is 4711.", "home", "keys", True)
    assert not (await door.add("The door code is 4711.", wing="home", room="keys")).created

    answer = await door.search("door code", wing="home", top_k=3)
    assert [hit.id for hit in answer.hits] == [kept.id]
    assert answer.hits[0].path[-1].id == kept.id
    assert (await door.open_drawer(kept.id, run=answer.run)).counted is True

    assert (await door.get(kept.id)).text == kept.text
    assert [drawer.id async for drawer in door.list(wing="home")] == [kept.id]
    await door.delete(kept.id)
    with pytest.raises(NotFound, match=kept.id):
        await door.get(kept.id)


async def test_a_list_goes_on_over_its_pages(door: Any) -> None:
    kept = {(await door.add(f"number {number}", wing="w")).id for number in range(5)}
    listed = [drawer.id async for drawer in door.list(page=2)]
    assert listed == sorted(kept)


async def test_vectors_may_be_arrays_and_moments_are_moments(door: Any) -> None:
    vector = WordEmbedder().embed(["something else"])[0]
    said = datetime(2026, 5, 31, 12, tzinfo=UTC)
    kept = await door.add("tulips", wing="garden", embedding=vector, occurred_at=said, author="Ann")
    assert (kept.author, kept.occurred_at) == ("Ann", "2026-05-31T12:00:00Z")
    answer = await door.search(query_embedding=vector.astype(np.float64), lanes=["semantic"])
    assert answer.hits[0].id == kept.id
    assert (await door.search("tulips", until=said)).count == 0
    assert (await door.search("tulips", since=said, weights={"fulltext": 2.0})).count == 1


async def test_errors_are_the_same_behind_every_door(door: Any) -> None:
    with pytest.raises(EmptyQuery, match="query"):
        await door.search("  ")
    with pytest.raises(InvalidInput, match="top_k"):
        await door.search("x", top_k=0)
    with pytest.raises(InvalidInput, match="text"):
        await door.add("", wing="w")
    with pytest.raises(InvalidInput, match="wing"):
        await door.add("x", wing=" ")
    with pytest.raises(WrongDimension):
        await door.search(query_embedding=[1.0, 2.0])
    with pytest.raises(NotFound, match="nowhere"):
        await door.search("x", wing="nowhere")
