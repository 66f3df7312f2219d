"""Names are read after drawers are stored, and the graph follows every change of the drawers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.words import WordEmbedder

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.new_drawer import DrawerUpdate, NewDrawer
from graphpalace.domain.forgetting import ForgetChoice
from graphpalace.domain.knowledge.names import NameQuery, NamesToRead
from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.walking.graph_snapshot import KINDS, RELATIONS
from graphpalace.errors import Conflict, NotFound
from graphpalace.settings.load import Settings

ADA = "In 1843 Ada Lovelace wrote about the Analytical Engine, and Ada Lovelace was right."
BABBAGE = "It was Charles Babbage who built the Analytical Engine in part."


@pytest.fixture(scope="module")
async def reading(settings: Settings) -> AsyncIterator[GraphPalace]:
    """Operations that read names by rules, at once after each write."""
    by_rules = settings.model_copy(
        update={"entities": settings.entities.model_copy(update={"recogniser": "rules", "read_after_s": 0.0})}
    )
    async with wiring.opened(by_rules, embedder=WordEmbedder()) as opened:
        yield opened


def note(text: str, title: str | None = None) -> NewDrawer:
    return NewDrawer(text=text, wing="history", room="computers", title=title)


async def names(app: GraphPalace, palace: str) -> dict[str, int]:
    """Return the entities with their numbers of drawers."""
    rows = await app.database.read(palace, "tests/list_references")
    counted = {row["name"]: row["drawer_count"] for row in rows}
    assert counted == {row["name"]: row["drawers"] for row in rows}, "drawer_count is the number of drawers"
    return counted


async def quiet(app: GraphPalace) -> None:
    while app.knowledge.names.waiting:  # noqa: ASYNC110  # the reader has no event for tests
        await asyncio.sleep(0.02)


async def test_an_added_text_is_read_in_the_background(reading: GraphPalace, palace: str) -> None:
    await reading.drawers.add(palace, note(ADA))
    await reading.drawers.add(palace, note(BABBAGE))
    await quiet(reading)
    assert await names(reading, palace) == {"Ada Lovelace": 1, "Analytical Engine": 2, "Charles Babbage": 1}
    (ada,) = [
        row for row in await reading.database.read(palace, "tests/list_references") if row["name"] == "Ada Lovelace"
    ]
    assert ada["references"] == [
        {"count": 2, "is_title": False, "names": ["ada lovelace"], "counts": [2], "base_cost": 0.5, "current_cost": 0.5}
    ]


async def test_files_are_read_after_their_ingest_with_their_title(
    reading: GraphPalace, palace: str, tmp_path: Path
) -> None:
    (tmp_path / "engine.md").write_text(f"# Analytical Engine\n\n{ADA}\n")
    await reading.ingesting.files([tmp_path], palace=palace, wing="history")
    await quiet(reading)
    assert await names(reading, palace) == {"Ada Lovelace": 1, "Analytical Engine": 1}


async def test_links_tags_and_aliases_join_the_notes_of_a_vault(
    reading: GraphPalace, palace: str, tmp_path: Path
) -> None:
    hull, tides = tmp_path / "Hull.md", tmp_path / "Spring tides.md"
    head = "---\ntitle: the wooden hull\naliases: [Keelboat]\ntags: [boats/wood]\ndate: 2024-06-07\n---\n"
    hull.write_text(f"{head}Caulk it before [[yard/Spring tides#Height|they]] come.\n")
    tides.write_text("Water rises; see ![[Hull]] and [[Keelboat]]. #boats\n")
    await reading.ingesting.files([tmp_path], palace=palace, wing="yard")
    await quiet(reading)
    assert await names(reading, palace) == {
        "Hull": 2, "Keelboat": 2, "Spring tides": 2, "boats": 2, "boats/wood": 1,
    }  # fmt: skip
    rows = await reading.database.read(palace, "tests/list_references")
    titled = {row["name"] for row in rows for each in row["references"] if each["is_title"]}
    assert titled == {"Hull", "Keelboat", "Spring tides"}
    (note,) = [drawer for drawer in (await reading.drawers.page(palace))[0] if drawer.closet == "the wooden hull"]
    assert (note.aliases, note.tags) == (["Keelboat"], ["boats/wood"])
    assert note.occurred_at is not None
    assert note.occurred_at.startswith("2024-06-07T00:00")
    for words in ("keelboat", "wood", "wooden"):
        question = SearchRequest(f"about {words}", lanes=("fulltext",))
        assert note.id in [hit.id for hit in (await reading.recall.search(palace, question)).hits]

    await reading.drawers.update(palace, note.id, DrawerUpdate(title="A boat"))
    hits = (await reading.recall.search(palace, SearchRequest("wood", lanes=("fulltext",)))).hits
    assert [hit.id for hit in hits] == [note.id]
    hull.write_text(hull.read_text().replace("aliases: [Keelboat]\n", "").replace("boats/wood", "spars"))
    await reading.ingesting.files([tmp_path], palace=palace, wing="yard")
    await quiet(reading)
    assert await names(reading, palace) == {"Hull": 2, "Keelboat": 1, "Spring tides": 2, "boats": 1, "spars": 1}
    again = await reading.drawers.read(palace, note.id)
    assert (again.aliases, again.tags) == ([], ["spars"])
    assert not (await reading.recall.search(palace, SearchRequest("wood", lanes=("fulltext",)))).hits


async def test_a_changed_text_has_its_new_names_and_no_old_ones(reading: GraphPalace, palace: str) -> None:
    drawer = (await reading.drawers.add(palace, note(ADA))).drawer.id
    await quiet(reading)
    await reading.drawers.update(palace, drawer, DrawerUpdate(text=BABBAGE))
    await quiet(reading)
    assert await names(reading, palace) == {"Analytical Engine": 1, "Charles Babbage": 1}


async def test_a_new_title_is_a_name_of_all_drawers_of_its_document(reading: GraphPalace, palace: str) -> None:
    first = (await reading.drawers.add(palace, note(ADA))).drawer.id
    await reading.drawers.add(palace, note("nothing here"))
    await quiet(reading)
    await reading.drawers.update(palace, first, DrawerUpdate(title="Difference Engine"))
    await quiet(reading)
    assert (await names(reading, palace))["Difference Engine"] == 2


@pytest.mark.parametrize("how", ["delete", "forget", "delete_wing"])
async def test_a_name_goes_with_its_last_drawer(reading: GraphPalace, palace: str, how: str) -> None:
    ada = (await reading.drawers.add(palace, note(ADA))).drawer
    await reading.drawers.add(palace, replace(note(BABBAGE), wing="other"))
    await quiet(reading)
    if how == "delete":
        await reading.drawers.delete(palace, ada.id)
    elif how == "forget":
        await reading.forgetting.forget(palace, ForgetChoice(drawers=[ada.id]))
    else:
        await reading.drawers.delete_wing(palace, "history")
    assert await names(reading, palace) == {"Analytical Engine": 1, "Charles Babbage": 1}


async def test_an_entity_that_a_fact_is_about_stays_without_drawers(reading: GraphPalace, palace: str) -> None:
    ada = (await reading.drawers.add(palace, note(ADA))).drawer
    await quiet(reading)
    await reading.database.write(palace, "tests/relate", subject="ada lovelace", object="analytical engine")
    await reading.drawers.delete(palace, ada.id)
    assert await names(reading, palace) == {"Ada Lovelace": 0, "Analytical Engine": 0}


async def test_a_palace_that_exists_is_read_on_request_with_progress(
    app: GraphPalace, reading: GraphPalace, palace: str
) -> None:
    await app.drawers.add_many(palace, [note(f"{ADA} No. {at}") for at in range(3)])  # its names are off
    assert await names(app, palace) == {}
    assert (await reading.knowledge.name_pages.listed(palace, NameQuery())).due == 3
    seen: list[tuple[int, int]] = []
    done = await reading.knowledge.names.build(palace, progress=lambda each: seen.append((each.read, each.due)))
    assert (done.read, done.due) == (3, 0)
    assert seen[0] == (0, 3)
    assert seen[-1] == (3, 0)
    assert (await names(reading, palace))["Ada Lovelace"] == 3
    assert (await reading.knowledge.names.build(palace)).read == 0
    assert (await reading.knowledge.names.build(palace, NamesToRead(again=True))).read == 3


async def test_drawers_of_earlier_versions_are_read_on_request(
    app: GraphPalace, reading: GraphPalace, palace: str
) -> None:
    await app.drawers.add(palace, note(ADA))
    await app.database.write(palace, "tests/forget_names_due")
    assert (await reading.knowledge.name_pages.listed(palace, NameQuery())).due == 0
    assert (await reading.knowledge.names.build(palace)).read == 1


async def test_what_a_killed_process_left_is_read_by_the_next(
    app: GraphPalace, reading: GraphPalace, palace: str
) -> None:
    await app.drawers.add(palace, note(ADA))
    await reading.knowledge.names.resume()
    await quiet(reading)
    assert (await names(reading, palace))["Ada Lovelace"] == 1


async def test_two_readers_at_once_double_nothing(
    app: GraphPalace, reading: GraphPalace, settings: Settings, palace: str
) -> None:
    await app.drawers.add_many(palace, [note(f"{ADA} No. {at}") for at in range(40)])
    async with wiring.opened(reading.settings, embedder=WordEmbedder()) as other:
        await asyncio.gather(
            reading.knowledge.names.build(palace),
            other.knowledge.names.build(palace),
            reading.knowledge.names.build(palace),
        )
    assert (await names(reading, palace))["Ada Lovelace"] == 40
    assert (await reading.knowledge.name_pages.listed(palace, NameQuery())).due == 0


async def test_the_graph_in_memory_follows_without_reading_the_palace_again(
    app: GraphPalace, reading: GraphPalace, palace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await app.drawers.add(palace, note(ADA))
    before = await app.replica.snapshots.get(palace)
    async with app.replica.indexes.reading(palace):
        pass

    async def whole(*_args: Any) -> None:
        raise AssertionError("the whole palace was read")

    monkeypatch.setattr(app.replica.snapshots._graphs, "load", whole)
    await reading.knowledge.names.build(palace)
    after = await app.replica.snapshots.get(palace)
    assert _kinds(before).count("Entity") == 0
    assert _kinds(after).count("Entity") == 2
    assert [RELATIONS[at] for at in after.edges.relation].count("REFERENCES") == 2
    second = (await app.drawers.add(palace, note(BABBAGE))).drawer
    await reading.knowledge.names.build(palace)
    assert _kinds(await app.replica.snapshots.get(palace)).count("Entity") == 3
    await app.drawers.delete(palace, second.id)
    last = await app.replica.snapshots.get(palace)
    assert _kinds(last).count("Entity") == 2
    app.replica.snapshots.forget(palace)
    monkeypatch.undo()
    assert (await app.replica.snapshots.get(palace)).nodes.ids == last.nodes.ids


def _kinds(snapshot: Any) -> list[str]:
    return [KINDS[kind] for kind in snapshot.nodes.kind]


async def test_reading_names_leaves_a_settled_palace_settled(
    app: GraphPalace, reading: GraphPalace, palace: str, tmp_path: Path
) -> None:
    (tmp_path / "note.md").write_text(ADA)
    await app.ingesting.files([tmp_path], palace=palace, wing="history")
    assert (await app.palaces.shape.stats(palace)).settled
    await reading.knowledge.names.build(palace)
    stats = await app.palaces.shape.stats(palace)
    assert stats.settled
    assert stats.nodes["Entity"] == 2


async def test_without_a_recogniser_or_a_palace_there_is_an_error(
    app: GraphPalace, reading: GraphPalace, palace: str
) -> None:
    with pytest.raises(Conflict, match='recogniser is "off"'):
        await app.knowledge.names.build(palace)
    with pytest.raises(NotFound, match="no palace"):
        await reading.knowledge.names.build("nowhere")
    with pytest.raises(NotFound, match="no palace"):
        await reading.knowledge.name_pages.listed("nowhere", NameQuery())
