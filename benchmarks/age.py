"""How old the figures of docs/BENCHMARKS.md are: in commits since then that touched what they measure.

`python -m benchmarks.age` warns of those above fifty.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping

from benchmarks.measures import Found
from benchmarks.report import RESULTS, ROOT, read

_OLD = 50
_SEARCH = ("operations/search", "fuse", "learn", "vectors", "replica", "store/connection", "serve/http/search.py")
_START = ("app", "serve/cli", "serve/http", "replica", "managed_neo4j", "settings", "embedding")
_SWARM = ("simulate", "operations/simulation", "arrays.py")
_GRAPH = ("replica", "store/walking.py", "domain/walking")
# Below src/graphpalace.
MEASURED: Mapping[str, tuple[str, ...]] = {
    "blend": ("fuse",),
    "cli_cold": ("serve/cli", "app", "client", "settings", "embedding", "managed_neo4j", "operations/search"),
    "cli_warm": ("serve/cli", "client", "settings"),
    "clients": (*_SWARM, "serve/http/simulation"),
    "confidence": (*_SEARCH, "evaluation"),
    "decay": ("operations/pheromones", "pheromones", "store/pheromones"),
    "deposit": ("operations/pheromones", "pheromones", "store/pheromones", "store/connection"),
    "embed": ("embedding",),
    "explore": ("operations/walking/walks.py", "traverse", "pheromones"),
    "feedback": ("operations/learning", "learn", "store/connection"),
    "hooks": ("hook", "operations/hooks", "client", "serve/http"),
    "ingest": ("ingest", "embedding", "store/drawers", "store/connection", "app/ingesting.py"),
    "memory": (*_SEARCH, "operations/learning"),
    "million": (*_SEARCH, "store/drawers", "operations/pheromones", "operations/transfer"),
    "names": ("entities",),
    "paths": ("traverse", *_GRAPH),
    "peers": _SEARCH,
    "ready": _START,
    "rerank": ("rerank", "operations/rerank"),
    "resident_memory": _START,
    "search": _SEARCH,
    "side_by_side": (*_SEARCH, "operations/learning", "ingest", "client"),
    "snapshot": _GRAPH,
    "swarm": _SWARM,
    "swarm_large": _SWARM,
    "walk": ("traverse", "pheromones"),
}


def ages(results: Iterable[Found]) -> dict[tuple[str, str], int | None]:
    """Return the age of each commit of the results, by benchmark and commit; None: the commit is not known here."""
    found = {}
    for result in results:
        for commit in {result["commit"], *(row.get("commit", result["commit"]) for row in result["rows"])}:
            found[result["name"], commit] = _age(result["name"], commit.removesuffix("+changes"))
    return found


def _age(benchmark: str, commit: str) -> int | None:
    paths = [f"src/graphpalace/{path}" for path in MEASURED[benchmark]]
    command = ["git", "rev-list", "--count", f"{commit}..HEAD", "--", *paths]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):  # no git, or a copy without its history
        return None
    return int(done.stdout)


if __name__ == "__main__":
    for (name, commit), age in sorted(ages(read(RESULTS.glob("*.json"))).items()):
        if age is not None and age > _OLD:
            print(f"warning: {name} of {commit}: {age} commits have touched what it measures; run it again with --save")
