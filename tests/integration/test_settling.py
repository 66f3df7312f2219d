"""Drawers that are added one by one get what an ingest gives, on a real Neo4j."""

from __future__ import annotations

import asyncio

from graphpalace.app import GraphPalace
from graphpalace.operations.drawers.drawers import NewDrawer


async def _positions(app: GraphPalace, palace: str) -> dict[str, int]:
    drawers, _ = await app.drawers.page(palace)
    return {drawer.text: drawer.position for drawer in drawers}


async def test_drawers_added_to_one_closet_stand_one_after_the_other_and_the_same_text_again_keeps_its_place(
    app: GraphPalace, palace: str
) -> None:
    for text in ("first", "second", "third"):
        await app.drawers.add(palace, NewDrawer(text=text, wing="w"))
    again = await app.drawers.add(palace, NewDrawer(text="first", wing="w"))
    assert (again.created, again.drawer.position) == (False, 0)
    await app.drawers.add(palace, NewDrawer(text="elsewhere", wing="w", room="other"))
    assert await _positions(app, palace) == {"first": 0, "second": 1, "third": 2, "elsewhere": 0}


async def test_writers_of_one_closet_at_once_get_positions_of_their_own(app: GraphPalace, palace: str) -> None:
    texts = [f"text {number // 2}" for number in range(12)]  # each twice
    added = await asyncio.gather(*(app.drawers.add(palace, NewDrawer(text=text, wing="w")) for text in texts))
    assert sum(drawer.created for drawer in added) == 6
    assert sorted((await _positions(app, palace)).values()) == [0, 1, 2, 3, 4, 5]
