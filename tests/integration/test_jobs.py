"""Background jobs on a real Neo4j and with real worker processes."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from tests.acceptance.served import changed
from tests.jobs import LONG, QUERY, SHORT, done, furnish_twenty, over, seen
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.domain.simulation.jobs import StoredJob
from graphpalace.domain.simulation.kept_simulation import SimulationStart
from graphpalace.errors import Conflict, InvalidInput, NotFound
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.settings.load import Settings
from graphpalace.store.simulation.jobs import StoredJobs


@pytest.fixture(scope="module")
async def worker_app(settings: Settings) -> AsyncIterator[GraphPalace]:
    """All operations, with two worker processes for jobs."""
    own = changed(settings, simulation={"job_workers": 2})
    async with wiring.opened(own, embedder=WordEmbedder()) as opened:
        yield opened


@pytest.fixture
async def filled(worker_app: GraphPalace, palace: str) -> AsyncIterator[dict[str, str]]:
    """The choice of a palace with twenty drawers."""
    await furnish_twenty(worker_app, palace)
    yield {"palace": palace}
    worker_app.forget(palace)


def _workers() -> list[psutil.Process]:
    """Return the worker processes of this test process."""
    found = list[psutil.Process]()
    for child in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):  # it has ended meanwhile
            found += [child] if "spawn_main" in " ".join(child.cmdline()) else []
    return found


async def _states(app: GraphPalace, job: str) -> int:
    return (await app.database.read(None, "tests/count_states", id=job))[0]["states"]


async def test_progress_and_results_are_seen_while_a_job_runs_in_shards(
    worker_app: GraphPalace, filled: dict[str, str]
) -> None:
    job = await worker_app.jobs.start("default", LONG, filled)
    half = await seen(worker_app, job, lambda kept: 0 < kept.progress < 1)
    assert half.status == "running"
    assert half.results
    assert await _states(worker_app, job) > 0
    ended = await done(worker_app, job)
    assert (ended.progress, ended.error, ended.query) == (1, None, QUERY)
    # 20 documents, at most 8 in a shard
    assert [(shard["documents"], shard["step"], shard["over"]) for shard in ended.shards] == [
        (6, 400, "max_iterations"),
        (7, 400, "max_iterations"),
        (7, 400, "max_iterations"),
    ]
    assert await _states(worker_app, job) == 0


async def test_results_of_shards_are_merged_by_score_then_id_and_none_comes_twice(
    worker_app: GraphPalace, filled: dict[str, str]
) -> None:
    job = await worker_app.jobs.start("default", SHORT | {"top_k": 20}, filled)
    results = (await done(worker_app, job)).results
    order = [(-found["score"], found["id"]) for found in results]
    assert order == sorted(order)
    assert len({found["id"] for found in results}) == len(results) == 20
    assert results[0]["snippet"] == "this is how bread is baked"
    few = await worker_app.jobs.start("default", SHORT | {"top_k": 3}, filled)
    assert (await done(worker_app, few)).results == results[:3]


async def test_one_shard_finds_what_the_live_simulation_finds(worker_app: GraphPalace, filled: dict[str, str]) -> None:
    settings = SHORT | {"max_chunks_per_shard": 0}
    job = await worker_app.jobs.start("default", settings, filled)
    ended = await done(worker_app, job)
    await worker_app.simulations.complete("same", SimulationStart(settings, filled))
    live = await worker_app.simulations.views.results("same")
    assert [shard["documents"] for shard in ended.shards] == [20]
    assert [found["id"] for found in ended.results] == [found["id"] for found in live]
    assert [found["visits"] for found in ended.results] == [found["visits"] for found in live]


async def test_keywords_and_trails_of_the_palace_count_in_shards_as_they_do_live(
    worker_app: GraphPalace, filled: dict[str, str]
) -> None:
    settings = SHORT | {"max_chunks_per_shard": 0, "kw_terms": ["stars"], "kw_lambda": 3.0, "warm_start": True}
    job = await worker_app.jobs.start("default", settings, filled)
    results = (await done(worker_app, job)).results
    assert {found["keywords"] for found in results[:5]} == {1}
    assert all("stars" in found["snippet"] for found in results[:5])
    await worker_app.simulations.complete("warm", SimulationStart(settings, filled))
    assert [found["id"] for found in results] == [
        found["id"] for found in await worker_app.simulations.views.results("warm")
    ]


async def test_a_shard_that_converges_counts_as_its_whole_share(
    worker_app: GraphPalace, filled: dict[str, str]
) -> None:
    easy = {
        "preset": "seed",
        "window": 2,
        "relevance_low": -1,
        "relevance_high": 5,
        "relevance_amplitude": 5,
        "relevance_drift": 5,
    }
    job = await worker_app.jobs.start("default", LONG | {"stop_on_convergence": True} | easy, filled)
    ended = await done(worker_app, job)
    assert [(shard["step"], shard["over"]) for shard in ended.shards] == [(4, "relevance")] * 3
    assert ended.progress == 1


async def test_without_a_question_the_middle_of_the_corpus_is_looked_for(
    worker_app: GraphPalace, filled: dict[str, str]
) -> None:
    job = await worker_app.jobs.start("default", SHORT | {"query": " "}, filled)
    assert len((await done(worker_app, job)).results) == 10


async def test_a_folder_is_walked_over_in_windows_of_lines(settings: Settings, palace: str, tmp_path: Path) -> None:
    (tmp_path / "oven.py").write_text("# how bread is baked\nheat = 220\n" * 10)
    (tmp_path / "ship.py").write_text("# how ships are drawn\nmast = 3\n" * 10)
    own = changed(settings, simulation={"job_workers": 1, "folders": (str(tmp_path),)})
    async with wiring.opened(own, embedder=WordEmbedder()) as app:
        given = SHORT | {"windows": [4], "max_chunks_per_shard": 5}
        job = await app.jobs.start("default", given, {"palace": palace, "root": str(tmp_path)})
        ended = await done(app, job)
        assert len(ended.shards) == 4  # 9 windows of 4 lines in each of the 20 lines
        assert ended.results[0]["path"] == "oven.py"
        with pytest.raises(InvalidInput, match="windows is empty"):
            await app.jobs.start("default", SHORT, {"palace": palace, "root": str(tmp_path)})


async def test_a_cancelled_job_keeps_what_it_found_and_makes_no_more_steps(
    worker_app: GraphPalace, filled: dict[str, str]
) -> None:
    job = await worker_app.jobs.start("default", LONG, filled)
    await seen(worker_app, job, lambda kept: kept.progress > 0)
    await worker_app.jobs.cancel(job)
    at_once = await worker_app.jobs.status(job)
    await asyncio.sleep(0.5)
    later = await worker_app.jobs.status(job)
    assert at_once == later
    assert later.status == "cancelled"
    assert later.results
    assert later.progress < 1
    assert await _states(worker_app, job) == 0
    await worker_app.jobs.cancel(job)  # once more is no error


async def test_a_job_that_is_done_or_unknown_cannot_be_cancelled(
    worker_app: GraphPalace, filled: dict[str, str]
) -> None:
    job = await worker_app.jobs.start("default", SHORT, filled)
    await done(worker_app, job)
    with pytest.raises(Conflict, match="is done"):
        await worker_app.jobs.cancel(job)
    with pytest.raises(NotFound, match="no job 'job-x'"):
        await worker_app.jobs.cancel("job-x")


async def test_a_job_goes_on_after_a_restart_and_finds_what_an_unbroken_one_finds(
    settings: Settings, worker_app: GraphPalace, filled: dict[str, str]
) -> None:
    unbroken = await worker_app.jobs.start("default", LONG, filled)
    expected = await done(worker_app, unbroken)
    own = changed(settings, simulation={"job_workers": 2})
    first = wiring.wire(own, embedder=WordEmbedder())
    job = await first.jobs.start("default", LONG, filled)
    await seen(first, job, lambda kept: kept.progress > 0.2)
    await first.close()
    left = await worker_app.jobs.status(job)
    assert (left.status, 0 < left.progress < 1) == ("running", True)
    second = wiring.wire(own, embedder=WordEmbedder())
    try:
        assert job in await second.jobs.resume_unfinished()
        resumed = await seen(second, job, lambda kept: kept.progress > left.progress)
        assert resumed.status == "running"
        ended = await done(second, job)
    finally:
        await second.close()
    assert ended.results == expected.results
    assert [shard["step"] for shard in ended.shards] == [400, 400, 400]


async def test_what_a_service_sent_before_it_gave_a_job_up_changes_nothing_afterwards(
    worker_app: GraphPalace, palace: str
) -> None:
    stored, own = StoredJobs(worker_app.database), f"job-{uuid.uuid4().hex[:12]}"
    job = StoredJob(own, palace, "default", "one", "bread", 1, settings={}, corpus={}, status="running")
    assert await stored.create(palace, job, most_kept=100)
    await stored.renew([own], owner="one", given_up=True)
    assert not await stored.keep_shard(own, 0, owner="one", state=b"late", progress=0.5, shards=[], results=[])
    await stored.renew([own], owner="one")
    assert own in await stored.unfinished(stale_s=30)
    taken = await stored.take(own, owner="two", stale_s=30)
    assert taken
    assert (taken.owner, taken.progress) == ("two", 0)


@pytest.mark.parametrize(("more", "shards"), [(1, 3), (6, 4)])  # 21 documents are still three shards, 26 are four
async def test_a_corpus_that_changed_meanwhile_is_read_anew(
    settings: Settings, worker_app: GraphPalace, filled: dict[str, str], more: int, shards: int
) -> None:
    own = changed(settings, simulation={"job_workers": 2})
    first = wiring.wire(own, embedder=WordEmbedder())
    job = await first.jobs.start("default", LONG | {"top_k": 50}, filled)
    left = await seen(first, job, lambda kept: kept.progress > 0)
    await first.close()
    for number in range(more):
        text = f"this is how bread is baked, again {number}"
        await worker_app.drawers.add(filled["palace"], NewDrawer(text=text, wing="craft", room="bread"))
    assert job in await worker_app.jobs.resume_unfinished()
    ended = await done(worker_app, job)
    assert len(left.shards) == 3
    assert len(ended.shards) == shards
    assert sum(shard["documents"] for shard in ended.shards) == 20 + more
    assert len({found["id"] for found in ended.results}) == len(ended.results) == 20 + more


async def test_of_two_services_one_takes_a_job_over_and_only_once_it_is_not_heard_of(
    worker_app: GraphPalace, filled: dict[str, str]
) -> None:
    job = await worker_app.jobs.start("default", LONG, filled)
    await worker_app.jobs.cancel(job)
    kept = await worker_app.jobs.status(job)
    waits = replace(kept, id=f"{job}w", status="queued")
    await StoredJobs(worker_app.database).create(waits.palace, waits, most_kept=100)

    async def takers() -> list[str]:
        taken = await asyncio.gather(
            *(StoredJobs(worker_app.database).take(waits.id, owner=f"service {one}", stale_s=30) for one in range(8))
        )
        return [one.owner for one in taken if one]

    assert await takers() == []
    await worker_app.database.write(None, "tests/age_job", id=waits.id, age_ms=29_000)
    assert await takers() == []
    await worker_app.database.write(None, "tests/age_job", id=waits.id, age_ms=31_000)
    assert len(await takers()) == 1
    await worker_app.jobs.cancel(waits.id)


async def test_a_service_that_lost_its_job_to_another_leaves_it_alone(
    worker_app: GraphPalace, filled: dict[str, str]
) -> None:
    job = await worker_app.jobs.start("default", LONG, filled)
    await seen(worker_app, job, lambda kept: kept.progress > 0)
    async with asyncio.timeout(30):
        taken = None
        while taken is None:  # its service may have said in this very moment that it lives
            taken = await StoredJobs(worker_app.database).take(job, owner="another", stale_s=0)
    await asyncio.sleep(1)
    left = await worker_app.jobs.status(job)
    assert (left.owner, left.status, left.progress) == ("another", "running", taken.progress)
    await worker_app.jobs.cancel(job)


async def test_a_shard_that_fails_ends_the_job_and_says_which_and_why(
    settings: Settings, worker_app: GraphPalace, filled: dict[str, str]
) -> None:
    first = wiring.wire(changed(settings, simulation={"job_workers": 1}), embedder=WordEmbedder())
    job = await first.jobs.start("default", LONG, filled)
    await seen(first, job, lambda kept: bool(kept.shards) and kept.shards[0]["step"] > 0)
    await first.close()
    assert (await worker_app.database.write(None, "tests/spoil_states", id=job, data=b"spoilt"))[0]["states"] > 0
    await worker_app.jobs.resume_unfinished()  # which the app may have done by itself meanwhile
    failed = await over(worker_app, job)
    assert failed.status == "failed"
    assert failed.error
    assert failed.error.startswith(("shard 1 of 3, after step ", "shard 2 of 3, after step "))
    assert "ValueError" in failed.error or "UnpicklingError" in failed.error
    assert await _states(worker_app, job) == 0


@pytest.mark.chaos
async def test_a_killed_worker_process_costs_a_slice_and_nothing_else(
    settings: Settings, worker_app: GraphPalace, filled: dict[str, str]
) -> None:
    expected = await done(worker_app, await worker_app.jobs.start("default", LONG, filled))
    before = {worker.pid for worker in _workers()}
    own = changed(settings, simulation={"job_workers": 2})
    async with wiring.opened(own, embedder=WordEmbedder()) as app:
        job = await app.jobs.start("default", LONG, filled)
        await seen(app, job, lambda kept: kept.progress > 0)
        victim = next(worker for worker in _workers() if worker.pid not in before)
        victim.kill()
        ended = await done(app, job)
        assert ended.results == expected.results
    assert {worker.pid for worker in _workers()} <= before  # all others went with the service


async def test_a_palace_that_is_dropped_takes_its_jobs_with_it_and_watchers_are_told(
    worker_app: GraphPalace,
) -> None:
    dropped = spare_name()
    await worker_app.create_palace(dropped)
    await furnish_twenty(worker_app, dropped)
    with worker_app.simulations.audience("default").seat() as seat:
        job = await worker_app.jobs.start("default", LONG, {"palace": dropped})
        await seen(worker_app, job, lambda kept: kept.progress > 0)
        await worker_app.drop_palace(dropped)
        told = [json.loads(message) for message in await seat.take()]
    last = [message["data"] for message in told if message["type"] == "job_progress"][-1]
    assert (last["job_id"], last["status"]) == (job, "failed")
    with pytest.raises(NotFound, match=job):
        await worker_app.jobs.status(job)
    assert await _states(worker_app, job) == 0


async def test_no_progress_is_told_after_the_end_of_a_job(
    worker_app: GraphPalace, monkeypatch: pytest.MonkeyPatch
) -> None:
    dropped = spare_name()
    await worker_app.create_palace(dropped)
    await furnish_twenty(worker_app, dropped)
    keep_shard = StoredJobs.keep_shard

    async def dropped_while_it_keeps(stored: StoredJobs, *given: Any, **named: Any) -> bool:
        kept = await keep_shard(stored, *given, **named)
        worker_app.jobs.forget(dropped)
        return kept

    monkeypatch.setattr(StoredJobs, "keep_shard", dropped_while_it_keeps)
    with worker_app.simulations.audience("default").seat() as seat:
        job = await worker_app.jobs.start("default", LONG, {"palace": dropped})
        async with asyncio.timeout(90):
            while worker_app.jobs.busy:  # noqa: ASYNC110  # its end has no event
                await asyncio.sleep(0.01)
        told = [json.loads(message) for message in await seat.take()]
    last = [message["data"] for message in told if message["type"] == "job_progress"][-1]
    assert (last["job_id"], last["status"]) == (job, "failed")
    await worker_app.drop_palace(dropped)


async def test_only_the_newest_hundred_jobs_of_a_palace_that_are_over_are_kept(
    worker_app: GraphPalace, filled: dict[str, str]
) -> None:
    job = await worker_app.jobs.start("default", SHORT, filled)
    kept = await done(worker_app, job)
    for number in range(101):
        await StoredJobs(worker_app.database).create(kept.palace, replace(kept, id=f"{job}-{number:03}"), most_kept=100)
    newest = [one.id for one in await worker_app.jobs.every(filled["palace"])]
    assert newest == [f"{job}-{number:03}" for number in reversed(range(1, 101))]


@pytest.mark.parametrize(
    ("given", "choice", "error", "message"),
    [
        ({"num_agents": 0}, {}, InvalidInput, "num_agents"),
        ({"deposit": True}, {}, InvalidInput, "deposit is true"),
        ({"max_chunks_per_shard": -1}, {}, InvalidInput, "max_chunks_per_shard"),
        ({}, {"wing": "nowhere"}, NotFound, "nowhere"),
        ({}, {"palace": "nopalace"}, NotFound, "nopalace"),
        ({}, {"root": "/"}, InvalidInput, "windows is empty"),
        ({"windows": [10]}, {"root": "/"}, InvalidInput, "folders allows"),
    ],
)
async def test_what_cannot_be_done_is_refused_and_nothing_is_kept(
    worker_app: GraphPalace,
    filled: dict[str, str],
    given: dict[str, object],
    choice: dict[str, str],
    error: type[Exception],
    message: str,
) -> None:
    with pytest.raises(error, match=message):
        await worker_app.jobs.start("default", SHORT | given, filled | choice)
    assert await worker_app.jobs.every(filled["palace"]) == []
