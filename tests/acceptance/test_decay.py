"""The decay at its doors: command line, HTTP, and the service as a process."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.error_codes import EXIT
from graphpalace.settings.load import Settings
from tests.acceptance.commands import GRAPHPALACE, Ran, environ_of, printed
from tests.acceptance.served import changed, eventually, failure, served, until
from tests.own_server import server_section
from tests.spare_palaces import spare_name


@contextmanager
def decay_service(environ: dict[str, str], folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """Run `graphpalace decay-service`; give the process and the file of its log."""
    log = folder / f"decay-{uuid.uuid4().hex[:6]}.log"
    with log.open("w") as stderr:
        process = subprocess.Popen([GRAPHPALACE, "decay-service"], stderr=stderr, env=environ, cwd=folder)
    try:
        yield process, log
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(30)


def events(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()]


@pytest.fixture
def environ(neo4j_settings: dict[str, object], warmed: str) -> dict[str, str]:
    """The tests' server and the warm palace, for commands in this process."""
    return environ_of(neo4j_settings, warmed)


@pytest.fixture
async def warmed(app: GraphPalace, palace: str) -> AsyncIterator[str]:
    """A palace with 30 warm rooms whose decay is due since cycle 10, at cycle 12."""
    await warm(app, palace, 30)
    await app.database.write(palace, "tests/advance_clock", cycles=12)
    yield palace


async def warm(app: GraphPalace, palace: str, count: int) -> None:
    row = {"cycle": 0, "base_cost": 1.0, "success": 2.0, "traversal": 1.0, "recency": 1.0}
    row |= {"exploitation": 1.0, "exploration": 1.0}
    await app.database.write(palace, "tests/make_warm", rows=[row | {"id": f"{n:05}"} for n in range(count)])


def test_the_command_shows_the_decay_and_runs_it(here: Callable[..., Ran], warmed: str) -> None:
    decay = partial(here, "decay")
    before = printed(decay("--status", "--json"))
    assert (before["cycle"], before["last_run"], before["next_cycle"]) == (12, None, 10)
    assert (before["warm_nodes"], before["warm_edges"], before["running_by"]) == (30, 30, None)
    shown = decay("--status").out
    assert f"palace    {warmed}" in shown
    assert "last run  none yet" in shown
    assert "warm      30 nodes, 30 edges" in shown

    run = printed(decay("--now", "--json"))
    assert (run["cycle"], run["nodes"], run["edges"]) == (12, 30, 30)
    assert run["seconds"] > 0
    again = decay("--now", "--palace", warmed)
    assert again.code == 0, again.err
    assert "changed   0 nodes, 0 edges" in again.out
    after = printed(decay("--status", "--json"))
    assert (after["last_run"]["cycle"], after["next_cycle"]) == (12, 22)


async def test_the_command_says_what_stands_in_its_way(app: GraphPalace, here: Callable[..., Ran], warmed: str) -> None:
    await app.database.write(warmed, "tests/set_lease", by="host7:42/c0ffee", lease_ms=600_000)
    away = {"GRAPHPALACE_NEO4J__URI": "bolt://127.0.0.1:9", "GRAPHPALACE_NEO4J__PASSWORD": "none"}
    for words, more, code, said in (
        (("--now",), {}, "DECAY_RUNNING", "host7:42/c0ffee, which holds the lease until 20"),
        (("--now", "--palace", "nosuch"), {}, "NOT_FOUND", "there is no palace 'nosuch'"),
        (("--status", "--palace", "nosuch"), {}, "NOT_FOUND", "there is no palace 'nosuch'"),
        (("--status", "--palace", "No"), {}, "VALIDATION_ERROR", "palace is 'No'"),
        ((), {}, "VALIDATION_ERROR", "one of --now and --status"),
        (("--now", "--status"), {}, "VALIDATION_ERROR", "one of --now and --status"),
        (("--now",), away, "DATABASE_UNAVAILABLE", "bolt://127.0.0.1:9 cannot be reached"),
    ):
        ran = await asyncio.to_thread(here, "decay", *words, **more)
        assert (ran.code, ran.out) == (EXIT[code], ""), ran
        assert f"error {code} " in ran.err
        assert said in " ".join(ran.err.split()), ran.err
    status = (await asyncio.to_thread(here, "decay", "--status")).out
    assert "running   host7:42/c0ffee, until 20" in status


def test_the_commands_load_no_model(tmp_path: Path) -> None:
    code = (
        "import sys; sys.argv = ['graphpalace', 'decay', '--status']\n"
        "from graphpalace.serve.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "import graphpalace.serve.scheduler\n"
        "print('torch' in sys.modules)"
    )
    environ = environ_of({"uri": "bolt://127.0.0.1:9", "password": "none"})
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environ, cwd=tmp_path, check=True
    )
    assert done.stdout == "False\n"


@pytest.fixture(scope="module")
def served_url(settings: Settings) -> Iterator[httpx.URL]:
    own = changed(settings, palace={"name": spare_name()})
    with served(own) as client:
        yield client.base_url
        client.delete(f"/v1/palaces/{own.palace.name}?confirm={own.palace.name}").raise_for_status()


@pytest.fixture
async def http(served_url: httpx.URL) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=served_url, timeout=60) as client:
        yield client


async def test_the_routes_show_the_decay_and_run_it(http: httpx.AsyncClient, app: GraphPalace, warmed: str) -> None:
    before = (await http.get("/v1/decay", params={"palace": warmed})).json()
    assert (before["palace"], before["cycle"], before["cycle_seconds"]) == (warmed, 12, 3600.0)
    assert (before["last_run"], before["next_cycle"], before["warm_edges"]) == (None, 10, 30)
    run = await http.post("/v1/decay", json={"palace": warmed})
    assert run.status_code == 200, run.text
    assert (run.json()["cycle"], run.json()["nodes"], run.json()["edges"]) == (12, 30, 30)
    after = (await http.get("/v1/decay", params={"palace": warmed})).json()
    assert (after["last_run"], after["next_cycle"]) == (run.json(), 22)
    own = await http.post("/v1/decay")  # without a body: the configured palace
    assert (own.status_code, own.json()["nodes"]) == (200, 0)


async def test_the_routes_say_what_stands_in_their_way(http: httpx.AsyncClient, app: GraphPalace, warmed: str) -> None:
    await app.database.write(warmed, "tests/set_lease", by="host7:42/c0ffee", lease_ms=600_000)
    refused = failure(await http.post("/v1/decay", json={"palace": warmed}), 409, "DECAY_RUNNING")
    assert refused["detail"]["by"] == "host7:42/c0ffee"
    assert refused["detail"]["until"] in refused["message"]
    assert (await http.get("/v1/decay", params={"palace": warmed})).json()["running_by"] == "host7:42/c0ffee"
    failure(await http.post("/v1/decay", json={"palace": "nosuch"}), 404, "NOT_FOUND")
    failure(await http.get("/v1/decay", params={"palace": "nosuch"}), 404, "NOT_FOUND")
    failure(await http.post("/v1/decay", json={"palace": "No"}), 422, "VALIDATION_ERROR")
    failure(await http.post("/v1/decay", json={"palce": warmed}), 422, "VALIDATION_ERROR")


@pytest.mark.chaos
async def test_the_service_ends_between_two_batches_and_another_goes_on(
    app: GraphPalace, neo4j_settings: dict[str, object], palace: str, tmp_path: Path
) -> None:
    await warm(app, palace, 4000)
    await app.database.write(palace, "tests/advance_clock", cycles=12)
    slow = environ_of(neo4j_settings) | {"GRAPHPALACE_DECAY__BATCH_ROWS": "1"}

    async def cycles() -> set[int]:
        return {row["edge_cycle"] for row in await app.database.read(palace, "tests/read_warm")}

    async def some() -> bool:
        return 12 in await cycles()

    with decay_service(slow, tmp_path) as (process, log):
        await eventually(some, seconds=60)
        process.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(process.wait, 20) == 0
        assert "Traceback" not in log.read_text()
        told = [event["event"] for event in events(log) if event["event"] != "slow_query"]
        assert told == ["decay_service_started", "decay_service_stopped"]
    assert await cycles() == {0, 12}
    assert (await app.pheromones.decay.status(palace)).running_by is None

    both = environ_of(neo4j_settings)
    with decay_service(both, tmp_path) as (one, log_of_one), decay_service(both, tmp_path) as (other, log_of_other):

        async def told() -> list[dict[str, Any]]:  # the last step of a run: it may still be cut off once recorded
            return [event for log in (log_of_one, log_of_other) for event in events(log) if event["event"] == "decay"]

        async def both_began() -> bool:  # before that a signal may find nobody who heeds it
            logs = (log_of_one, log_of_other)
            return all(any(event["event"] == "decay_service_started" for event in events(log)) for log in logs)

        await eventually(told, seconds=60)
        await eventually(both_began, seconds=60)
        for process in (one, other):
            process.send_signal(signal.SIGINT)
            assert await asyncio.to_thread(process.wait, 20) == 0
        (run,) = await told()
    assert (run["palace"], run["cycle"], run["nodes"]) == (palace, 12, 4000)
    assert 0 < run["edges"] < 4000
    assert await cycles() == {12}
    last = (await app.pheromones.decay.status(palace)).last_run
    assert last is not None
    assert last.cycle == 12


@pytest.mark.chaos
@pytest.mark.timeout(400)
async def test_the_services_outlive_their_database_also_one_of_version_5(tmp_path: Path, settings: Settings) -> None:
    if settings.neo4j.uri:
        pytest.skip("the tests use a Neo4j that is not managed, so they cannot stop and start it")
    section = server_section(tmp_path / "data", version="5.26.30")
    own = changed(settings, neo4j=section)
    server = wiring.managed_server(own)
    # Slow enough that nothing fades away while Neo4j starts, three times, on a busy machine.
    quick = {"GRAPHPALACE_DECAY__CYCLE_SECONDS": "2", "GRAPHPALACE_PHEROMONES__DECAY_INTERVAL_CYCLES": "1"}
    environ = environ_of(section) | quick

    def seen(log: Path, event: str, count: int) -> bool:
        return sum(one["event"] == event for one in events(log)) >= count

    try:
        with decay_service(environ, tmp_path) as (process, log):
            await asyncio.to_thread(until, lambda: seen(log, "decay_failed", 1), seconds=30)
            assert "never been started" in log.read_text()
            await asyncio.to_thread(server.up, timeout_s=180)
            await wiring.migrate_database(own)
            database = wiring.open_database(own)
            row = {"id": "a", "cycle": 0, "base_cost": 1.0, "success": 5.0, "traversal": 1.0, "recency": 1.0}
            row |= {"exploitation": 1.0, "exploration": 1.0}
            await database.write("main", "tests/make_warm", rows=[row])
            await asyncio.to_thread(until, lambda: seen(log, "decay", 2), seconds=60)

            await asyncio.to_thread(server.down)
            failed = sum(one["event"] == "decay_failed" for one in events(log))
            await asyncio.to_thread(until, lambda: seen(log, "decay_failed", failed), seconds=60)
            ran_before = sum(one["event"] == "decay" for one in events(log))
            await asyncio.to_thread(server.up, timeout_s=180)
            await asyncio.to_thread(until, lambda: seen(log, "decay", ran_before + 2), seconds=60)

            process.terminate()
            assert await asyncio.to_thread(process.wait, 30) == 0
            assert "Traceback" not in log.read_text()
        await database.close()
        database = wiring.open_database(own)  # it may listen on another port now
        (found,) = await database.read("main", "tests/read_warm")
        assert found["success"] == pytest.approx(5.0 * 0.99 ** found["edge_cycle"], rel=1e-9)
        assert found["exploitation"] == pytest.approx(0.98 ** found["node_cycle"], rel=1e-9)
        runs = [one for one in events(log) if one["event"] == "decay"]
        assert [one["cycle"] for one in runs] == sorted({one["cycle"] for one in runs})
        assert {one["edges"] for one in runs} == {1} or runs[0]["edges"] == 0
        await database.close()

        with _serving(environ | {"GRAPHPALACE_SERVICE__PORT": "0"}, tmp_path) as log_of_serve:
            await asyncio.to_thread(until, lambda: seen(log_of_serve, "decay", 2), seconds=120)
    finally:
        await asyncio.to_thread(server.down)


@contextmanager
def _serving(environ: dict[str, str], folder: Path) -> Iterator[Path]:
    """Run `graphpalace serve`, which has a decay service inside; give the file of its log."""
    log = folder / "serve.log"
    with log.open("w") as stderr:
        process = subprocess.Popen(
            [GRAPHPALACE, "serve"], stderr=stderr, stdout=subprocess.DEVNULL, env=environ, cwd=folder
        )
    try:
        yield log
        process.terminate()
        assert process.wait(60) == 0
        assert "Traceback" not in log.read_text()
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(30)
