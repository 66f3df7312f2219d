"""`python -m benchmarks [NAME] [--json]`: run one benchmark, or all; `--report`: write the page about them."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import tempfile
from pathlib import Path
from types import FrameType
from typing import Any

import structlog
import uvloop  # the event loop of the service

from benchmarks import (
    blend,
    clients,
    commands,
    confidence,
    decay,
    deposit,
    embed,
    explore,
    feedback,
    hooks,
    ingest,
    memory,
    million,
    names,
    paths,
    ready,
    rerank,
    resident_memory,
    search,
    snapshot,
    swarm,
    swarm_large,
    walk,
)
from benchmarks.age import ages
from benchmarks.measures import rows_of
from benchmarks.peers import against_mempalace, side_by_side
from benchmarks.report import PAGE, RESULTS, read, written
from benchmarks.workbench import Workbench, say

BENCHMARKS = {
    "ingest": ingest.measure,
    "embed": embed.measure,
    "search": search.measure,
    "ready": ready.measure,
    "resident_memory": resident_memory.measure,
    "names": names.measure,
    "cli_warm": commands.measure_warm,
    "cli_cold": commands.measure_cold,
    "hooks": hooks.measure,
    "deposit": deposit.measure,
    "snapshot": snapshot.measure,
    "paths": paths.measure,
    "walk": walk.measure,
    "explore": explore.measure,
    "decay": decay.measure,
    "blend": blend.measure,
    "peers": against_mempalace.measure,
    "side_by_side": side_by_side.measure,
    "memory": memory.measure,
    "confidence": confidence.measure,
    "rerank": rerank.measure,
    "feedback": feedback.measure,
    "clients": clients.measure,
    "swarm": swarm.measure,
    "swarm_large": swarm_large.measure,
}
LONG = {  # takes an hour, so it is run by name only
    "million": million.measure,
}
SIZED = ("search", "blend", "peers", "million")
ON_COLLECTIONS = ("peers", "side_by_side", "memory", "confidence")
# Collections; of confidence, each is judged by a model fitted to the others.
_FEWEST = {"side_by_side": 1, "memory": 1, "confidence": 2}


def main() -> None:
    """Parse, run, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure GraphPalace on this machine.")
    parser.add_argument(
        "name", nargs="?", choices=BENCHMARKS | LONG, help=f"one benchmark; default: all but {', '.join(LONG)}"
    )
    parser.add_argument("--json", action="store_true", help="print nothing but one JSON object a benchmark")
    parser.add_argument("--drawers", type=int, help=f"another size, at least 1000, for a try; of {', '.join(SIZED)}")
    parser.add_argument(
        "--collections",
        type=Path,
        nargs="+",
        default=[],
        metavar="DIR",
        help="of peers, side_by_side and memory (which need one) and confidence (which needs two)",
    )
    parser.add_argument("--save", action="store_true", help=f"write each object to {RESULTS.name}/NAME.json too")
    parser.add_argument(
        "--report", type=Path, nargs="*", metavar="FILE", help=f"run nothing, write docs/{PAGE.name} from these results"
    )
    arguments = parser.parse_args()
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))  # the results are read from stdout
    if arguments.report is not None:
        results = read(arguments.report or sorted(RESULTS.glob("*.json")))
        PAGE.write_text(written(results, ages(results)), "utf-8")
        return
    if arguments.drawers is not None and (arguments.name not in SIZED or arguments.drawers < 1000):
        parser.error(f"--drawers is at least 1000, and for one of {', '.join(SIZED)}")
    if arguments.collections and arguments.name not in (None, *ON_COLLECTIONS):
        parser.error(f"--collections is for {', '.join(ON_COLLECTIONS)}")
    given = len(arguments.collections)
    if given < (fewest := _FEWEST.get(arguments.name or "", 0)):
        parser.error(f"{arguments.name} needs {fewest} or more --collections")
    signal.signal(signal.SIGTERM, _end)  # so that the server is stopped and its folder removed
    with tempfile.TemporaryDirectory(prefix="graphpalace-bench-", ignore_cleanup_errors=True) as folder:
        names = [arguments.name] if arguments.name else [name for name in BENCHMARKS if given >= _FEWEST.get(name, 0)]
        bench = Workbench(Path(folder), drawers=arguments.drawers, collections=arguments.collections)
        uvloop.run(_run(names, bench, as_json=arguments.json, save=arguments.save))


async def _run(names: list[str], bench: Workbench, *, as_json: bool, save: bool) -> None:
    try:
        for name in names:
            say(f"benchmark {name}")
            found = (await (BENCHMARKS | LONG)[name](bench)).as_json()
            found["rows"] = rows_of(found)
            if save:
                (RESULTS / f"{name}.json").write_text(json.dumps(found, indent=1) + "\n", "utf-8")
            if not as_json:
                _summarise(found)
            print(json.dumps(found), flush=True)
    finally:
        bench.close()


def _summarise(found: dict[str, Any]) -> None:
    verdict = "met" if found["met"] else "MISSED"
    print(f"\n{found['name']}: ratio {found['ratio']}, target {found['target']}: {verdict}")
    for key, value in found["figures"].items():
        parts = ", ".join(f"{name} {item}" for name, item in value.items()) if isinstance(value, dict) else value
        print(f"  {key:28} {parts}")


def _end(_signal: int, _frame: FrameType | None) -> None:
    sys.exit(143)


if __name__ == "__main__":
    main()
