"""Writers, feedback and a drop of one palace at the same time, from two services of one process, on a real Neo4j."""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections.abc import AsyncIterator, Sequence

import pytest
from neo4j.exceptions import DriverError, Neo4jError
from tests.words import WordEmbedder

from graphpalace.app import GraphPalace, wire
from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.vectors import Matrix
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.settings.load import Settings
from graphpalace.store.connection import failures as patience
from graphpalace.store.palaces.palaces import PalaceDrops, dropped_name

TEXTS = [f"owls hunt mice at night, and note {number} says where" for number in range(8)]


@pytest.fixture
async def second(settings: Settings) -> AsyncIterator[GraphPalace]:
    """Another service on the same database."""
    wired = wire(settings, embedder=WordEmbedder())
    yield wired
    await wired.close()


@pytest.fixture
def met(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The codes of all that Neo4j refused and that was tried again."""
    codes: list[str] = []
    may_pass = patience.may_pass

    def noted(error: Neo4jError | DriverError) -> bool:
        codes.append(error.code or "" if isinstance(error, Neo4jError) else type(error).__name__)
        return may_pass(error)

    monkeypatch.setattr(patience, "may_pass", noted)
    return codes


async def left_of(app: GraphPalace, palace: str) -> int:
    rows = await app.database.read(palace, "tests/count_all")
    return rows[0]["nodes"]


async def test_feedback_writes_and_deletions_at_once_are_never_in_each_others_way_for_ever(
    app: GraphPalace, second: GraphPalace, palace: str, met: list[str]
) -> None:
    for text in TEXTS:
        await app.drawers.add(palace, NewDrawer(text=text, wing="w"))
    answer = await app.recall.search(palace, SearchRequest("owls at night"))
    shown = [hit.id for hit in answer.hits]
    await app.history.searches.flush()

    async def write(service: GraphPalace, number: int) -> None:
        for turn in range(3):
            text = f"owls hunt mice at night, and writer {number} saw it {turn} times"
            added = await service.drawers.add(palace, NewDrawer(text=text, wing="w", room=f"r{turn % 2}"))
            if turn == 2:
                await service.drawers.delete(palace, added.drawer.id)

    async def teach(service: GraphPalace, number: int) -> None:
        for turn in range(2):
            first, other = shown[(number + turn) % len(shown)], shown[(number + turn + 1) % len(shown)]
            given = await service.learning.feedback.give(
                palace, run=answer.run, useful={first: 1.0}, useless={other: 0.5}, feedback_id=f"{number} {turn}"
            )
            if turn == 1:
                await service.learning.feedback.take_back(palace, given.id)

    services = (app, second)
    await asyncio.gather(
        *(write(services[number % 2], number) for number in range(6)),
        *(teach(services[number % 2], number) for number in range(6)),
    )
    assert not [code for code in met if "Deadlock" in code]
    counts = {row.name: row.drawers for row in await app.list_palaces()}
    assert counts[palace] == len(TEXTS) + 6 * 2
    assert len(await app.learning.feedback.listed(palace)) == 6


async def test_a_palace_that_is_dropped_is_gone_from_one_moment_on_and_leaves_nothing(
    app: GraphPalace, second: GraphPalace
) -> None:
    palace = f"t{uuid.uuid4().hex[:12]}"  # no spare palace, whose indexes would stay
    await app.create_palace(palace)
    for text in TEXTS:
        await app.drawers.add(palace, NewDrawer(text=text, wing="w"))
    at_work, gone = asyncio.Barrier(7), asyncio.Event()

    async def go_on(service: GraphPalace, number: int) -> None:
        """Write, search and teach until the palace is not there any more."""
        done = 0
        while True:
            began_after = gone.is_set()
            try:
                text = f"owls hunt mice at night, and writer {number} saw it {done} times"
                await service.drawers.add(palace, NewDrawer(text=text, wing="w"))
                lanes = (None, ["fulltext"], ["semantic"])[number % 3]
                answer = await service.recall.search(palace, SearchRequest("owls at night", lanes=lanes))
                if lanes != ["fulltext"]:  # without the question's embedding nothing is learned
                    await service.learning.feedback.give(palace, run=answer.run, useful={answer.hits[0].id: 1.0})
                await service.drawers.add_room(palace, f"wing {number}", f"room {done}")
            except NotFound:
                return
            assert not began_after, "something went well after the drop"
            done += 1
            if done == 1:
                await at_work.wait()

    async def drop() -> None:
        await at_work.wait()
        assert await second.drop_palace(palace) > len(TEXTS)
        gone.set()

    services = (app, second)
    await asyncio.gather(*(go_on(services[number % 2], number) for number in range(6)), drop())
    for service in services:
        await service.history.searches.flush()
        with pytest.raises(NotFound):
            await service.recall.search(palace, SearchRequest("owls"))
        with pytest.raises(NotFound):
            await service.drop_palace(palace)
    assert await left_of(app, palace) == 0
    assert palace not in str(await app.database.read(None, "health/list_indexes"))


async def test_a_palace_can_be_made_again_while_the_one_of_its_name_is_still_being_deleted(
    app: GraphPalace, second: GraphPalace, palace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in TEXTS[:3]:
        await app.drawers.add(palace, NewDrawer(text=text, wing="w"))
    delete, dropped = PalaceDrops._delete, asyncio.Event()

    async def late(drops: PalaceDrops, name: str) -> int:
        dropped.set()
        await asyncio.sleep(0.1)  # while another asks for a palace of that name
        return await delete(drops, name)

    async def again() -> None:
        await dropped.wait()
        assert await second.create_palace(palace)
        await second.drawers.add(palace, NewDrawer(text="a new life", wing="w"))

    monkeypatch.setattr(PalaceDrops, "_delete", late)
    await asyncio.gather(app.drop_palace(palace), again())
    answer = await app.recall.search(palace, SearchRequest("owls and a new life"))
    assert [hit.text for hit in answer.hits] == ["a new life"]


async def test_a_drop_that_was_broken_off_is_finished_by_the_next_service_that_starts(
    app: GraphPalace, second: GraphPalace, palace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await app.drawers.add(palace, NewDrawer(text=TEXTS[0], wing="w"))

    async def killed(*_args: object) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(PalaceDrops, "_delete", killed)
        await app.drop_palace(palace)
    with pytest.raises(NotFound):
        await second.recall.search(palace, SearchRequest("owls"))
    assert palace not in [row.name for row in await second.list_palaces()]
    assert await PalaceDrops(second.database).finish() == []  # somebody may be at it just now
    assert await left_of(app, palace) > 0
    assert await PalaceDrops(second.database).finish(left_s=0) == [palace]
    assert await left_of(app, palace) == 0
    assert await app.create_palace(palace)


async def test_a_slow_model_stops_no_other_writer(settings: Settings, app: GraphPalace, palace: str) -> None:
    begun, may_end = threading.Event(), threading.Event()

    class Slow(WordEmbedder):
        def embed(self, texts: Sequence[str]) -> Matrix:
            if "slow" in texts[0]:
                begun.set()
                may_end.wait(60)
            return super().embed(texts)

    service = wire(settings, embedder=Slow())
    try:
        slow = asyncio.create_task(service.drawers.add(palace, NewDrawer(text="slow words", wing="w")))
        await asyncio.to_thread(begun.wait, 60)
        async with asyncio.timeout(30):
            for text in TEXTS[:3]:  # each but the first has to bring the matrix up to date, alone with it
                await service.drawers.add(palace, NewDrawer(text=text, wing="w"))
        assert not slow.done()
        may_end.set()
        assert (await slow).created
    finally:
        may_end.set()
        await service.close()


async def test_of_two_that_store_the_same_text_at_once_one_has_created_it(app: GraphPalace, palace: str) -> None:
    new = NewDrawer(text="one and the same", wing="w")
    added = await asyncio.gather(*(app.drawers.add(palace, new) for _ in range(3)))
    assert sorted(one.created for one in added) == [False, False, True]
    assert len({one.drawer.id for one in added}) == 1


def test_a_name_of_a_palace_is_never_the_name_of_one_that_was_dropped() -> None:
    with pytest.raises(InvalidInput, match="starting with a letter"):
        dropped_name(dropped_name(f"t{uuid.uuid4().hex[:8]}"))
