"""The service and Neo4j are killed at random moments while people work, and come back by themselves.

`make chaos ROUNDS=100` kills each of them a hundred times.
"""

from __future__ import annotations

import os
import random
import statistics
import time
from collections import defaultdict
from pathlib import Path

import httpx
import neo4j
import numpy as np
import pytest

from tests.acceptance.served import until
from tests.mixed_load import MixedLoad
from tests.own_home import BACK_S, OwnHome

_ROUNDS = int(os.environ.get("GRAPHPALACE_CHAOS_ROUNDS", "1"))


@pytest.mark.chaos
@pytest.mark.timeout(300 + 400 * _ROUNDS)
def test_nothing_acknowledged_is_lost_or_doubled_whoever_is_killed_and_all_come_back_by_themselves(
    tmp_path: Path,
) -> None:
    home, chance = OwnHome(tmp_path), random.Random(36)
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
                until(lambda least=least: load.done.count > least, seconds=BACK_S)
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
            load.compare(driver)
            _check_what_is_found(home, load, driver)
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


def _check_what_is_found(home: OwnHome, load: MixedLoad, driver: neo4j.Driver) -> None:
    """See that the service finds what the database has: its memory followed the killed writes too.

    The vectors of the load have nothing to do with its texts, so each lane is asked for itself.
    """
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
            (row,) = driver.execute_query("MATCH (d:Drawer {id: $id}) RETURN d.embedding AS vector", id=drawer).records
            vector = np.frombuffer(row["vector"], "<f4").tolist()
            for asked in ({"lanes": ["fulltext"]}, {"lanes": ["semantic"], "query_embedding": vector}):
                body = {"query": text, "wing": "notes", "top_k": 5} | asked
                answer = client.post("/v1/search", json=body).raise_for_status().json()
                assert drawer in [hit["id"] for hit in answer["hits"]], (text, asked["lanes"])
