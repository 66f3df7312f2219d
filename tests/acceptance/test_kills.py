"""The service and Neo4j are killed at random moments while people work, and come back by themselves.

`make chaos ROUNDS=100` kills each of them a hundred times.
"""

from __future__ import annotations

import json
import os
import random
import signal
import statistics
import time
from collections import defaultdict
from pathlib import Path

import httpx
import neo4j
import pytest

from graphpalace.client import service_file
from graphpalace.settings.load import cache_dir, load
from tests.acceptance.commands import apart, environ_of
from tests.acceptance.served import free_port, until
from tests.mixed_load import MixedLoad

_ROUNDS = int(os.environ.get("GRAPHPALACE_CHAOS_ROUNDS", "1"))
_BACK_S = 180  # the goal of 10 s is for a machine with nothing else to do; docs/RELIABILITY.md has what was measured
_NOTHING_FADES = {"GRAPHPALACE_DECAY__CYCLE_SECONDS": "1e9", "GRAPHPALACE_PHEROMONES__MAX_PHEROMONE": "1e9"}


class KilledHome:
    """A data folder with a service and a Neo4j that `graphpalace up` starts."""

    def __init__(self, folder: Path) -> None:
        with free_port() as listener:
            self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        section = {"data_dir": folder / "data", "cache_dir": cache_dir(load()), "bolt_port": 0, "http_port": 0}
        self.environ = environ_of(section | {"heap_mb": 512}) | _NOTHING_FADES
        self.environ |= {"GRAPHPALACE_SERVICE__PORT": self.url.rpartition(":")[2]}
        self.environ |= {"GRAPHPALACE_SERVICE__OPEN_ON_LOOPBACK": "true"}
        self.folder, self._cwd = folder / "data", folder

    def run(self, *words: str) -> str:
        ran = apart(self.environ, self._cwd, *words)
        assert ran.code == 0, ran.err
        return ran.out

    @property
    def neo4j_pid(self) -> int:
        return json.loads((self.folder / "neo4j" / "server.json").read_text())["pid"]

    def kill(self, what: str) -> None:
        """Kill the service, Neo4j, or both."""
        neo4j_pid = self.neo4j_pid
        if what != "Neo4j":
            os.kill(service_file.running(self.folder).pid, signal.SIGKILL)
        if what != "service":
            os.kill(neo4j_pid, signal.SIGKILL)

    def wait_until_ready(self) -> None:
        until = time.monotonic() + _BACK_S
        while time.monotonic() < until:
            try:
                if httpx.get(f"{self.url}/health/ready", timeout=10).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.05)
        raise AssertionError((self.folder / "service.log").read_text()[-3000:])

    def driver(self) -> neo4j.Driver:
        port = json.loads((self.folder / "neo4j" / "server.json").read_text())["bolt_port"]
        password = (self.folder / "neo4j" / "password").read_text().strip()
        return neo4j.GraphDatabase.driver(f"bolt://127.0.0.1:{port}", auth=("neo4j", password))


@pytest.mark.chaos
@pytest.mark.timeout(300 + 400 * _ROUNDS)
def test_nothing_acknowledged_is_lost_or_doubled_whoever_is_killed_and_all_come_back_by_themselves(
    tmp_path: Path,
) -> None:
    home, chance = KilledHome(tmp_path), random.Random(36)
    killed = ["service", "Neo4j"] * _ROUNDS + ["both"] * max(1, _ROUNDS // 10)
    chance.shuffle(killed)
    took: dict[str, list[float]] = defaultdict(list)
    try:
        home.run("up")
        load = MixedLoad(home.url)
        load.start()
        try:
            for what in killed:
                least = load.done.count + 10  # people work before each kill, and during it
                until(lambda least=least: load.done.count > least, seconds=_BACK_S)
                time.sleep(chance.uniform(0, 2))
                home.kill(what)
                began = time.monotonic()
                time.sleep(0.3)  # a Neo4j that has just died is not noticed at once
                home.wait_until_ready()
                took[what].append(time.monotonic() - began)
                print(f"{what}: ready again after {took[what][-1]:.1f} s", flush=True)
        finally:
            load.stop()
        with home.driver() as driver:
            load.done.compare(driver)
        _check_what_is_found(home, load)
    finally:
        home.run("down")
    for what, seconds in sorted(took.items()):
        print(f"{what}: {len(seconds)} kills, {statistics.median(seconds):.1f} s, at most {max(seconds):.1f} s")
    done = load.done
    print(
        f"{len(done.texts)} texts, {len(done.forgotten)} forgotten, {len(done.entries)} entries, "
        f"{len(done.feedback)} feedbacks; answers {dict(load.answers)}; the longest took {load.longest_s:.1f} s"
    )
    assert all((done.texts, done.forgotten, done.entries, done.success, done.exploration, done.feedback))


def _check_what_is_found(home: KilledHome, load: MixedLoad) -> None:
    """See that the service finds what the database has: its memory followed the killed writes too."""
    with httpx.Client(base_url=home.url, timeout=60) as client:
        listed: set[str] = set()
        after: str | None = None
        while True:
            params = {"wing": "notes", "limit": 200} | ({"after": after} if after else {})
            page = client.get("/v1/drawers", params=params).raise_for_status().json()
            listed |= {drawer["id"] for drawer in page["drawers"]}
            after = page["next"]
            if after is None:
                break
        assert listed == load.done.texts.keys()
        for drawer, text in list(load.done.texts.items())[-10:]:
            answer = client.post("/v1/search", json={"query": text, "top_k": 5}).raise_for_status().json()
            assert drawer in [hit["id"] for hit in answer["hits"]], text
