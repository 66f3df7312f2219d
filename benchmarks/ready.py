"""How long the service takes from the start of its process until it answers questions on 100,000 drawers."""

from __future__ import annotations

import json
import subprocess
import sys
from statistics import median

from benchmarks.large_palace import DRAWERS
from benchmarks.result import Result
from benchmarks.workbench import Workbench, say

TARGET_S = 10.0
_RUNS = 3

# The steps of the service's start, one after the other in a process of their own.
_STEPS = """
import asyncio, json, time
marks = [time.perf_counter()]
def mark(): marks.append(time.perf_counter())
import torch
mark()
import graphpalace.serve.cli.main, graphpalace.serve.cli.service
import graphpalace.operations.drawer_indexes, graphpalace.operations.drawers, graphpalace.operations.recall
mark()
from graphpalace.bootstrap import wire
from graphpalace.settings import load
async def run():
    app = wire(load())
    await app.database.verify()
    await app.prepare()
    mark()
    await app.indexes.warm(app.settings.palace.name)
    mark()
    await app.database.close()
asyncio.run(run())
names = ("import_torch", "import_the_rest", "connect_and_migrate", "load_vectors")
print(json.dumps(dict(zip(names, (b - a for a, b in zip(marks, marks[1:]))))))
"""


async def measure(bench: Workbench) -> Result:
    """Start the service three times, and its steps by themselves three times, in turns."""
    palace = await bench.large()
    listening, ready, steps = [], [], []
    for turn in range(_RUNS):
        say(f"start {turn + 1} of {_RUNS}")
        with bench.service(palace.name) as service:
            ready.append(service.ready_s())
            listening.append(service.listening_s)
        steps.append(_steps(bench, palace.name))
    middle = median(ready)
    figures = {
        "ratio_is": "median seconds from process start to ready, divided by the target of 10 s; at most",
        "drawers": DRAWERS,
        "seconds": middle,
        "each_run_seconds": ready,
        "listening_seconds": median(listening),
        "steps_seconds": {name: median(step[name] for step in steps) for name in steps[0]},
    }
    return bench.result("ready", ratio=middle / TARGET_S, target=1.0, met=middle <= TARGET_S, figures=figures)


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
