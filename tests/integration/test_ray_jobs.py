"""Background jobs on a Ray cluster of two nodes on this machine."""

from __future__ import annotations

import asyncio
import faulthandler
import multiprocessing
import os
import signal
import sys
from contextlib import suppress

import pytest
from tests.acceptance.served import changed
from tests.jobs import SHORT, done, furnish_twenty, over, seen
from tests.named_queries import queries_of_tests
from tests.words import WordEmbedder

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.errors import SettingsInvalid
from graphpalace.settings.load import Settings

_NODE = {"num_cpus": 1, "object_store_memory": 100 * 2**20, "include_dashboard": False}
_MOST_S = 200  # for everything that is done with the cluster; it takes about 30 s


async def test_a_cluster_that_is_not_there_fails_the_job_with_its_address(
    settings: Settings, app: GraphPalace, palace: str
) -> None:
    await furnish_twenty(app, palace)
    async with wiring.opened(
        changed(settings, simulation={"ray_address": "127.0.0.1:1"}), embedder=WordEmbedder()
    ) as lost:
        failed = await over(lost, await lost.jobs.start("default", SHORT, {"palace": palace}))
    assert failed.status == "failed"
    assert failed.error
    assert "simulation.ray_address is '127.0.0.1:1', but: " in failed.error


def test_an_address_without_ray_installed_names_the_extra(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(SettingsInvalid, match=r"graphpalace\[ray\]"):
        wiring.wire(changed(settings, simulation={"ray_address": "auto"}), embedder=WordEmbedder())


def test_a_cluster_finds_what_processes_find_over_two_nodes_and_tells_what_a_task_raises(
    settings: Settings, palace: str
) -> None:
    """Ray takes signals and blocks in code that is not Python's, so it has a process and a group of its own."""
    play = multiprocessing.get_context("spawn").Process(target=_with_a_cluster, args=(settings, palace))
    play.start()
    assert play.pid
    try:
        play.join(_MOST_S + 30)
        assert play.exitcode == 0
    finally:
        with suppress(ProcessLookupError):
            os.killpg(play.pid, signal.SIGKILL)


def _with_a_cluster(settings: Settings, palace: str) -> None:
    os.setpgid(0, 0)
    faulthandler.dump_traceback_later(_MOST_S, exit=True)
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster

    nodes = Cluster(initialize_head=True, head_node_args=_NODE)
    nodes.add_node(num_cpus=1, object_store_memory=100 * 2**20)
    nodes.wait_for_nodes()
    try:
        with queries_of_tests():
            asyncio.run(_plays(settings, changed(settings, simulation={"ray_address": nodes.address}), palace))
    finally:
        nodes.shutdown()


async def _plays(settings: Settings, with_ray: Settings, palace: str) -> None:
    async with (
        wiring.opened(settings, embedder=WordEmbedder()) as app,
        wiring.opened(with_ray, embedder=WordEmbedder()) as ray_app,
    ):
        await furnish_twenty(app, palace)
        await _finds_the_same(app, ray_app, palace)
        await _tells_what_a_task_raises(app, ray_app, palace)


async def _finds_the_same(app: GraphPalace, ray_app: GraphPalace, palace: str) -> None:
    import ray

    choice = {"palace": palace}
    expected = await done(app, await app.jobs.start("default", SHORT, choice))
    job = await ray_app.jobs.start("default", SHORT | {"max_iterations": 400}, choice)
    half = await seen(ray_app, job, lambda kept: 0 < kept.progress < 1)
    assert half.results
    assert sum(node["Alive"] for node in ray.nodes()) == 2
    await done(ray_app, job)
    same = await done(ray_app, await ray_app.jobs.start("default", SHORT, choice))
    assert same.results == expected.results
    assert [shard["documents"] for shard in same.shards] == [6, 7, 7]


async def _tells_what_a_task_raises(app: GraphPalace, ray_app: GraphPalace, palace: str) -> None:
    job = await ray_app.jobs.start("default", SHORT | {"max_iterations": 4000}, {"palace": palace})
    await seen(ray_app, job, lambda kept: kept.progress > 0)
    await ray_app.jobs.close()
    await app.database.write(None, "tests/spoil_states", id=job, data=b"spoilt")
    assert job in await ray_app.jobs.resume_unfinished()
    failed = await over(ray_app, job)
    assert failed.status == "failed"
    assert failed.error
    assert " of 3, after step " in failed.error
    assert "ValueError" in failed.error or "UnpicklingError" in failed.error
