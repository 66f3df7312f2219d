"""A palace settles by itself after single drawers were written, on a real Neo4j."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.domain.palaces.places import HallType
from graphpalace.errors import DatabaseUnavailable
from graphpalace.operations.drawers import settle as settler
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.operations.drawers.settle import settle
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.settings.load import Settings
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.vectors.drawer_matrix import DrawerMatrix

_PLACES = {
    ("zoo", "cats"): ["cats purr softly", "cats sleep all day", "a cat hunts mice"],
    ("zoo", "dogs"): ["dogs bark loudly", "a dog hunts cats"],
    ("zoo", "fish"): ["fish swim in water"],
    ("home", "cats"): ["my cats purr", "my cats sleep"],
    ("home", "pond"): ["fish swim in the pond water"],
}

Opened = Callable[[float], AbstractAsyncContextManager[GraphPalace]]


@pytest.fixture
def opened(settings: Settings) -> Opened:
    """Open a service that settles so many seconds after the last write."""

    def open_service(after_s: float) -> AbstractAsyncContextManager[GraphPalace]:
        ingest = settings.ingest.model_copy(update={"settle_after_s": after_s})
        return wiring.opened(settings.model_copy(update={"ingest": ingest}), embedder=WordEmbedder())

    return open_service


async def _settled_state(app: GraphPalace, palace: str) -> dict[tuple[str, str], Any]:
    """Return centroid, halls and tunnels of each room, by wing and name."""
    nodes = await app.database.read(palace, "tests/all_nodes")
    centroid = {row["properties"]["id"]: row["properties"].get("centroid") for row in nodes}
    return {
        (room.wing, room.name): (centroid[room.id], room.halls, room.tunnels)
        for room in await app.drawers.rooms(palace)
    }


async def _fill(app: GraphPalace, palace: str) -> None:
    for (wing, room), texts in _PLACES.items():
        for text in texts:
            await app.drawers.add(palace, NewDrawer(text=text, wing=wing, room=room))


async def _until_settled(app: GraphPalace, palace: str) -> None:
    async def settled() -> bool:
        state = await PalaceStore(app.database).get(palace)
        return state.settled_revision == state.revision

    await _until(settled)


async def _until(holds: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(20):
        while not await holds():  # noqa: ASYNC110  # what another service does has no event here
            await asyncio.sleep(0.02)


async def test_a_palace_filled_by_the_api_becomes_as_one_that_is_ingested(
    app: GraphPalace, opened: Opened, palace: str, tmp_path: Path
) -> None:
    dropped = spare_name()
    for (wing, room), texts in _PLACES.items():
        (tmp_path / wing / room).mkdir(parents=True)
        for number, text in enumerate(texts):
            (tmp_path / wing / room / f"{number}.txt").write_text(text)
    for wing in ("zoo", "home"):
        await app.ingesting.files([tmp_path / wing], palace=palace, wing=wing)
    ingested = await _settled_state(app, palace)
    assert ingested.keys() == _PLACES.keys()
    assert ingested["zoo", "cats"][1:] == (["dogs", "fish"], ["home/cats"])

    async with opened(0.2) as service:
        await service.create_palace(dropped)
        try:
            await _fill(service, dropped)
            await _until_settled(service, dropped)
            assert await _settled_state(service, dropped) == ingested
            # What is deleted leaves its room without a centroid, and others without the ways to it.
            drawers, _ = await service.drawers.page(dropped, wing="zoo", room="fish")
            await service.drawers.add_room(dropped, "zoo", "fish")
            await service.drawers.delete(dropped, drawers[0].id)
            await _until_settled(service, dropped)
            after = await _settled_state(service, dropped)
            assert after["zoo", "cats"][1:] == (["dogs"], ["home/cats"])
            assert after.get(("zoo", "fish"), (None, [], [])) == (None, [], [])
        finally:
            await service.drop_palace(dropped)


async def test_a_service_settles_once_for_many_writes(
    opened: Opened, palace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = 0

    async def counted(*args: Any, **kwargs: Any) -> None:
        nonlocal times
        times += 1
        await settle(*args, **kwargs)

    monkeypatch.setattr(settler, "settle", counted)
    async with opened(3.0) as service:  # longer than one write takes on a machine that is busy
        await _fill(service, palace)
        assert service.settler.waiting == [palace]
        await _until_settled(service, palace)
        rooms = await _settled_state(service, palace)
    assert times == 1
    assert rooms["zoo", "fish"][1] == ["cats", "dogs"]


async def test_writers_that_never_pause_are_settled_all_the_same(app: GraphPalace, opened: Opened, palace: str) -> None:
    async with opened(0.5) as service:
        await service.drawers.add(palace, NewDrawer(text="begin", wing="w"))

        async def settled() -> bool:
            await service.drawers.add_room(palace, "w", "r", HallType.FACTS)
            return (await PalaceStore(app.database).get(palace)).settled_revision > 0

        await _until(settled)


async def test_closing_settles_what_is_waiting(app: GraphPalace, opened: Opened, palace: str) -> None:
    async with opened(60) as service:
        await _fill(service, palace)
        assert (await PalaceStore(app.database).get(palace)).settled_revision == 0
    assert (await _settled_state(app, palace))["zoo", "cats"][1:] == (["dogs", "fish"], ["home/cats"])


async def test_what_cannot_be_settled_when_closing_is_logged_and_stops_nothing(
    opened: Opened, palace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*args: Any, **kwargs: Any) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(settler, "settle", never)
    monkeypatch.setattr(settler, "_CLOSE_S", 0.1)
    with capture_logs() as logs:
        async with asyncio.timeout(20), opened(60) as service:
            await service.drawers.add(palace, NewDrawer(text="cats purr", wing="zoo"))
    assert [(log["event"], log["palaces"]) for log in logs] == [("palaces_not_settled", [palace])]
    assert service.settler.waiting == []


async def test_a_settling_that_failed_is_done_again(
    opened: Opened, palace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = [DatabaseUnavailable("the database is away"), ValueError("something else")]

    async def failing(*args: Any, **kwargs: Any) -> None:
        if failures:
            raise failures.pop()
        await settle(*args, **kwargs)

    monkeypatch.setattr(settler, "settle", failing)
    with capture_logs() as logs:
        async with opened(0.1) as service:
            await service.drawers.add(palace, NewDrawer(text="cats purr", wing="zoo"))
            await _until_settled(service, palace)
    assert [log["reason"] for log in logs] == ["ValueError('something else')", "the database is away"]


def _after_reading(indexes: DrawerIndexes, monkeypatch: pytest.MonkeyPatch, *meanwhile: Callable[[], Any]) -> None:
    """Do something between the moment that drawers are read and the moment that what follows from them is written."""
    reading, left = indexes.reading, [*meanwhile]

    @asynccontextmanager
    async def slow(palace: str) -> AsyncIterator[DrawerMatrix]:
        async with reading(palace) as matrix:
            yield matrix
        if left:
            await left.pop(0)()

    monkeypatch.setattr(indexes, "reading", slow)


async def test_a_drawer_that_is_stored_while_a_palace_settles_is_settled_the_next_time(
    app: GraphPalace, palace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _fill(app, palace)

    async def add() -> None:
        await app.drawers.add(palace, NewDrawer(text="birds fly", wing="zoo", room="birds"))

    _after_reading(app.replica.indexes, monkeypatch, add)
    await settle(app.database, app.replica.indexes, palace=palace)
    assert (await _settled_state(app, palace))["zoo", "birds"] == (None, [], [])
    await settle(app.database, app.replica.indexes, palace=palace)
    assert (await _settled_state(app, palace))["zoo", "birds"][1] == ["cats", "dogs", "fish"]


async def test_a_service_settles_again_what_is_stored_while_it_settles(
    opened: Opened, palace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(0.2) as service:
        written = asyncio.Event()

        async def add() -> None:
            await service.drawers.add(palace, NewDrawer(text="dogs bark", wing="zoo", room="dogs"))
            written.set()

        await service.drawers.add(palace, NewDrawer(text="cats purr", wing="zoo", room="cats"))
        _after_reading(service.replica.indexes, monkeypatch, add)
        await asyncio.wait_for(written.wait(), 20)
        await _until_settled(service, palace)
        assert (await _settled_state(service, palace))["zoo", "dogs"][1] == ["cats"]


async def test_what_is_older_never_replaces_what_is_newer(
    app: GraphPalace, opened: Opened, palace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _fill(app, palace)
    async with opened(0) as other:

        async def add() -> None:
            await other.drawers.add(palace, NewDrawer(text="birds fly", wing="zoo", room="birds"))
            await settle(other.database, other.replica.indexes, palace=palace)

        _after_reading(app.replica.indexes, monkeypatch, add)
        await settle(app.database, app.replica.indexes, palace=palace)
    assert (await _settled_state(app, palace))["zoo", "birds"][1] == ["cats", "dogs", "fish"]


async def test_a_palace_that_was_made_anew_gets_nothing_of_the_old_one(
    app: GraphPalace, palace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _fill(app, palace)

    async def make_anew() -> None:
        await app.drop_palace(palace)
        await app.create_palace(palace)
        await app.drawers.add(palace, NewDrawer(text="birds fly", wing="zoo", room="cats"))

    _after_reading(app.replica.indexes, monkeypatch, make_anew)
    await settle(app.database, app.replica.indexes, palace=palace)
    assert await _settled_state(app, palace) == {("zoo", "cats"): (None, [], [])}
    await settle(app.database, app.replica.indexes, palace=palace)
    assert (await _settled_state(app, palace))["zoo", "cats"][0] is not None


async def test_dropping_a_palace_that_waits_for_settling_leaves_nothing(app: GraphPalace, opened: Opened) -> None:
    dropped = spare_name()
    async with opened(60) as service:
        await service.create_palace(dropped)
        await _fill(service, dropped)
        assert service.settler.waiting == [dropped]
        await service.drop_palace(dropped)
        assert service.settler.waiting == service.replica.indexes.loaded == []
    assert await app.database.read(dropped, "tests/count_all") == [{"nodes": 0}]


async def test_dropping_a_palace_that_is_being_settled_by_another_leaves_nothing(
    app: GraphPalace, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    dropped = spare_name()
    async with opened(0.2) as service:
        await service.create_palace(dropped)
        await _fill(service, dropped)
        _after_reading(service.replica.indexes, monkeypatch, lambda: app.drop_palace(dropped))
        with capture_logs() as logs:

            async def over() -> bool:
                return not service.settler.waiting

            await _until(over)
        assert logs == []
    assert await app.database.read(dropped, "tests/count_all") == [{"nodes": 0}]


async def test_two_services_settle_one_palace(app: GraphPalace, opened: Opened, palace: str) -> None:
    async with opened(0.1) as one, opened(0.1) as two:

        async def fill(service: GraphPalace, odd: int) -> None:
            for number, ((wing, room), texts) in enumerate(_PLACES.items()):
                for text in texts:
                    if (number + len(text)) % 2 == odd:
                        await service.drawers.add(palace, NewDrawer(text=text, wing=wing, room=room))
                        await asyncio.sleep(0.15)  # so that one settles while the other writes

        with capture_logs() as logs:
            await asyncio.gather(fill(one, 0), fill(two, 1))
            await _until_settled(app, palace)
        assert logs == []
    by_themselves = await _settled_state(app, palace)
    assert by_themselves["zoo", "cats"][1:] == (["dogs", "fish"], ["home/cats"])
    await app.drawers.add_wing(palace, "empty")  # so that there is something to settle
    await settle(app.database, app.replica.indexes, palace=palace)
    assert await _settled_state(app, palace) == by_themselves


async def test_an_ingest_divides_rooms_that_were_settled_already(
    app: GraphPalace, palace: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def settled_before(*args: Any, **kwargs: Any) -> None:
        await settle(*args, palace=kwargs["palace"])
        await settle(*args, **kwargs)

    monkeypatch.setattr("graphpalace.operations.drawers.ingest.settle", settled_before)
    words = ["cats purr softly", "rockets fly to planets", "bread needs flour"]
    for number in range(15):
        (tmp_path / f"{number}.txt").write_text(f"{words[number % 3]} {number}")
    await app.ingesting.files([tmp_path], palace=palace, wing="w", rooms="clusters")
    rooms = await app.drawers.rooms(palace)
    assert len(rooms) == 3
    assert all(room.halls for room in rooms)


async def test_an_ingest_leaves_drawers_in_the_room_that_a_caller_chose(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    for number in range(14):
        new = NewDrawer(text=f"note {number} on topic{number % 2}", wing="w", source_uri=f"note:{number}")
        await app.drawers.add(palace, new)
    (tmp_path / "file.txt").write_text("a file beside them")
    await app.ingesting.files([tmp_path], palace=palace, wing="w")
    assert [(room.name, room.drawers) for room in await app.drawers.rooms(palace)] == [("general", 15)]
