"""What a simulation walks over is read in the background: it is seen, it can be stopped, and it is read once."""

from __future__ import annotations

import asyncio
import json
import threading
import uuid
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import pytest
from tests.acceptance.served import changed
from tests.words import WordEmbedder

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.domain.simulation.kept_simulation import SimulationStart
from graphpalace.domain.vectors import Matrix
from graphpalace.errors import Conflict, InvalidInput, NotFound
from graphpalace.settings.load import Settings

QUICK = {"query": "ships", "num_agents": 8, "max_iterations": 5, "windows": [2], "embed_batch_size": 4, "seed": 1}


class GatedEmbedder(WordEmbedder):
    """Embeds windows only while its gate is open, and notes them."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.gate.set()
        self.windows: list[str] = []

    def embed(self, texts: Sequence[str]) -> Matrix:
        if texts and texts[0].startswith("# file:"):
            self.windows += texts
            assert self.gate.wait(60)
        return super().embed(texts)


@pytest.fixture(scope="module")
def embedder() -> GatedEmbedder:
    return GatedEmbedder()


@pytest.fixture(scope="module")
async def own(
    settings: Settings, embedder: GatedEmbedder, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[GraphPalace]:
    """A service that may read the temporary folders of these tests, with a cache of its own."""
    base = tmp_path_factory.getbasetemp()
    cache = str(tmp_path_factory.mktemp("cache"))
    chosen = changed(settings, simulation={"folders": (str(base),)}, neo4j={"cache_dir": cache})
    async with wiring.opened(chosen, embedder=embedder) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Ten windows that no other test has."""
    for number in range(10):
        (tmp_path / f"note{number}.txt").write_text(f"ships {tmp_path.name} {number}\nsail\n", "utf-8")
    return tmp_path


@pytest.fixture
def name() -> str:
    return f"loads {uuid.uuid4().hex[:8]}"


@pytest.fixture
def gate(embedder: GatedEmbedder) -> Iterator[threading.Event]:
    """The gate of the embedder, closed."""
    embedder.gate.clear()
    yield embedder.gate
    embedder.gate.set()


async def embedding(own: GraphPalace, name: str) -> None:
    """Wait until windows are being embedded."""
    for _ in range(600):
        if ((await own.simulations.views.status(name))["loading"] or {}).get("stage") == "embedding":
            return
        await asyncio.sleep(0.05)
    raise AssertionError("nothing is being embedded")


async def test_a_start_answers_before_its_folder_is_embedded_and_its_progress_is_seen(
    own: GraphPalace, folder: Path, name: str, gate: threading.Event
) -> None:
    with own.simulations.audience(name).seat() as seat:
        begun = await own.simulations.begin(name, SimulationStart(QUICK, {"root": str(folder)}))
        assert (begun["state"], begun["running"], begun["step"], begun["agents"]) == ("loading", True, 0, 8)
        await embedding(own, name)
        assert (await own.simulations.views.status(name))["loading"] == {
            "stage": "embedding",
            "done": 0,
            "of": 10,
        }
        gate.set()
        told = []
        async with asyncio.timeout(30):
            while not told or told[-1]["data"].get("state") != "stopped":
                told += map(json.loads, await seat.take())
    stages = [one["data"] for one in told if one["type"] == "loading"]
    assert stages[-1]["stage"] == "question"
    status = await own.simulations.views.status(name)
    assert (status["docs"], status["step"], status["loading"]) == (10, 5, None)


async def test_stop_stops_what_loads_and_it_never_runs(
    own: GraphPalace, folder: Path, name: str, gate: threading.Event
) -> None:
    await own.simulations.begin(name, SimulationStart(QUICK, {"root": str(folder)}))
    await embedding(own, name)
    loading = own.simulations._live.loading[name]
    status = await own.simulations.stop(name)
    assert (status["state"], status["stopped_by"], status["step"]) == ("stopped", "request", 0)
    gate.set()
    with pytest.raises(Conflict, match="was stopped while it was loading"):
        await loading.loaded()
    assert own.simulations._live.get(name) is None
    with pytest.raises(Conflict, match="has not been started"):
        await own.simulations.resume(name)


async def test_settings_change_while_it_loads_and_hold_from_its_first_step(
    own: GraphPalace, folder: Path, name: str, gate: threading.Event
) -> None:
    await own.simulations.begin(name, SimulationStart(QUICK, {"root": str(folder)}))
    await embedding(own, name)
    await own.simulations.configure(name, {"query": "sail", "num_agents": 5})
    with pytest.raises(Conflict, match="seed cannot change while the simulation runs"):
        await own.simulations.configure(name, {"seed": 2})
    assert (await own.simulations.pause(name))["state"] == "loading"
    loading = own.simulations._live.loading[name]
    gate.set()
    await loading.loaded()
    status = await own.simulations.views.status(name)
    assert (status["state"], status["step"], status["agents"], status["query"]) == ("paused", 0, 5, "sail")
    await own.simulations.stop(name)


async def test_a_new_start_takes_the_place_of_one_that_loads(
    own: GraphPalace, folder: Path, name: str, gate: threading.Event
) -> None:
    await own.simulations.begin(name, SimulationStart(QUICK, {"root": str(folder)}))
    await embedding(own, name)
    first = own.simulations._live.loading[name]
    await own.simulations.begin(name, SimulationStart(QUICK | {"seed": 2}, {"root": str(folder)}))
    second = own.simulations._live.loading[name]
    gate.set()
    with pytest.raises(Conflict):
        await first.loaded()
    await second.loaded()
    assert (await own.simulations.views.status(name))["seed"] == 2


async def test_what_cannot_be_loaded_fails_with_its_reason(own: GraphPalace, tmp_path: Path, name: str) -> None:
    with pytest.raises(NotFound, match="does not exist"):
        await own.simulations.begin(name, SimulationStart(QUICK, {"root": str(tmp_path / "gone")}))
    assert (await own.simulations.views.status(name))["state"] == "idle"
    with pytest.raises(InvalidInput, match="has no document to walk over"):
        await own.simulations.start(name, SimulationStart(QUICK, {"root": str(tmp_path)}))
    status = await own.simulations.views.status(name)
    assert (status["state"], status["owner"]) == ("failed", None)
    assert "has no document to walk over" in status["error"]


async def test_who_gives_up_waiting_for_a_run_stops_its_loading(
    own: GraphPalace, folder: Path, name: str, gate: threading.Event
) -> None:
    run = asyncio.create_task(own.simulations.complete(name, SimulationStart(QUICK, {"root": str(folder)})))
    await asyncio.sleep(0)
    await embedding(own, name)
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert (await own.simulations.views.status(name))["state"] == "stopped"


async def test_of_a_folder_only_what_changed_is_embedded_again(
    own: GraphPalace, embedder: GatedEmbedder, folder: Path, name: str
) -> None:
    embedder.windows.clear()
    await own.simulations.complete(name, SimulationStart(QUICK, {"root": str(folder)}))
    first = await own.simulations.views.results(name)
    assert len(embedder.windows) == 10
    embedder.windows.clear()
    await own.simulations.complete(name, SimulationStart(QUICK, {"root": str(folder)}))
    assert embedder.windows == []
    assert await own.simulations.views.results(name) == first
    (folder / "note3.txt").write_text("stars shine\n", "utf-8")
    await own.simulations.complete(name, SimulationStart(QUICK, {"root": str(folder)}))
    assert [window.partition("|")[0] for window in embedder.windows] == ["# file: note3.txt "]
