"""A simulation has one owner: other services on the same database watch it, ask it, and never run it a second time."""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.domain.simulation.kept_simulation import SimulationStart
from graphpalace.errors import Conflict
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.operations.simulation.subscribers import Subscriber
from graphpalace.settings.load import Settings
from graphpalace.store.simulation.simulations import StoredSimulations

TOPICS = ("apples grow on trees", "ships sail the sea", "bread is baked from flour", "stars shine at night")
QUICK = {"query": "ships sea", "num_agents": 12, "max_iterations": 30, "seed": 11, "max_steps_per_s": 0.0}
LONG = QUICK | {"max_iterations": 5000, "max_steps_per_s": 50.0, "stop_on_convergence": False}


@pytest.fixture(scope="module")
async def other(settings: Settings) -> AsyncIterator[GraphPalace]:
    """Another service on the same database."""
    async with wiring.opened(settings, embedder=WordEmbedder()) as opened:
        yield opened


@pytest.fixture(scope="module")
async def topics(app: GraphPalace) -> AsyncIterator[str]:
    """A palace of twelve lines about four things; no test changes its drawers."""
    name = spare_name()
    await app.create_palace(name)
    for number in range(12):
        await app.drawers.add(name, NewDrawer(text=f"{TOPICS[number % 4]}, line {number}", wing="notes"))
    yield name
    await app.drop_palace(name)


@pytest.fixture
async def name(app: GraphPalace) -> AsyncIterator[str]:
    name = f"owned {uuid.uuid4().hex[:8]}"
    yield name
    app.simulations._live.lose(name)


@pytest.fixture
async def running(app: GraphPalace, topics: str, name: str) -> str:
    """The name of a simulation that `app` runs."""
    await app.simulations.start(name, SimulationStart(LONG, {"palace": topics}))
    return name


async def until(app: GraphPalace, name: str, holds: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """Wait until the status of a simulation is so, as a service sees it."""
    for _ in range(600):
        status = await app.simulations.views.status(name)
        if holds(status):
            return status
        await asyncio.sleep(0.05)
    raise AssertionError(f"never so: {status}")


async def heard(seat: Subscriber, holds: Callable[[dict[str, Any]], Any]) -> dict[str, dict[str, Any]]:
    """Return the last message of each type, once they are so."""
    told: dict[str, dict[str, Any]] = {}
    async with asyncio.timeout(30):
        while not holds(told):
            told |= {one["type"]: one["data"] for one in map(json.loads, await seat.take())}
    return told


async def test_another_service_sees_it_running_with_its_owner_its_figures_and_its_picture(
    app: GraphPalace, other: GraphPalace, running: str
) -> None:
    with other.simulations.audience(running).seat() as seat:
        await other.simulations.greet(running, seat)
        first = await heard(seat, lambda told: {"snapshot", "results", "metrics"} <= told.keys())
        assert first["metrics"]["state"] == "running"
        later = await heard(seat, lambda told: {"snapshot", "metrics"} <= told.keys())
        assert later["snapshot"]["step"] > first["snapshot"]["step"]
        assert later["metrics"]["step"] > first["metrics"]["step"]
        assert len(later["snapshot"]["documents"]["meta"]) == 12
        here, there = (
            await app.simulations.views.status(running),
            await other.simulations.views.status(running),
        )
        assert (there["state"], there["running"], there["seed"]) == ("running", True, 11)
        assert there["owner"] == here["owner"]
        assert "process" in there["owner"]
        assert (here["here"], there["here"]) == (True, False)
        await app.simulations.stop(running)
        last = await heard(seat, lambda told: told.get("metrics", {}).get("state") == "stopped")
        assert last["metrics"]["stopped_by"] == "request"
    assert (await other.simulations.views.status(running))["owner"] is None


async def test_its_owner_is_asked_to_pause_to_resume_and_to_stop(
    app: GraphPalace, other: GraphPalace, running: str
) -> None:
    assert (await other.simulations.pause(running))["state"] == "paused"
    assert (await app.simulations.views.status(running))["state"] == "paused"
    with pytest.raises(Conflict, match="does not run; it is paused"):
        await other.simulations.pause(running)
    step = (await app.simulations.views.status(running))["step"]
    assert (await other.simulations.resume(running))["state"] == "running"
    assert other.simulations._live.get(running) is None
    await until(app, running, lambda status: status["step"] > step)
    stopped = await other.simulations.stop(running)
    assert (stopped["state"], stopped["stopped_by"], stopped["owner"]) == ("stopped", "request", None)
    assert (await app.simulations.views.status(running))["state"] == "stopped"
    assert await other.simulations.views.results(running) == await app.simulations.views.results(running)


async def test_nobody_else_starts_changes_or_writes_it(app: GraphPalace, other: GraphPalace, running: str) -> None:
    owner = (await app.simulations.views.status(running))["owner"]
    for forbidden in (
        other.simulations.start(running, SimulationStart({"query": "bread"})),
        other.simulations.configure(running, {"top_k": 3}),
        other.simulations.resize_agents(running, 5),
    ):
        with pytest.raises(Conflict, match="is held by") as refused:
            await forbidden
        assert refused.value.detail["owner"] == owner
    assert (await other.simulations.resume(running))["state"] == "running"  # as it does
    assert other.simulations._live.get(running) is None
    step = (await app.simulations.views.status(running))["step"]
    await until(app, running, lambda status: status["step"] > step)
    assert (await app.simulations.views.settings(running)).top_k == 10
    await other.simulations.reset(running)
    assert (await app.simulations.views.status(running))["state"] == "idle"


async def test_what_another_service_holds_can_be_looked_into(
    app: GraphPalace, other: GraphPalace, running: str
) -> None:
    await app.simulations.pause(running)
    found = await other.simulations.views.search(running, "bread flour", 12)
    assert len(found) == 12
    document, relevance, visits = await other.simulations.views.document(running, found[0].document.id)
    assert document.content == found[0].document.content
    assert (relevance, visits) == (await app.simulations.views.document(running, document.id))[1:]
    assert (await other.simulations.views.documents(running, offset=0, limit=5))[1] == 12
    assert other.simulations._live.get(running) is None
    assert (await other.simulations.views.status(running))["state"] == "paused"


async def test_one_whose_owner_is_gone_is_taken_over_once_its_lease_has_run_out(
    app: GraphPalace, other: GraphPalace, running: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await app.simulations.pause(running)
    app.simulations._live.lose(running)  # without a word to the database, as a process that dies
    app.simulations._heartbeat._before.discard(running)
    monkeypatch.setattr(other.simulations._requests, "_patience_s", 0.2)
    with pytest.raises(Conflict, match=r"was asked to resume it and has not answered for 0\.2 s"):
        await other.simulations.resume(running)
    await app.database.write(None, "tests/age_simulation", name=running)
    status = await other.simulations.resume(running)
    assert (status["state"], status["here"]) == ("running", True)
    await other.simulations.stop(running)


async def test_an_owner_that_was_thought_dead_lets_go_and_overwrites_nothing(
    app: GraphPalace, other: GraphPalace, running: str
) -> None:
    await until(app, running, lambda status: status["step"] > 2)
    await app.simulations.pause(running)
    await app.simulations.resume(running)
    beats = app.simulations._heartbeat._task
    assert beats is not None
    beats.cancel()  # as if its machine slept
    await app.database.write(None, "tests/age_simulation", name=running)
    assert (await other.simulations.views.status(running))["state"] == "paused"
    await other.simulations.resume(running)
    paused = await other.simulations.pause(running)
    live = app.simulations._live.get(running)
    assert live is not None
    await app.simulations._heartbeat.beat()
    assert app.simulations._live.get(running) is None
    await live.ended()
    assert (await app.simulations.views.status(running))["step"] == paused["step"]
    assert (await app.simulations.views.status(running))["here"] is False
    await other.simulations.stop(running)


async def test_a_heartbeat_that_is_overtaken_by_the_end_changes_nothing_of_it(app: GraphPalace, running: str) -> None:
    service, gathered_at, figures = (
        app.simulations._store.service,
        time.monotonic_ns(),
        app.simulations.figures,
    )
    assert figures[running]["state"] == "running"
    await app.simulations.stop(running)
    heard = await StoredSimulations(app.database, service).renew({running: figures[running]}, written_at=gathered_at)
    assert running in heard
    kept = await app.simulations._store.there(running)
    assert (kept.state, kept.held) == ("stopped", False)


async def test_what_its_owner_cannot_do_is_told_to_who_asked(
    app: GraphPalace, other: GraphPalace, running: str
) -> None:
    await until(app, running, lambda status: status["step"] > 2)
    await app.simulations.pause(running)
    await app.simulations.configure(running, {"max_iterations": 2})
    with pytest.raises(Conflict, match=r"was asked to resume .*raise max_iterations above 2"):
        await other.simulations.resume(running)


async def test_a_service_forgets_what_another_has_begun_anew_meanwhile(
    app: GraphPalace, other: GraphPalace, topics: str, name: str
) -> None:
    await app.simulations.complete(name, SimulationStart(QUICK, {"palace": topics}))
    await other.simulations.complete(name, SimulationStart(QUICK | {"query": "bread", "seed": 12}, {"palace": topics}))
    status = await app.simulations.views.status(name)
    assert (status["query"], status["seed"], status["state"]) == ("bread", 12, "stopped")
    assert await app.simulations.views.results(name) == await other.simulations.views.results(name)


async def test_one_whose_palace_another_service_drops_ends_and_is_not_kept_again(
    app: GraphPalace, other: GraphPalace, name: str
) -> None:
    palace = spare_name()
    await app.create_palace(palace)
    await app.drawers.add(palace, NewDrawer(text="ships sail the sea", wing="notes"))
    await app.simulations.start(name, SimulationStart(LONG, {"palace": palace}))
    live = app.simulations._live.get(name)
    assert live is not None
    await other.drop_palace(palace)
    await app.simulations._heartbeat.beat()
    await live.ended()
    assert app.simulations._live.get(name) is None
    assert await app.database.read(None, "simulation/get_simulation", name=name) == []


async def test_one_that_makes_room_for_another_may_be_taken_at_once(
    app: GraphPalace, other: GraphPalace, running: str
) -> None:
    await app.simulations.pause(running)
    app.simulations._live._live.pop(running)
    await until(other, running, lambda status: status["owner"] is None)
    assert (await other.simulations.resume(running))["here"] is True
    await other.simulations.stop(running)


@pytest.mark.parametrize("anew", ["reset", "start"])
async def test_a_late_save_of_an_earlier_run_changes_nothing(
    app: GraphPalace, topics: str, name: str, anew: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await app.simulations.complete(name, SimulationStart(QUICK, {"palace": topics}))
    live = app.simulations._live.get(name)
    assert live is not None
    stored, saves, claimed = app.simulations._store.stored, asyncio.Event(), asyncio.Event()
    keep = stored.keep

    async def late(*args: Any, **kwargs: Any) -> bool:
        saves.set()
        await claimed.wait()
        return await keep(*args, **kwargs)

    monkeypatch.setattr(stored, "keep", late)
    saving = asyncio.create_task(live.keep())  # such as that of the last report
    await saves.wait()
    monkeypatch.setattr(stored, "keep", keep)
    if anew == "reset":
        await app.simulations.reset(name)
    else:
        await app.simulations.start(name, SimulationStart(LONG | {"seed": 12}, {"palace": topics}))
    claimed.set()
    await saving
    kept = await app.simulations._store.there(name)
    assert (kept.state, kept.seed) == (("idle", None) if anew == "reset" else ("running", 12))
    assert kept.results == [] or anew == "start"
    if anew == "start":
        await app.simulations.stop(name)


async def test_a_stop_that_was_asked_for_is_seen_as_stopped_however_long_its_end_takes_to_store(
    app: GraphPalace, other: GraphPalace, topics: str, running: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, stored = list[str](), app.simulations._store.stored
    keep = stored.keep

    async def beaten(*args: Any, **kwargs: Any) -> bool:
        """Store the end while the heart beats."""
        await app.simulations._heartbeat.beat()
        seen.append((await other.simulations.views.status(name))["state"])
        return await keep(*args, **kwargs)

    monkeypatch.setattr(stored, "keep", beaten)
    assert (await other.simulations.stop(running))["state"] == "stopped"
    assert set(seen) <= {"running", "stopped"}
    monkeypatch.setattr(stored, "keep", keep)

    gate, course = asyncio.Event(), app.simulations._live.course

    async def waiting(*args: Any) -> Any:
        await gate.wait()
        return await course(*args)

    monkeypatch.setattr(app.simulations._live, "course", waiting)
    await app.simulations.begin(name, SimulationStart(LONG, {"palace": topics}))
    await app.simulations._heartbeat.beat()
    monkeypatch.setattr(stored, "keep", beaten)
    seen.clear()
    assert (await other.simulations.stop(name))["state"] == "stopped"
    assert set(seen) <= {"loading", "stopped"}
    assert (await other.simulations.views.status(name))["error"] is None
