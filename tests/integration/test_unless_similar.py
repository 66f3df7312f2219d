"""A text that is stored unless a similar one is there: one transaction decides, also for several services."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from tests.words import WordEmbedder

from graphpalace.app import GraphPalace, wire
from graphpalace.domain.drawers.new_drawer import DrawerUpdate, NewDrawer
from graphpalace.errors import InvalidInput
from graphpalace.settings.load import Settings

TEXT = "owls hunt mice at night in the old barn"
NEAR = "owls hunt mice at night in the old stable"
OTHER = "the tulips bloom in spring"


@pytest.fixture
async def second(settings: Settings) -> AsyncIterator[GraphPalace]:
    """Another service on the same database."""
    wired = wire(settings, embedder=WordEmbedder())
    yield wired
    await wired.close()


def new(text: str, wing: str = "w") -> NewDrawer:
    return NewDrawer(text=text, wing=wing)


async def texts(app: GraphPalace, palace: str) -> list[str]:
    found, _ = await app.drawers.page(palace, limit=200)
    return sorted(drawer.text for drawer in found)


async def test_a_similar_text_of_the_wing_stands_for_a_new_one(app: GraphPalace, palace: str) -> None:
    first = await app.drawers.add(palace, new(TEXT), unless_similar=0.8)
    assert (first.created, first.similar) == (True, None)
    for text, how in ((TEXT, "exact"), (f"{TEXT.upper()} ", "same"), (NEAR, "near")):
        added = await app.drawers.add(palace, NewDrawer(text=text, wing="w", room="elsewhere"), unless_similar=0.8)
        assert (added.created, added.drawer.id) == (False, first.drawer.id)
        assert added.similar is not None
        assert (added.similar.id, added.similar.how) == (first.drawer.id, how)
        check = await app.duplicates.check(palace, text, wing="w", threshold=0.8)
        assert added.similar.cosine == check.found[0].cosine
    assert await texts(app, palace) == [TEXT]
    for drawer in (new(NEAR), new(OTHER), new(TEXT, "another wing")):
        assert (await app.drawers.add(palace, drawer, unless_similar=0.99)).created
    assert (await app.drawers.add(palace, new("owls hunt"), unless_similar=0)).similar is not None
    for wrong in (-0.1, 1.1, float("nan")):
        with pytest.raises(InvalidInput, match="unless_similar"):
            await app.drawers.add(palace, new("x"), unless_similar=wrong)


async def test_of_many_that_add_similar_texts_through_two_services_one_stores(
    app: GraphPalace, second: GraphPalace, palace: str
) -> None:
    for service in (app, second):  # both know the palace, and hence nothing of what the other one writes now
        await service.drawers.add(palace, new(OTHER), unless_similar=0.9)
    added = await asyncio.gather(
        *(
            (app, second)[number % 2].drawers.add(palace, new(f"{TEXT} {'and ' * (number % 3)}"), unless_similar=0.9)
            for number in range(12)
        ),
        *((app, second)[number % 2].drawers.add(palace, new(f"note {number}")) for number in range(4)),
    )
    ids = {one.drawer.id for one in added[:12]}
    assert len(ids) == 1
    assert sum(one.created for one in added[:12]) == 1
    assert sum(text.startswith(TEXT) for text in await texts(app, palace)) == 1


async def test_a_drawer_whose_text_became_similar_meanwhile_stands_for_the_new_text(
    app: GraphPalace, second: GraphPalace, palace: str
) -> None:
    drawer = (await app.drawers.add(palace, new(OTHER))).drawer.id
    await second.replica.indexes.warm(palace)
    changed, added = await asyncio.gather(
        app.drawers.update(palace, drawer, DrawerUpdate(text=TEXT)),
        second.drawers.add(palace, new(NEAR), unless_similar=0.8),
    )
    assert changed.text == TEXT
    similar = [text for text in await texts(app, palace) if text in (TEXT, NEAR)]
    assert len(similar) == (2 if added.created else 1)  # stored before the change, or not at all
    assert (await second.drawers.add(palace, new(NEAR), unless_similar=0.8)).similar is not None
