"""What one process writes, another finds, at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.reads import noted_reads
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.domain.search.request import SearchRequest
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.settings.load import Settings


@pytest.fixture
async def second(settings: Settings) -> AsyncIterator[GraphPalace]:
    """Another service on the same database."""
    async with wiring.opened(settings, embedder=WordEmbedder()) as opened:
        yield opened


async def _texts(app: GraphPalace, palace: str, query: str) -> set[str]:
    answer = await app.recall.search(palace, SearchRequest(query, top_k=50))
    # The semantic lane finds from memory: this is what must be in step.
    return {hit.text for hit in answer.hits if "semantic" in hit.lanes}


async def test_another_service_finds_a_new_drawer_at_once_and_loses_a_deleted_one(
    app: GraphPalace, second: GraphPalace, palace: str
) -> None:
    await app.drawers.add(palace, NewDrawer(text="first words", wing="w"))
    assert await _texts(second, palace, "words") == {"first words"}
    added = await app.drawers.add(palace, NewDrawer(text="second words", wing="w"))
    assert await _texts(second, palace, "words") == {"first words", "second words"}
    await app.drawers.delete(palace, added.drawer.id)
    assert await _texts(second, palace, "words") == {"first words"}


async def test_a_drawer_deleted_by_hand_is_noticed(app: GraphPalace, palace: str) -> None:
    kept = await app.drawers.add(palace, NewDrawer(text="kept words", wing="w"))
    gone = await app.drawers.add(palace, NewDrawer(text="lost words", wing="w"))
    await app.database.write(palace, "tests/delete_one", id=gone.drawer.id)
    assert await _texts(app, palace, "words") == {kept.drawer.text}
    async with app.replica.indexes.reading(palace) as matrix:
        assert matrix.ids == [kept.drawer.id]


async def test_a_palace_that_was_made_anew_is_not_taken_for_the_old_one(
    app: GraphPalace, second: GraphPalace, palace: str
) -> None:
    await app.drawers.add(palace, NewDrawer(text="old words", wing="w"))
    assert await _texts(second, palace, "words") == {"old words"}
    await app.drop_palace(palace)
    await app.create_palace(palace)
    await app.drawers.add(palace, NewDrawer(text="new words", wing="w"))  # as many drawers and revisions as before
    assert await _texts(second, palace, "words") == {"new words"}


async def test_a_gap_in_the_feed_loads_the_palace_anew(app: GraphPalace, second: GraphPalace, palace: str) -> None:
    await app.drawers.add(palace, NewDrawer(text="early words", wing="w"))
    assert await _texts(second, palace, "words") == {"early words"}
    await app.drawers.add(palace, NewDrawer(text="middle words", wing="w"))
    await app.database.write(None, "ingest/prune_changes", keep_s=0)
    await app.drawers.add(palace, NewDrawer(text="late words", wing="w"))
    assert await _texts(second, palace, "words") == {"early words", "middle words", "late words"}


@pytest.mark.parametrize(("new", "read"), [(3, "search/load_some_vectors"), (1100, "search/load_vectors")])
async def test_much_that_is_new_is_read_with_all_the_rest_and_a_little_by_itself(
    app: GraphPalace,
    second: GraphPalace,
    palace: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    new: int,
    read: str,
) -> None:
    await app.drawers.add(palace, NewDrawer(text="early words", wing="w"))
    assert await _texts(second, palace, "words") == {"early words"}
    late = [f"# {number}\n\n{f'late number {number} ' * 30}\n\n" for number in range(new)]
    (tmp_path / "late.md").write_text("".join(late))
    await app.ingesting.files([tmp_path], palace=palace, wing="w")
    asked = noted_reads(second.database, monkeypatch)
    async with second.replica.indexes.reading(palace) as ours, app.replica.indexes.reading(palace) as theirs:
        assert len(ours) == new + 1
        assert sorted(ours.ids) == sorted(theirs.ids)
    assert [name for name in asked if name.startswith("search/load")] == [read]


async def test_many_writers_and_searchers_at_once_end_in_one_state(
    app: GraphPalace, second: GraphPalace, palace: str
) -> None:
    async def write(service: GraphPalace, number: int) -> None:
        await service.drawers.add(palace, NewDrawer(text=f"words of writer {number}", wing=f"w{number % 3}"))

    async def search(service: GraphPalace) -> None:
        await _texts(service, palace, "words writer")

    work = [write((app, second)[n % 2], n) for n in range(24)] + [search((app, second)[n % 2]) for n in range(12)]
    await asyncio.gather(*work)
    expected = {f"words of writer {number}" for number in range(24)}
    assert await _texts(app, palace, "words writer") == await _texts(second, palace, "words writer") == expected


async def test_the_same_text_added_by_two_at_once_is_stored_once(
    app: GraphPalace, second: GraphPalace, palace: str
) -> None:
    new = NewDrawer(text="said twice", wing="w")
    first, other = await asyncio.gather(app.drawers.add(palace, new), second.drawers.add(palace, new))
    assert first.drawer.id == other.drawer.id
    drawers, following = await app.drawers.page(palace)
    assert (len(drawers), following) == (1, None)


async def test_a_palace_that_is_dropped_while_palaces_are_brought_up_to_date_is_no_error(
    app: GraphPalace, second: GraphPalace, monkeypatch: pytest.MonkeyPatch
) -> None:
    dropped = spare_name()
    await app.create_palace(dropped)
    await second.replica.indexes.warm(dropped)
    await app.drop_palace(dropped)

    async def names() -> list[str]:
        return [dropped]  # as it was read just before

    monkeypatch.setattr(second.replica.indexes._palaces, "names", names)
    await second.replica.indexes.refresh()
    assert dropped not in second.replica.indexes.loaded
