"""Storing many texts, changing, forgetting and looking for duplicates behind every door."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from graphpalace.app import GraphPalace
from graphpalace.errors import Conflict, InvalidInput, NotFound, TooLarge, WrongDimension
from tests.words import WordEmbedder


async def test_many_texts_are_stored_in_batches_that_are_read_as_they_are_needed(door: Any) -> None:
    read: list[int] = []
    seen: list[tuple[int, int, int]] = []

    def texts() -> Iterator[Any]:
        for number in range(5):
            read.append(number)
            yield f"number {number} of the ships"
        yield {"text": "number 0 of the ships", "wing": "sea"}
        yield {"text": "tulips", "room": "beds", "title": "Spring", "author": "Ann", "importance": 0.9}

    def progress(done: Any) -> None:
        seen.append((len(done.ids), done.created, len(read)))

    added = await door.add_many(texts(), wing="sea", batch=2, progress=progress)
    assert [(stored, created) for stored, created, _ in seen] == [(2, 2), (4, 4), (6, 5), (7, 6)]
    assert seen[0][2] == 3  # one more was read, to know that the batch is full
    assert (added.created, added.kept, len(added.ids)) == (6, 1, 7)
    assert added.ids[0] == added.ids[5]
    last = await door.get(added.ids[6])
    assert (last.text, last.wing, last.room, last.closet, last.author) == ("tulips", "sea", "beds", "Spring", "Ann")
    assert [(await door.get(drawer)).position for drawer in added.ids[:5]] == [0, 1, 2, 3, 4]
    assert (await door.search("tulips")).hits[0].id == last.id
    again = await door.add_many(["tulips"], wing="sea", room="beds")
    assert (again.ids, again.created, again.kept) == ([last.id], 0, 1)
    assert (await door.stats()).edges["SIMILAR_TO"] == 10  # within batches and between them
    assert (await door.add_many([], wing="sea")).ids == []


async def test_embeddings_may_be_an_array_with_a_row_for_each_text(door: Any) -> None:
    rows = WordEmbedder().embed(["roses", "bread", "stars"])
    added = await door.add_many(["a", "b", "c"], wing="w", embeddings=rows, batch=2)
    answer = await door.search(query_embedding=rows[1], lanes=["semantic"])
    assert answer.hits[0].id == added.ids[1]
    for wrong, match in ((rows[:2], "2 rows"), (np.vstack([rows, rows]), "more rows")):
        with pytest.raises(InvalidInput, match=match):
            await door.add_many(["d", "e", "f"], wing="w", embeddings=wrong)
    with pytest.raises(InvalidInput, match="not JSON compliant"):
        await door.add_many(["d"], wing="w", embeddings=np.full((1, 384), np.nan))
    with pytest.raises(WrongDimension, match=r"texts\.1\.embedding"):
        await door.add_many(["d", "e"], wing="w", embeddings=[rows[0], [1.0, 2.0]])


async def test_a_fault_names_its_text_and_nothing_of_its_batch_is_stored(door: Any) -> None:
    with pytest.raises(InvalidInput, match=r"texts\.3\.text is blank"):
        await door.add_many(["a", "b", "c", " \n"], wing="w", batch=2)
    assert sorted([drawer.text async for drawer in door.list()]) == ["a", "b"]
    for texts, error, match in (
        (["x", ""], InvalidInput, r"texts\.1\.text"),
        (["x", {"text": "y", "wing": " "}], InvalidInput, r"texts\.1\.wing"),
        (["x", {"text": "y", "weight": 1}], InvalidInput, r"texts\.1\.weight"),
        (["x", {"text": "y", "importance": 2}], InvalidInput, r"texts\.1\.importance"),
        (["x", "y" * 1_000_001], (InvalidInput, TooLarge), r"texts\.1\.text"),
        (["x", 5], InvalidInput, r"texts\.1 is a int"),
        ("one text", InvalidInput, "a list of texts"),
    ):
        with pytest.raises(error, match=match):
            await door.add_many(texts, wing="w")
    with pytest.raises(InvalidInput, match="batch"):
        await door.add_many(["x"], wing="w", batch=0)
    assert (await door.stats()).nodes["Drawer"] == 2


async def test_a_changed_text_is_found_by_its_new_words_and_no_longer_by_the_old(
    door: Any, app: GraphPalace, palace: str
) -> None:
    first = await door.add("the spare key is under the mat", wing="home", room="keys")
    ship = await door.add("ships sail the sea", wing="home", room="trips")
    boat = await door.add("ships sail far", wing="home", room="trips")
    assert (await door.search("spare key")).hits[0].id == first.id
    assert (await door.search("ships sail", lanes=["fulltext"])).count == 2
    async with app.replica.indexes.reading(palace) as matrix:
        assert len(matrix) == 3
    moment = datetime(2026, 5, 31, 12, tzinfo=UTC)
    changed = await door.update(
        first.id, text="many ships sail\nhome", title="Log", author="Ann", occurred_at=moment, importance=0.8
    )
    assert (changed.id, changed.text, changed.closet, changed.author) == (
        first.id,
        "many ships sail\nhome",
        "Log",
        "Ann",
    )
    assert (changed.occurred_at, changed.importance, changed.end_line) == ("2026-05-31T12:00:00Z", 0.8, 2)
    assert (changed.room, changed.created_at) == (first.room, first.created_at)
    for lanes in (["fulltext"], ["semantic"], None):
        assert first.id in [hit.id for hit in (await door.search("many ships", lanes=lanes, top_k=1)).hits]
    assert (await door.search("key", lanes=["fulltext"])).count == 0
    assert first.id in [hit.id for hit in (await door.search("Log", lanes=["fulltext"])).hits]  # by its title

    # A process that has had the palace in memory sees it too.
    async with app.replica.indexes.reading(palace) as matrix:
        row = matrix.some([first.id]).vectors[0]
    assert np.allclose(row, WordEmbedder().embed([changed.text])[0], atol=1e-6)
    way = await door.navigate(first.id, ship.id)
    assert "SIMILAR_TO" in {leg.type for leg in way.legs}
    stats = await door.stats()
    assert stats.edges["SIMILAR_TO"] == 3

    # The id that followed from the first text is taken: that text comes to a drawer of its own.
    again = await door.add("the spare key is under the mat", wing="home", room="keys")
    assert again.created is True
    assert again.id != first.id
    assert (await door.add("the spare key is under the mat", wing="home", room="keys")).id == again.id
    assert (await door.add("many ships sail\nhome", wing="home", room="trips")).id not in (first.id, boat.id)
    assert (await door.get(first.id)).text == "many ships sail\nhome"


async def test_a_change_that_is_not_possible_changes_nothing(door: Any) -> None:
    kept = await door.add("the spare key", wing="home", author="Bo")
    for change, match in (
        ({}, "there is nothing to change"),
        ({"text": " "}, "blank"),
        ({"text": ""}, "text"),
        ({"text": "new", "importance": 2.0}, "importance"),
        ({"text": "new", "author": "two\nlines"}, "author"),
        ({"text": "new", "title": " "}, "title"),
    ):
        with pytest.raises(InvalidInput, match=match):
            await door.update(kept.id, **change)
    with pytest.raises(NotFound, match="drawer-none"):
        await door.update("drawer-none", text="new")
    now = await door.get(kept.id)
    assert (now.text, now.author, now.importance, now.closet) == ("the spare key", "Bo", 0.5, kept.closet)
    assert (await door.update(kept.id, importance=0.7)).text == "the spare key"


async def test_drawers_are_forgotten_by_id_source_and_place_with_a_receipt(door: Any) -> None:
    ids = {}
    for wing, room, source, text in (
        ("home", "keys", "file:///a.md", "one"),
        ("home", "keys", "file:///a.md#2", "two"),
        ("home", "tools", "file:///a.md", "three"),
        ("club", "keys", "file:///a.md", "four"),
        ("club", "keys", "file:///a.mdx", "five"),
        ("club", "bar", "file:///b.md", "six"),
        ("club", "bar", "file:///b.md", "seven"),
    ):
        ids[text] = (await door.add(text, wing=wing, room=room, source_uri=source)).id
    for choice, match in (({}, "nothing is chosen"), ({"room": "keys"}, "wing"), ({"drawers": []}, "drawers")):
        with pytest.raises(InvalidInput, match=match):
            await door.forget(**choice)
    for choice, match in (({"wing": "attic"}, "attic"), ({"wing": "home", "room": "bar"}, "bar")):
        with pytest.raises(NotFound, match=match):
            await door.forget(**choice)

    plan = await door.forget(source="file:///a.md", dry_run=True)
    assert (plan.dry_run, plan.deleted, plan.missing) == (True, 0, [])
    assert plan.drawers == sorted(ids[text] for text in ("one", "two", "three", "four"))
    assert (await door.stats()).nodes["Drawer"] == 7
    inside = await door.forget(source="file:///a.md", wing="home", room="keys", dry_run=True)
    assert inside.drawers == sorted([ids["one"], ids["two"]])
    assert len(inside.closets) == 1  # the other one has a drawer in another room

    gone = await door.forget(source="file:///a.md", wing="home")
    assert (gone.deleted, gone.drawers) == (3, sorted(ids[text] for text in ("one", "two", "three")))
    assert (await door.search("one", lanes=["fulltext"])).count == 0
    some = await door.forget(drawers=[ids["six"], ids["one"], "drawer-none"])
    assert (some.deleted, some.drawers, some.closets) == (1, [ids["six"]], [])
    assert some.missing == sorted([ids["one"], "drawer-none"])
    room = await door.forget(wing="club", room="bar")
    assert (room.deleted, room.drawers, len(room.closets)) == (1, [ids["seven"]], 1)
    assert [room.name for room in await door.rooms(wing="club")] == ["keys"]
    assert (await door.forget(wing="club", dry_run=True)).drawers == sorted([ids["four"], ids["five"]])
    assert (await door.forget(wing="club")).deleted == 2
    assert "club" not in [wing.name for wing in await door.wings()]


async def test_forgetting_by_words_is_shown_first_and_leaves_a_receipt_without_them(door: Any) -> None:
    kept = await door.add("the spare key hangs in the hall", wing="home")
    gone = await door.add("Mara Quill has the spare key", wing="home", source_uri="conversation:codex/7")
    plan = await door.forget(name="mara quill", dry_run=True)
    assert (plan.drawers, len(plan.places), plan.id) == ([gone.id], 1, None)
    assert (await door.forget(conversation="codex/7", dry_run=True)).drawers == [gone.id]
    assert (await door.forget(pattern="SPARE key", wing="home", dry_run=True)).drawers == sorted([kept.id, gone.id])
    for bad, match in (({"pattern": "(", "regex": True}, "RE2"), ({"conversation": "codex"}, "HOST/ID")):
        with pytest.raises(InvalidInput, match=match):
            await door.forget(**bad)
    receipt = await door.forget(name="mara quill", by="Ann")
    assert (receipt.deleted, receipt.places) == (1, [])
    (listed,) = await door.forget_receipts()
    assert (listed.id, listed.by, listed.kinds, listed.drawers) == (receipt.id, "Ann", ["name"], [gone.id])
    with pytest.raises(InvalidInput, match="limit"):
        await door.forget_receipts(limit=0)


async def test_a_drawer_has_a_history_and_can_be_superseded_and_restored(door: Any) -> None:
    old = await door.add("the boat leaves at nine", wing="sea")
    new = await door.add("the boat leaves at eleven", wing="sea")
    assert (await door.history(old.id)).texts == []
    await door.update(old.id, text="the boat leaves at ten")
    assert [one.text for one in (await door.history(old.id)).texts] == ["the boat leaves at nine"]
    done = await door.supersede(old.id, new.id)
    assert (done.old, done.new) == (old.id, new.id)
    beside = await door.beside(old.id)
    assert (beside.number, beside.of, beside.next) == (1, 2, new.id)
    assert (beside.replaced_by, beside.replaced_since, list(beside.facts)) == (new.id, done.since, [])
    hits = {hit.id: hit for hit in (await door.search("when does the boat leave")).hits}
    assert hits[old.id].outdated.drawer == new.id and hits[new.id].outdated is None
    with pytest.raises(Conflict):
        await door.supersede(new.id, old.id)
    await door.take_back_supersede(old.id)
    for call in (door.take_back_supersede(old.id), door.history("drawer-none"), door.supersede("drawer-none", new.id)):
        with pytest.raises(NotFound):
            await call
    with pytest.raises(InvalidInput, match="itself"):
        await door.supersede(old.id, old.id)


async def test_a_duplicate_is_the_same_text_or_one_of_nearly_the_same_meaning(door: Any) -> None:
    vector = WordEmbedder().embed(["something quite different"])[0]
    same = await door.add("the spare key hangs in the hall", wing="home")
    far = await door.add("the spare key hangs in the hall", wing="club", embedding=vector)
    near = await door.add("the spare key hangs in a hall", wing="club")
    answer = await door.search("spare key")
    await door.useful(answer.run, near.id)  # what is learned makes it no duplicate

    check = await door.check_duplicate("the spare key hangs in the hall")
    assert check.duplicate is True
    assert [(one.id, one.exact, one.same) for one in check.found] == [(same.id, True, True), (near.id, False, False)]
    assert list(check.found[0].also_at) == [far.id]
    assert check.found[0].cosine == pytest.approx(1, abs=1e-5)
    model = WordEmbedder()
    assert check.found[1].cosine == pytest.approx(
        float(model.embed([near.text])[0] @ model.embed([same.text])[0]), abs=1e-4
    )
    assert [one.id for one in (await door.check_duplicate(same.text, wing="home")).found] == [same.id]
    assert len((await door.check_duplicate(same.text, top_k=1)).found) == 1
    (only,) = (await door.check_duplicate("The Spare  Key hangs\nin the hall", wing="home")).found
    assert (only.id, only.exact, only.same, list(only.also_at)) == (same.id, False, True, [])
    none = await door.check_duplicate("ships sail the sea")
    assert (none.duplicate, none.found) == (False, [])
    assert (await door.check_duplicate("the key", threshold=0.2)).duplicate is True
    for wrong in ({"text": " "}, {"text": "x", "threshold": 1.5}, {"text": "x", "top_k": 0}):
        with pytest.raises(InvalidInput):
            await door.check_duplicate(**wrong)
    with pytest.raises(NotFound, match="attic"):
        await door.check_duplicate("x", wing="attic")


async def test_a_text_is_stored_unless_a_similar_one_is_there_and_once_for_each_key(door: Any) -> None:
    first = await door.add("the spare key hangs in the hall", wing="home", key="k1")
    again = await door.add("the spare key hangs in the hall", wing="home", key="k1")
    assert (first.created, again.created, again.id, first.similar) == (True, True, first.id, None)
    with pytest.raises(InvalidInput, match="language"):
        await door.add("x", wing="home", language="xx")
    assert (await door.add("Der Schlüssel", wing="heim", language="de")).created
    near = await door.add("the spare key hangs in a hall", wing="home", room="keys", unless_similar=0.8)
    assert (near.id, near.created, near.similar.id, near.similar.how) == (first.id, False, first.id, "near")
    assert (await door.add("the spare key hangs in a hall", wing="home", unless_similar=1)).created
    many = [await door.add_many(["a", "b", "c"], wing="w", batch=2, key="many") for _ in range(2)]
    assert [(done.created, done.kept) for done in many] == [(3, 0), (3, 0)]
    with pytest.raises(InvalidInput, match="Idempotency-Key"):
        await door.add_many(["a", "d"], wing="w", key="many")
    entries = [await door.write_diary("Ann", "a day", key="day-1") for _ in range(2)]
    assert entries[0] == entries[1]
    await door.update(first.id, text="the key is gone", key="u1")
    await door.update(first.id, text="the key is back")
    assert (await door.update(first.id, text="the key is gone", key="u1")).text == "the key is back"
    with pytest.raises(InvalidInput, match="key"):
        await door.add("x", wing="w", key="two words")
    with pytest.raises(InvalidInput, match="unless_similar"):
        await door.add("x", wing="w", unless_similar=1.5)


async def test_equal_texts_are_one_hit_behind_every_door(door: Any) -> None:
    ids = {(await door.add("Tulips need sun", wing=wing)).id for wing in ("home", "club")}
    other = await door.add("tulips need water", wing="home")
    answer = await door.search("tulips need sun")
    assert [hit.id for hit in answer.hits[1:]] == [other.id]
    (copy,) = answer.hits[0].also_at
    assert {answer.hits[0].id, copy.id} == ids
    assert (copy.room, copy.closet, copy.source.start_line) == ("general", "general notes", 1)
    assert len((await door.search("tulips need sun", fold_duplicates=False)).hits) == 3
    with pytest.raises(InvalidInput, match="fold_duplicates"):
        await door.search("tulips", fold_duplicates="perhaps")
