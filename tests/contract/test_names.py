"""Names behind every door: in this process and over HTTP, with asyncio and without."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from graphpalace import Palace
from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.domain.knowledge.entity import EntityType
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.settings.load import Settings
from tests.acceptance.served import changed, served
from tests.contract.conftest import AwaitedPalace
from tests.words import WordEmbedder

TEXTS = ["We met Ada Lovelace at the University of Oxford.", "Here is Countess Augusta.", "Only Ada Lovelace came."]


@pytest.fixture(scope="module")
def by_rules(settings: Settings) -> Settings:
    """Settings that read names by rules, when they are asked to."""
    return changed(settings, entities={"recogniser": "rules", "read_after_s": 3600})


@pytest.fixture(scope="module")
def rules_url(by_rules: Settings) -> Iterator[str]:
    with served(by_rules) as client:
        yield str(client.base_url)


@pytest.fixture(params=["open", "async connect"])
async def door(request: pytest.FixtureRequest, by_rules: Settings, palace: str, rules_url: str) -> AsyncIterator[Any]:
    """An empty palace whose names are read, behind a door of each kind."""
    if request.param == "open":
        found = Palace.open(palace, by_rules, embedder=WordEmbedder())
        yield AwaitedPalace(found)
        await asyncio.to_thread(found.close)
    else:
        async with AsyncPalace.connect(rules_url, name=palace) as connected:
            yield connected


async def test_names_are_read_listed_shown_merged_and_split(door: Any) -> None:
    await door.add_many(TEXTS, wing="history", room="people")
    assert ((await door.names.list()).names, (await door.names.list()).due) == ([], 3)
    done = await door.names.build(progress=lambda reading: reading.due)
    assert (done.read, done.due, done.recogniser) == (3, 0, "rules")
    listed = await door.names.list()
    assert [(each.name, each.drawer_count) for each in listed.names] == [
        ("Ada Lovelace", 2), ("Countess Augusta", 1), ("University of Oxford", 1),
    ]  # fmt: skip
    assert (listed.next, listed.due) == (None, 0)
    first = await door.names.list(limit=1)
    assert ([each.name for each in first.names], first.next) == (["Ada Lovelace"], 1)
    (oxford,) = (await door.names.list("oxford", entity_type="organisation")).names
    assert oxford.entity_type is EntityType.ORGANISATION
    await door.add("Ada Lovelace sleeps.", wing="nights")
    await door.names.build()
    (asleep,) = (await door.names.list(wing="nights")).names
    assert (asleep.name, asleep.drawer_count) == ("Ada Lovelace", 1)  # of the wing
    assert len((await door.names.list(wing="history")).names) == 3
    await door.drop_wing("nights")

    merged = await door.names.merge("Ada Lovelace", "countess augusta")
    assert (merged.entity.drawer_count, merged.drawers, list(merged.entity.aliases)) == (3, 1, ["Countess Augusta"])
    page = await door.names.page("Countess  Augusta", limit=2)
    assert (page.entity.name, page.merged, len(page.drawers)) == ("Ada Lovelace", ["Countess Augusta"], 2)
    assert (await door.names.page(page.entity.id)).entity == page.entity
    split = await door.names.split("Ada Lovelace", "Countess Augusta")
    assert (split.entity.drawer_count, split.other.name, split.other.drawer_count) == (2, "Countess Augusta", 1)
    assert (await door.names.list()).names == listed.names

    own = await door.names.page("Ada Lovelace")
    given = await door.names.split("Ada Lovelace", drawers=[own.drawers[0].drawer])
    assert (given.entity.drawer_count, given.other.name, given.other.drawer_count) == (1, "Ada Lovelace (2)", 1)
    await door.names.merge("Ada Lovelace", "Ada Lovelace (2)")
    assert (await door.names.page("Ada Lovelace")).entity.drawer_count == 2


async def test_the_names_of_drawers_come_with_the_rarest_first_and_in_the_order_of_the_drawers(door: Any) -> None:
    both, alone, nobody = (await door.add_many([*TEXTS[::2], "Nobody was there."], wing="history", room="people")).ids
    await door.names.build()
    found = await door.names.of_drawers([nobody, both, "drawer-unknown", alone, both])
    assert [(each.drawer, [name.name for name in each.names]) for each in found] == [
        (nobody, []), (both, ["University of Oxford", "Ada Lovelace"]), (alone, ["Ada Lovelace"]),
    ]  # fmt: skip
    ada = found[2].names[0]
    assert (ada.count, ada.drawer_count, ada.is_title, ada.entity_type) == (1, 2, False, EntityType.CONCEPT)
    for ids in ([], ["drawer-unknown"] * 201):
        with pytest.raises(InvalidInput, match="drawer"):
            await door.names.of_drawers(ids)


async def test_bad_questions_about_names_get_clear_errors(door: Any) -> None:
    await door.add("We met Ada Lovelace.", wing="history", room="people")
    await door.names.build()
    for call, error, message in (
        (door.names.page("Nobody"), NotFound, "has no name 'Nobody'"),
        (door.names.page("?!"), InvalidInput, "at least one letter or digit"),
        (door.names.page("Ada Lovelace", limit=0), InvalidInput, "limit"),
        (door.names.list(limit=201), InvalidInput, "limit"),
        (door.names.list(entity_type="animal"), InvalidInput, "entity_type"),
        (door.names.list(offset=-1), InvalidInput, "offset"),
        (door.names.list(wing="nowhere"), NotFound, "wing 'nowhere' is not in palace"),
        (door.names.merge("Ada Lovelace", "Nobody"), NotFound, "has no name 'Nobody'"),
        (door.names.merge("Ada Lovelace", "ada lovelace"), InvalidInput, "already"),
        (door.names.split("Ada Lovelace", "Nobody"), NotFound, "has no alias 'Nobody'"),
        (door.names.split("Ada Lovelace", ""), InvalidInput, "alias"),
        (door.names.split("Ada Lovelace"), InvalidInput, "alias is missing"),
        (door.names.split("Ada Lovelace", drawers=["drawer-0"]), NotFound, "'drawer-0' does not mention"),
    ):
        with pytest.raises(error, match=message):
            await call
