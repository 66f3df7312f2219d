"""Agents, their diaries and deposits by hand behind every door."""

from __future__ import annotations

from typing import Any

import pytest

from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.diaries import NewDiaryEntry
from graphpalace.errors import InvalidInput, NotFound
from tests.spare_palaces import spare_name

_LANES = ("fulltext", "semantic", "code", "path", "mcmp")


async def test_a_diary_shows_all_entries_and_a_search_only_those_that_may_be_found(door: Any) -> None:
    assert await door.agents() == []
    open_ = await door.write_diary("night/shift", "the tulips bloom", topic="garden")
    secret = await door.write_diary("night/shift", "the tulips are plastic", searchable=False)
    twice = await door.write_diary("night/shift", "the tulips bloom")
    await door.write_diary("Ann", "ships sail the sea", searchable=False)
    assert (open_.topic, open_.drawer is not None, secret.drawer) == ("garden", True, None)
    assert twice.drawer == open_.drawer
    assert [(agent.name, agent.entries) for agent in await door.agents()] == [("Ann", 1), ("night/shift", 3)]
    diary = await door.read_diary("night/shift")
    assert diary.agent == "night/shift"
    assert [(entry.id, entry.text, entry.topic) for entry in diary.entries] == [
        (twice.id, "the tulips bloom", ""),
        (secret.id, "the tulips are plastic", ""),
        (open_.id, "the tulips bloom", "garden"),
    ]
    assert [entry.id for entry in (await door.read_diary("night/shift", last=1)).entries] == [twice.id]

    hits = (await door.search("tulips plastic")).hits
    assert [hit.id for hit in hits] == [open_.drawer]
    for lane in _LANES:
        codes = {"cpc": {"A01B": 1.0}} if lane == "code" else None
        found = await door.search("tulips plastic ships", lanes=[lane], target_profile=codes)
        assert {hit.id for hit in found.hits} <= {open_.drawer}, lane
    assert [drawer.id async for drawer in door.list()] == [open_.drawer]
    assert [(wing.wing, wing.room) for wing in [await door.get(open_.drawer)]] == [("diaries", "night/shift")]
    walk = await door.explore(query="plastic ships", agents=4, steps=8, seed=7)
    assert "plastic" not in str(walk)
    assert "plastic" not in str(await door.map())
    assert not (await door.check_duplicate("the tulips are plastic", threshold=0.99)).found
    assert (await door.stats()).nodes["Drawer"] == 1

    await door.delete(open_.drawer)
    assert [entry.id for entry in (await door.read_diary("night/shift")).entries] == [secret.id]
    with pytest.raises(NotFound, match="nobody"):
        await door.read_diary("nobody")
    for call in (
        door.write_diary("Ann", " "),
        door.write_diary(" Ann", "x"),
        door.write_diary("Ann", "x", topic="two\nlines"),
        door.read_diary("Ann", last=0),
        door.read_diary("Ann", last=1001),
    ):
        with pytest.raises(InvalidInput):
            await call
    assert [(agent.name, agent.entries) for agent in await door.agents()] == [("Ann", 1), ("night/shift", 1)]


async def test_a_palace_that_is_dropped_takes_its_diaries_along(app: GraphPalace) -> None:
    name = spare_name()
    for text in ("before", "after"):
        await app.create_palace(name)
        assert await app.diaries.agents(name) == []
        await app.diaries.write(name, "Ann", NewDiaryEntry(text, searchable=False))
        assert [entry.text for entry in (await app.diaries.read(name, "Ann")).entries] == [text]
        await app.drop_palace(name)


async def test_an_entry_goes_with_the_drawer_that_it_is_kept_in(app: GraphPalace, palace: str) -> None:
    for agent, text in (("Ann", "the tulips bloom"), ("Ann", "the tulips bloom"), ("Bea", "roses need sun")):
        await app.diaries.write(palace, agent, NewDiaryEntry(text))
    secret = await app.diaries.write(palace, "Ann", NewDiaryEntry("the tulips are plastic", searchable=False))
    (bloom,) = {entry.drawer for entry in (await app.diaries.read(palace, "Ann")).entries} - {None}
    await app.drawers.delete(palace, bloom)
    assert await _entries(app, palace) == {secret.id, (await app.diaries.read(palace, "Bea")).entries[0].id}
    await app.drawers.delete_wing(palace, "diaries")
    assert await _entries(app, palace) == {secret.id}


async def _entries(app: GraphPalace, palace: str) -> set[str]:
    nodes = await app.database.read(palace, "tests/all_nodes")
    return {node["properties"]["id"] for node in nodes if "DiaryEntry" in node["labels"]}


async def test_pheromones_are_laid_on_a_path_or_on_places_once_for_each_id(door: Any) -> None:
    drawer = await door.add("prune the roses", wing="garden", room="roses")
    await door.add("feed the starter", wing="kitchen", room="bread")
    path = ["garden", "garden/roses", drawer.closet_id, drawer.id]
    laid = await door.deposit(path, amount=2.0, id="a")
    assert (laid.fresh, laid.edges, laid.nodes) == (True, 3, 4)
    assert (await door.deposit(path, amount=2.0, id="a")).fresh is False
    hot = await door.hot_paths(kind="edge", wing="garden")
    assert hot.edges[0].success == pytest.approx(2.0)  # the first edge gets all, later ones less
    assert hot.edges[-1].success == pytest.approx(2 / 3)
    seen = await door.deposit(["kitchen", "kitchen/bread"], kind="exploration", id="a")
    assert (seen.fresh, seen.edges, seen.nodes) == (True, 0, 2)
    assert (await door.pheromones()).cycle >= 0
    for nodes, options, match in (
        (["garden", drawer.id], {}, "not joined"),
        (["garden"], {}, "2 to 1000"),
        ([], {"kind": "exploration"}, "nodes"),
        (path, {"kind": "exploration", "amount": 1.0}, "amount"),
        (path, {"amount": 0.0}, "amount"),
        (path, {"kind": "joy"}, "kind"),
        (path, {"id": " "}, "id"),
    ):
        with pytest.raises(InvalidInput, match=match):
            await door.deposit(nodes, **options)
    with pytest.raises(NotFound, match=r"nodes\.1"):
        await door.deposit(["garden", "attic"])
