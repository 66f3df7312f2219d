"""What is told when a conversation begins, and what is not."""

from __future__ import annotations

import asyncio
import time
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from tests.spare_palaces import spare_name
from tests.walks import furnish, way_to

from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.new_drawer import DrawerUpdate, NewDrawer
from graphpalace.domain.learning.feedback import Candidates, LoggedSearch
from graphpalace.domain.wake_up import WakeUp, WakeUpRequest
from graphpalace.errors import NotFound
from graphpalace.operations.drawers.settle import settle
from graphpalace.store.learning.searches import SearchStore
from graphpalace.store.pheromones.decay import EvaluationStore


async def stored(app: GraphPalace, palace: str, text: str, wing: str = "home", **given: Any) -> str:
    return (await app.drawers.add(palace, NewDrawer(text, wing, **given))).drawer.id


async def told(app: GraphPalace, palace: str, wing: str | None = "home", budget_bytes: int = 2048) -> WakeUp:
    return await app.waking_up.now(palace, WakeUpRequest(wing, budget_bytes))


def ids(found: WakeUp, part: str) -> list[str]:
    return [line.id for line in found.lines if line.part == part]


async def asked(app: GraphPalace, palace: str, query: str, nearest: str | None, log_odds: float | None) -> str:
    """Log a search that stays for two hours, longer than this cycle lasts; return its id."""
    hits = () if nearest is None else (nearest,)
    candidates = Candidates(hits, np.zeros(len(hits), np.float32), len(hits), answer_log_odds=log_odds)
    search = LoggedSearch(f"search-{uuid.uuid4().hex[:12]}", palace, query, None, candidates)
    now_ms = int(time.time() * 1000)
    await SearchStore(app.database).keep([(search, now_ms + 7_200_000)], now_ms=now_ms)
    return search.id


async def test_a_question_is_open_until_a_search_finds_something(app: GraphPalace, palace: str) -> None:
    rope = await stored(app, palace, "the rope hangs in the shed")
    ship = await stored(app, palace, "ships sail the sea", "club")
    open_ = await asked(app, palace, "Where is the ladder?", rope, -5.0)
    await asked(app, palace, "remember the ladder", rope, -5.0)  # no question
    await asked(app, palace, "Where is the rope?", rope, 5.0)
    club = await asked(app, palace, "Who is the captain\uff1f", ship, -5.0)
    nowhere = await asked(app, palace, "Who am I?", None, None)

    home = await told(app, palace)
    assert [(line.id, line.drawer, line.text) for line in home.lines if line.part == "questions"] == [
        (open_, rope, "Where is the ladder?")
    ]
    assert f'- "Where is the ladder?" [nearest {rope}]\n' in home.text
    assert ids(await told(app, palace, "club"), "questions") == [club]
    everywhere = await told(app, palace, None)
    assert set(ids(everywhere, "questions")) == {open_, club, nowhere}
    assert f'- "Who am I?" [{nowhere}]\n' in everywhere.text

    await asyncio.sleep(0.002)  # searches are told apart by when they expire
    await asked(app, palace, " where is the LADDER?", rope, 4.0)
    assert ids(await told(app, palace), "questions") == []


async def test_what_helped_more_comes_first_and_fades(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    first, second = sorted(drawers)[:2]
    for number, text in enumerate((first, first, second)):
        trail = way_to(await app.replica.snapshots.get(palace), drawers[text])
        await app.pheromones.deposits.path_success(palace, trail, deposit_id=str(number))
    assert ids(await told(app, palace, None), "helped") == [drawers[first], drawers[second]]
    await EvaluationStore(app.database).advance_clock(palace, cycles=2000)
    assert ids(await told(app, palace, None), "helped") == []


async def test_nothing_is_told_twice_nothing_that_was_replaced_and_nothing_of_another_palace(
    app: GraphPalace, palace: str
) -> None:
    other = spare_name()
    await app.create_palace(other)
    await stored(app, other, "a secret of the other home", importance=1.0)
    long = " ".join(f"word{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")
    first = await stored(app, palace, long, importance=1.0)
    await stored(app, palace, f"{long} again", room="copies")
    old = await stored(app, palace, "the bin is emptied on Monday", importance=0.9)
    new = await stored(app, palace, "the bin is emptied on Friday")
    foreign = await stored(app, palace, "\U0001f33b" * 300, wing="花\U0001f33b" * 60)
    await app.drawers.supersede(palace, old, new)
    await settle(app.database, app.replica.indexes, palace=palace)
    before = await app.database.read(palace, "tests/all_nodes")

    found = await told(app, palace)
    assert ids(found, "important") == [first]
    assert ids(found, "changed") == [new]
    assert "secret" not in found.text
    assert found.text == (await told(app, palace)).text

    narrow = await told(app, palace, "花\U0001f33b" * 60, 256)
    assert ids(narrow, "changed") == [foreign]
    assert len(narrow.text.encode()) <= 256
    assert await app.database.read(palace, "tests/all_nodes") == before

    assert "nothing to tell" not in (await told(app, other)).text
    await app.drop_palace(other)
    with pytest.raises(NotFound, match=other):
        await told(app, other)


async def test_a_conversation_is_told_by_how_it_began_and_notes_one_by_one(app: GraphPalace, palace: str) -> None:
    day = datetime(2026, 5, 1, tzinfo=UTC)
    notes = [await stored(app, palace, f"{word} is a note", occurred_at=day) for word in ("oak", "elm", "ash")]
    talks: dict[str, list[str]] = {}
    for number, talk in enumerate(("roof", "cellar"), start=1):
        talks[talk] = [
            await stored(
                app, palace, f"{talk} {said}", source_uri=f"talk:{talk}", occurred_at=day + timedelta(days=number)
            )
            for said in ("leaks since Monday", "was looked at", "needs new tiles", "will be dear", "can wait")
        ]

    newest = [*talks["cellar"][:2], *talks["roof"][:2], *reversed(notes)]
    assert ids(await told(app, palace), "changed") == newest
    await app.drawers.update(palace, talks["roof"][3], DrawerUpdate(text="roof will be cheap after all"))
    assert ids(await told(app, palace), "changed") == [talks["roof"][3], *newest]
    for gone in talks["cellar"]:
        await app.drawers.delete(palace, gone)
    assert ids(await told(app, palace), "changed") == [talks["roof"][3], *newest[2:]]
