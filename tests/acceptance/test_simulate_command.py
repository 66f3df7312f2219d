"""`graphpalace simulate`, as people and scripts use it."""

from __future__ import annotations

import asyncio
import re
import uuid
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from graphpalace.app import GraphPalace
from graphpalace.domain.simulation.kept_simulation import SimulationStart
from graphpalace.errors import Conflict
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.operations.simulation import session as course
from tests.acceptance.commands import Ran, apart, environ_of, printed
from tests.graphs import nodes_of
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder

TOPICS = ("apples grow on trees", "ships sail the sea", "bread is [baked] from flour", "stars shine at night")


@pytest.fixture(scope="module")
async def topics(app: GraphPalace) -> AsyncIterator[str]:
    """A palace of twenty lines about four things; no test changes its drawers."""
    name = spare_name()
    await app.create_palace(name)
    for number in range(20):
        text = f"{TOPICS[number % 4]}, line {number}"
        await app.drawers.add(name, NewDrawer(text=text, wing="nature" if number % 4 < 2 else "home", room="notes"))
    yield name
    await app.drop_palace(name)


@pytest.fixture
def environ(neo4j_settings: dict[str, object], topics: str) -> dict[str, str]:
    return environ_of(neo4j_settings, topics)


@pytest.fixture
def simulate(here: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Run `graphpalace simulate` in this process, with an embedder that knows only words."""
    monkeypatch.setattr("graphpalace.app.models.make_embedder", lambda _settings: WordEmbedder())
    return partial(here, "simulate")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    for number, topic in enumerate(TOPICS):
        (folder / f"note{number}.md").write_text(f"{topic}\n" * 3)
    return folder


def test_it_shows_results_and_how_it_ended_and_progress_on_a_terminal_only(
    simulate: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = simulate("ships sea", "--agents", "12", "--steps", "10", "--seed", "7", "--top-k", "5")
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[0].split() == ["rank", "score", "similarity", "visits", "path", "snippet"]
    for rank, line in enumerate(lines[1:6], 1):
        assert re.match(
            rf" *{rank} +\d\.\d{{3}} +0\.\d{{3}} +\d+ +nature / notes / .+ ships sail the sea, line \d+", line
        )
    assert lines[6] == "12 agents, 20 documents, 10 steps: all steps were run; seed 7; stored as cli"
    assert ran.err == ""
    monkeypatch.setenv("FORCE_COLOR", "1")  # as on a terminal
    ran = simulate("ships sea", "--agents", "12", "--steps", "10", "--seed", "7", "--top-k", "5")
    assert re.search(r"relevance \d\.\d{3}, best \d\.\d{3}, \d+ trails", ran.err)
    assert re.search(r"10/10", ran.err)


def test_for_programs_it_prints_one_object(simulate: Callable[..., Ran], topics: str) -> None:
    asked = ("bread", "--agents", "12", "--steps", "10", "--seed", "7", "--wing", "home", "--json")
    found = printed(simulate(*asked))
    assert (found["simulation"], found["state"], found["step"], found["docs"]) == ("cli", "stopped", 10, 10)
    assert (found["palace"], found["stopped_by"], found["seed"]) == (topics, "max_iterations", 7)
    assert [set(one) for one in found["results"]] == [
        {"id", "score", "similarity", "visits", "keywords", "path", "snippet"}
    ] * 10
    assert "bread is [baked]" in found["results"][0]["snippet"]
    assert printed(simulate(*asked))["results"] == found["results"]
    again = printed(simulate("bread", "--agents", "12", "--steps", "10", "--wing", "home", "--json"))
    assert again["seed"] != 7


def test_without_a_question_it_looks_at_the_middle(simulate: Callable[..., Ran]) -> None:
    found = printed(simulate("--steps", "5", "--agents", "5", "--json"))
    assert (found["query"], found["step"], len(found["results"])) == ("", 5, 10)


def test_what_an_earlier_run_was_told_is_forgotten(simulate: Callable[..., Ran]) -> None:
    name = f"test {uuid.uuid4().hex[:8]}"
    first = printed(simulate("bread", "--steps", "5", "--agents", "5", "--wing", "home", "--name", name, "--json"))
    assert (first["agents"], first["docs"]) == (5, 10)
    second = printed(simulate("bread", "--steps", "5", "--name", name, "--json"))
    assert (second["simulation"], second["agents"], second["docs"]) == (name, 200, 20)


def test_a_folder_that_the_user_names_may_be_read(simulate: Callable[..., Ran], folder: Path) -> None:
    quick = ("--steps", "5", "--agents", "5", "--json")
    found = printed(simulate("ships sea", "--root", folder, *quick))
    assert found["docs"] == 4  # each file is shorter than the smallest window of 1000 lines
    assert found["results"][0]["path"] == "note1.md"
    assert printed(simulate("ships sea", "--root", folder.name, "--windows", "2", *quick))["docs"] == 8


def test_settings_without_an_option_of_their_own_can_be_set(simulate: Callable[..., Ran]) -> None:
    words = ("--set", 'kw_terms=["bread"]', "--set", "kw_lambda=1.5", "--preset", "seed")
    found = printed(simulate("ships", "--steps", "5", "--agents", "5", *words, "--json"))
    assert {one["keywords"] for one in found["results"][:5]} == {1.0}


async def test_only_a_deposit_changes_the_palace(
    app: GraphPalace, simulate: Callable[..., Ran], topics: str, palace: str
) -> None:
    for number in range(8):
        await app.drawers.add(palace, NewDrawer(text=f"{TOPICS[number % 4]}, line {number}", wing="a"))
    quick = ("--steps", "10", "--agents", "10", "--palace", palace, "--json")

    async def marked() -> bool:
        return any(node.get("exploration_pheromone") for node in await nodes_of(app.database, palace))

    printed(await asyncio.to_thread(simulate, "ships", "--warm-start", *quick))
    assert not await marked()
    printed(await asyncio.to_thread(simulate, "ships", "--deposit", *quick))
    assert await marked()


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        (("--steps", "0"), 2, "max_iterations is 0"),
        (("--agents", "0"), 2, "num_agents is 0"),
        (("--seed", "-1"), 2, "seed is -1"),
        (("--top-k", "1000"), 2, "top_k is 1000"),
        (("--preset", "fast"), 2, "preset is 'fast'; it must be 'standard' or 'seed'"),
        (("--name", "a/b"), 2, "simulation name is 'a/b'"),
        (("--wing", "cellar"), 3, "cellar"),
        (("--palace", "nowhere"), 3, "nowhere"),
        (("--set", "fast"), 2, "--set is 'fast'; write it as NAME=VALUE"),
        (("--set", "speed=3"), 2, "speed is not a setting"),
        (("--set", "kw_lambda=much"), 2, "kw_lambda is 'much'"),
        (("--set", "num_agents=5", "--agents", "6"), 2, "is given twice"),
        (("--windows", "10"), 2, "--windows needs --root DIR"),
        (("--root", "notes", "--windows", "ten"), 2, "--windows is 'ten'"),
        (("--root", "notes", "--wing", "home"), 2, "not both"),
        (("--root", "notes", "--deposit"), 2, "--deposit and --root cannot be used together"),
        (("--root", "notes", "--warm-start"), 2, "warm_start is true"),
        (("--root", "gone"), 3, "gone"),
    ],
)
def test_what_is_wrong_is_told_with_the_exit_code_of_its_kind(
    simulate: Callable[..., Ran], folder: Path, words: tuple[str, ...], code: int, reason: str
) -> None:
    ran = simulate("bread", *words)
    assert (ran.code, ran.out) == (code, ""), ran.err
    assert reason in ran.err


async def test_a_service_pauses_resumes_and_stops_what_the_command_runs(
    app: GraphPalace, simulate: Callable[..., Ran]
) -> None:
    name = f"two {uuid.uuid4().hex[:8]}"
    words = ("--steps", "5000", "--agents", "20", "--set", "stop_on_convergence=false", "--name", name)
    ran = asyncio.create_task(asyncio.to_thread(simulate, "ships", *words))

    async def reached(holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        for _ in range(600):
            if holds(status := await app.simulations.views.status(name)):
                return status
            await asyncio.sleep(0.05)
        raise AssertionError(f"never so: {status}")

    running = await reached(lambda status: status["state"] == "running")
    assert "process" in running["owner"]
    paused = await app.simulations.pause(name)
    assert (paused["state"], paused["here"]) == ("paused", False)
    assert not ran.done()
    await app.simulations.resume(name)
    await reached(lambda status: status["step"] > paused["step"])
    with pytest.raises(Conflict, match="is held by"):
        await app.simulations.start(name, SimulationStart({"query": "bread"}))
    stopped = await app.simulations.stop(name)
    found = await ran
    assert found.code == 0, found.err
    assert f"20 agents, 20 documents, {stopped['step']} steps: it was stopped;" in found.out


def test_a_simulation_that_fails_is_told_with_its_step(
    simulate: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaking(*_args: Any, **_kwargs: Any) -> Any:
        raise RuntimeError("the device is gone")

    monkeypatch.setattr(course, "next_step", breaking)
    ran = simulate("bread")
    assert (ran.code, ran.out) == (1, "")
    assert "simulation 'cli' failed at step 1: RuntimeError('the device is gone')" in ran.err


def test_as_a_process_of_its_own_with_the_real_model(
    environ: dict[str, str], commands_palace: str, folder: Path, tmp_path: Path
) -> None:
    own = environ | {"GRAPHPALACE_PALACE__NAME": commands_palace}
    words = ("sailing on the ocean", "--root", folder, "--windows", "9", "--agents", "8", "--json")
    assert printed(apart(own, tmp_path, "simulate", *words))["results"][0]["path"] == "note1.md"
