"""How long the service takes until it answers questions on 100,000 drawers, and Neo4j until it answers queries."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from statistics import median

from benchmarks.large_palace import DRAWERS
from benchmarks.result import Result
from benchmarks.workbench import Workbench, say

TARGET_S = 10.0  # of the service, and of a warm start of Neo4j
_RUNS = 3

# The steps of the service's start, one after the other in a process of their own.
_STEPS = """
import asyncio, json, time
marks = [time.perf_counter()]
def mark(): marks.append(time.perf_counter())
import torch
mark()
import graphpalace.serve.cli.main, graphpalace.serve.cli.server.service
import graphpalace.replica.drawer_indexes, graphpalace.operations.drawers.drawers, graphpalace.operations.search.recall
mark()
from graphpalace.app import wire
from graphpalace.settings.load import load
async def run():
    app = wire(load())
    await app.database.verify()
    await app.prepare()
    mark()
    await app.replica.indexes.warm(app.settings.palace.name)
    mark()
    await app.database.close()
asyncio.run(run())
names = ("import_torch", "import_the_rest", "connect_and_migrate", "load_vectors")
print(json.dumps(dict(zip(names, (b - a for a, b in zip(marks, marks[1:]))))))
"""


async def measure(bench: Workbench) -> Result:
    """Start the service three times, and its steps by themselves three times, in turns."""
    palace = await bench.large()
    listening, words, ready, steps = [], [], [], []
    for turn in range(_RUNS):
        say(f"start {turn + 1} of {_RUNS}")
        with bench.service(palace.name) as service:
            words.append(service.ready_s(lenient=True))
            ready.append(service.ready_s())
            listening.append(service.listening_s)
        steps.append(_steps(bench, palace.name))
    warm = [_warm_start_s(bench) for _ in range(_RUNS)]
    middle, warm_s = median(ready), median(warm)
    figures = {
        "ratio_is": "median seconds from process start to ready, divided by the target of 10 s; at most",
        "drawers": DRAWERS,
        "seconds": middle,
        "each_run_seconds": ready,
        "words_seconds": words,
        "listening_seconds": median(listening),
        "steps_seconds": {name: median(step[name] for step in steps) for name in steps[0]},
        "warm_start": {"seconds": warm_s, "each_run_seconds": warm, "target": TARGET_S, "met": warm_s <= TARGET_S},
        "warm_start_is": "seconds that `up` of a Neo4j that ran before takes until it answers queries; at most",
    }
    met = middle <= TARGET_S and warm_s <= TARGET_S
    return bench.result("ready", ratio=middle / TARGET_S, target=1.0, met=met, figures=figures)


def _warm_start_s(bench: Workbench) -> float:
    bench.server.down()
    started = time.perf_counter()
    bench.server.up()
    return time.perf_counter() - started


def _steps(bench: Workbench, palace: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-c", _STEPS],
        env=bench.environment(GRAPHPALACE_PALACE__NAME=palace),
        cwd=bench.home,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])
