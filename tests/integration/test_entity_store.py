"""Entities in the database: one node for each normalised name."""

from __future__ import annotations

import asyncio

import pytest

from graphpalace.app import GraphPalace
from graphpalace.domain.knowledge.entity import MOST_ALIASES, EntityType, NewEntity, entity_id
from graphpalace.errors import NotFound
from graphpalace.store.knowledge.entities import EntityStore

ADA = NewEntity("Ada Lovelace", EntityType.PERSON, ("Countess of Lovelace",))


async def test_a_name_is_created_once_however_it_is_written(app: GraphPalace, palace: str) -> None:
    store = EntityStore(app.database)
    first = (await store.get_or_create(palace, [ADA]))["ada lovelace"]
    assert (first.name, first.entity_type, list(first.aliases)) == (ADA.name, "person", ["Countess of Lovelace"])
    assert (first.id, first.drawer_count) == (entity_id(palace, "ada lovelace"), 0)
    again = await store.get_or_create(palace, [NewEntity("ADA LOVELACE's", aliases=["Ada Lovelace", "Ada"])])
    assert again["ada lovelace"].id == first.id
    assert list(again["ada lovelace"].aliases) == ["Countess of Lovelace", "Ada"]
    assert again["ada lovelace"].entity_type == "person"


async def test_many_at_once_double_nothing(app: GraphPalace, palace: str) -> None:
    store = EntityStore(app.database)
    names = [NewEntity(f"Name {at}") for at in range(20)]
    answers = await asyncio.gather(*(store.get_or_create(palace, names[::step]) for step in (1, -1, 1, -1)))
    assert all(answer == answers[0] for answer in answers)
    assert await app.database.read(palace, "tests/count_entities") == [{"entities": 20}]


async def test_a_better_type_replaces_concept_and_no_other(app: GraphPalace, palace: str) -> None:
    store = EntityStore(app.database)
    for given, kept in [("concept", "concept"), ("place", "place"), ("person", "place"), ("concept", "place")]:
        found = await store.get_or_create(palace, [NewEntity("Ada", EntityType(given))])
        assert found["ada"].entity_type == kept


async def test_aliases_have_an_end(app: GraphPalace, palace: str) -> None:
    many = [f"alias {at}" for at in range(MOST_ALIASES + 5)]
    found = await EntityStore(app.database).get_or_create(palace, [NewEntity("Ada", aliases=many)])
    assert list(found["ada"].aliases) == many[:MOST_ALIASES]


async def test_a_palace_that_is_not_there_gets_nothing(app: GraphPalace) -> None:
    with pytest.raises(NotFound, match="no palace"):
        await EntityStore(app.database).get_or_create("nowhere", [ADA])
    assert await app.database.read("nowhere", "tests/count_entities") == [{"entities": 0}]
