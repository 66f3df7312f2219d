"""What stands beside a drawer: its neighbours in its document, what took its place, and the facts that it states."""

from __future__ import annotations

import pytest

from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.new_drawer import NewDrawer
from graphpalace.domain.forgetting import ForgetChoice
from graphpalace.domain.knowledge.fact_requests import Invalidation, NewFact
from graphpalace.errors import NotFound


async def _add(
    app: GraphPalace, palace: str, text: str, *, room: str = "general", source_uri: str | None = None
) -> str:
    new = NewDrawer(text=text, wing="home", room=room, source_uri=source_uri)
    return (await app.drawers.add(palace, new)).drawer.id


async def test_a_drawer_knows_its_neighbours_also_when_one_between_is_gone(app: GraphPalace, palace: str) -> None:
    first, second, third = [await _add(app, palace, f"step {number}", source_uri="notes:recipe") for number in range(3)]
    alone = await _add(app, palace, "a note of another room", room="hall")
    middle = await app.beside.of(palace, second)
    assert (middle.number, middle.of, middle.previous, middle.next) == (2, 3, first, third)
    lonely = await app.beside.of(palace, alone)
    assert (lonely.number, lonely.of, lonely.previous, lonely.next) == (1, 1, None, None)
    await app.forgetting.forget(palace, ForgetChoice(drawers=[second]))
    last = await app.beside.of(palace, third)
    assert (last.number, last.of, last.previous, last.next) == (2, 2, first, None)
    with pytest.raises(NotFound):
        await app.beside.of(palace, second)


async def test_a_drawer_tells_what_took_its_place_and_which_facts_it_states(app: GraphPalace, palace: str) -> None:
    old, new = await _add(app, palace, "Mondays"), await _add(app, palace, "Fridays")
    before = await app.beside.of(palace, old)
    assert (before.replaced_by, before.replaced_since, list(before.facts)) == (None, None, [])
    since = (await app.drawers.supersede(palace, old, new)).since
    for day in ("Monday", "Tuesday"):
        await app.knowledge.facts.add(palace, NewFact("Newsletter", "leaves_on", day, drawers=[old]))
    await app.knowledge.facts.invalidate(
        palace, Invalidation(subject="Newsletter", predicate="leaves_on", object="Tuesday")
    )
    after = await app.beside.of(palace, old)
    assert (after.replaced_by, after.replaced_since) == (new, since)
    assert [fact.object for fact in after.facts] == ["Monday"]
