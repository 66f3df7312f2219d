"""Simulations and background jobs behind every door."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

import pytest

from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.errors import Conflict, InvalidInput, NotFound
from graphpalace.settings.load import Settings
from tests.acceptance.served import changed
from tests.words import WordEmbedder

QUICK = {"num_agents": 6, "seed": 3, "stop_on_convergence": False}


async def filled(door: Any) -> str:
    for number in range(6):
        await door.add(f"{('bread needs flour', 'ships sail the sea')[number % 2]}, line {number}", wing="notes")
    return f"c{uuid.uuid4().hex[:8]}"


async def until(door: Any, name: str, *states: str) -> Any:
    async with asyncio.timeout(30):
        while (now := await door.simulations.status(name)).state not in states:  # noqa: ASYNC110  # it is elsewhere
            await asyncio.sleep(0.05)
    return now


async def test_a_simulation_runs_to_its_end_from_the_defaults(door: Any) -> None:
    name, seen = await filled(door), []
    found = await door.simulate(
        "flour bread", name=name, progress=seen.append, wing="notes", max_iterations=8, top_k=2, **QUICK
    )
    assert (found.status, len(found.results)) == ("stopped", 2)
    assert "flour" in found.results[0].snippet
    assert (seen[-1].state, seen[-1].step, seen[-1].agents, seen[-1].metrics.trails > 0) == ("stopped", 8, 6, True)
    assert len((await door.simulate("sea", name=name, max_iterations=3, num_agents=6)).results) == 6  # top_k is fresh
    with pytest.raises(InvalidInput, match="num_agents"):
        await door.simulate("bread", name=name, num_agents=0)
    with pytest.raises(NotFound, match="nowhere"):
        await door.simulate("bread", name=name, wing="nowhere")
    await door.simulations.start(name, max_iterations=5000, max_steps_per_s=20.0, **QUICK)
    with pytest.raises(Conflict, match="running"):
        await door.simulate("bread", name=name)

    def stop(_: Any) -> None:
        raise KeyError("enough")

    await door.simulations.stop(name)
    with pytest.raises(KeyError):
        await door.simulate("bread", name=name, progress=stop, max_iterations=5000, max_steps_per_s=20.0, **QUICK)
    assert (await door.simulations.status(name)).stopped_by == "request"


async def test_a_running_simulation_is_replaced_or_refuses_and_what_has_no_effect_is_kept(door: Any) -> None:
    name = await filled(door)
    slow = {"query": "bread", "max_iterations": 5000, "max_steps_per_s": 20.0, **QUICK}
    await door.simulations.start(name, unused_params={"learning_rate": 0.1}, **slow)
    with pytest.raises(Conflict, match="running"):
        await door.simulations.start(name, replace=False, **slow)
    assert (await door.simulations.status(name)).unused_params == {"learning_rate": 0.1}
    await door.simulations.start(name, **slow)
    assert (await door.simulations.status(name)).unused_params == {}
    await door.simulations.stop(name)
    await door.simulations.run(name, unused_params={"depth": [1, 2]}, max_iterations=2, **QUICK)
    assert (await door.simulations.status(name)).unused_params == {"depth": [1, 2]}


async def test_a_run_forgets_which_documents_the_last_one_of_its_name_had(settings: Settings, palace: str) -> None:
    own = changed(settings, palace={"name": palace})
    async with AsyncPalace.open(settings=own, embedder=WordEmbedder()) as unnamed:
        name = await filled(unnamed)
        await unnamed.add("roses need sun", wing="garden")
        for wing, documents in (("garden", 1), (None, 7)):
            await unnamed.simulations.run(name, wing=wing, max_iterations=2, **QUICK)
            assert (await unnamed.simulations.status(name)).docs == documents


async def test_a_simulation_is_controlled_step_by_step(door: Any) -> None:
    name = await filled(door)
    begun = await door.simulations.start(name, query="bread", max_iterations=5000, max_steps_per_s=50.0, **QUICK)
    assert begun.simulation == name
    await until(door, name, "running")
    assert (await door.simulations.pause(name)).status == "paused"
    assert (await door.simulations.add_agents(name, n=2)).agents == 8
    assert (await door.simulations.resize_agents(name, count=5)).agents == 5
    assert (await door.simulations.configure(name, top_k=3, seed=None))["seed"] is None
    described = await door.simulations.settings(name)
    assert (described.settings["top_k"], described.usage["top_k"]["max"]) == (3, 200)
    assert (await door.simulations.resume(name)).status == "running"
    assert name in {one.simulation for one in await door.simulations.statuses()}
    assert (await door.simulations.stop(name)).status == "stopped"
    best = (await door.simulations.results(name)).results[0]
    found = (await door.simulations.search("ships sail", name=name, top_k=6)).results
    assert "ships" in max(found, key=lambda one: one.similarity).snippet
    assert (await door.simulations.document(best.id, name=name)).metadata["path"] == best.path
    page = await door.simulations.corpus(name, page=2, page_size=4)
    assert (page.total, len(page.files)) == (6, 2)
    assert (await door.simulations.reset(name)).status == "reset"

    for refused in (door.simulations.stop, door.simulations.reset, door.simulations.resume, door.simulations.results):
        with pytest.raises((NotFound, Conflict)):
            await refused("nosuch")
    with pytest.raises(Conflict):
        await door.simulations.pause(name)
    with pytest.raises(NotFound):
        await door.simulations.report(name)
    with pytest.raises(InvalidInput, match="count"):
        await door.simulations.resize_agents(name, count=0)
    with pytest.raises(InvalidInput, match=r"\bn\b"):
        await door.simulations.add_agents(name, n=0)
    with pytest.raises(InvalidInput, match="nosuch"):
        await door.simulations.configure(name, nosuch=1)
    with pytest.raises(InvalidInput, match="page_size"):
        await door.simulations.corpus(name, page_size=0)
    with pytest.raises(InvalidInput, match="simulation"):
        await door.simulations.status("?")


async def test_a_job_is_started_waited_for_and_cancelled(door: Any) -> None:
    await filled(door)
    seen: list[Any] = []
    job = (await door.jobs.start(query="flour bread", wing="notes", max_iterations=5, **QUICK)).job_id
    done = await door.jobs.wait(job, seen.append)
    assert (done.status, done.progress, done.error, seen[-1]) == ("done", 1, None, done)
    assert "flour" in done.results[0].snippet
    assert [shard.documents for shard in done.shards] == [6]
    assert [one.job_id for one in await door.jobs.list()] == [job]
    long = (await door.jobs.start(query="sea", max_iterations=5000, **QUICK)).job_id
    assert (await door.jobs.cancel(long)).status == "cancelled"
    assert (await door.jobs.wait(long)).status == "cancelled"
    with pytest.raises(Conflict, match="done"):
        await door.jobs.cancel(job)
    with pytest.raises(NotFound, match="job-nosuch"):
        await door.jobs.status("job-nosuch")
    with pytest.raises(InvalidInput, match="deposit"):
        await door.jobs.start(deposit=True)
