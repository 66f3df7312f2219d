"""Mixed load on a service for some minutes, while its memory, handles, threads and connections are watched.

`make soak` runs this for ten minutes; `make soak MINUTES=3` for three. Texts are forgotten and feedback is taken back,
so that the palace does not grow. It fails if one of them grows from the second third of the time to the last one by
more than a share.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

import httpx
import psutil

from graphpalace.client import service_file
from tests.mixed_load import MixedLoad
from tests.own_home import OwnHome

_LOOK_S = 30.0
# By how much the median of the last third may be above that of the second one. Neo4j fills its heap until it collects.
_MAY_GROW = {
    "service MiB": 0.05,
    "service handles": 0.1,
    "service threads": 0.1,
    "connections": 0.25,
    "Neo4j MiB": 0.15,
}
_MAY_GROW |= {"Neo4j handles": 0.1, "Neo4j threads": 0.1}
_FEW = 3  # handles, threads or connections more are no growth


def main() -> int:
    """Put a new home under load, print a line each half minute, and return 1 if something grew."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10.0, help="how long; at least 3")
    minutes = parser.parse_args().minutes
    if minutes < 3:
        parser.error(f"--minutes is {minutes:g}; it must be at least 3, so that each third has two looks")
    with tempfile.TemporaryDirectory(prefix="graphpalace-soak-") as folder:
        home = OwnHome(Path(folder))
        try:
            home.run("up")
            return _soak(home, minutes)
        except AssertionError:
            shutil.copy(home.folder / "service.log", "soak-service.log")
            print("the log of the service is in soak-service.log")
            raise
        finally:
            home.run("down")


def _soak(home: OwnHome, minutes: float) -> int:
    load = MixedLoad(home.url, kept=False)  # the memory of a service grows with its palace, which stays as it is here
    load.start()
    looks: list[dict[str, float]] = []
    until = time.monotonic() + 60 * minutes
    try:
        while time.monotonic() < until:
            time.sleep(min(_LOOK_S, max(0.0, until - time.monotonic())))
            looks.append(_look(home))
            shown = ", ".join(f"{name} {value:.0f}" for name, value in looks[-1].items())
            print(f"{len(looks) * _LOOK_S / 60:.1f} min: {shown}; answers {dict(load.answers)}", flush=True)
    finally:
        load.stop()
    with home.driver() as driver:
        load.compare(driver)
    third = len(looks) // 3
    grown = 0
    for name, share in _MAY_GROW.items():
        middle, last = (statistics.median(one[name] for one in part) for part in (looks[third:-third], looks[-third:]))
        much = last > middle * (1 + share) and last - middle > _FEW
        grown += much
        print(f"{name}: {middle:.0f} in the second third, {last:.0f} in the last{': it grows' if much else ''}")
    return 1 if grown else 0


def _look(home: OwnHome) -> dict[str, float]:
    service = psutil.Process(service_file.running(home.folder).pid)
    neo4j = psutil.Process(home.neo4j_pid)
    lines = httpx.get(f"{home.url}/metrics", timeout=60).raise_for_status().text.splitlines()
    connections = [line for line in lines if line.startswith("graphpalace_neo4j_connections")]
    found = {"connections": sum(float(line.rpartition(" ")[2]) for line in connections)}
    for name, process in (("service", service), ("Neo4j", neo4j)):
        found |= {
            f"{name} MiB": process.memory_info().rss / 2**20,
            f"{name} handles": float(process.num_fds()),
            f"{name} threads": float(process.num_threads()),
        }
    return found


if __name__ == "__main__":
    sys.exit(main())
