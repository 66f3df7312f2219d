"""docs/BENCHMARKS.md from the JSON objects that benchmarks leave."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

from benchmarks.measures import MEASURES, Found
from benchmarks.peers.page import section

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
PAGE = ROOT / "docs" / "BENCHMARKS.md"
_HEAD = """# Benchmarks

Each benchmark runs GraphPalace and a baseline alternately, and reports their ratio. Texts and vectors are synthetic and
the same in every run, unless the method says otherwise. A benchmark starts its own Neo4j in a temporary folder.

```sh
make bench                              # runs all benchmarks and writes benchmarks/results/NAME.json
make bench COLLECTIONS="DIR..."         # also compares nDCG@10 on collections in BEIR form
python -m benchmarks search --json      # runs one and prints its JSON
make bench-report                       # writes this page from benchmarks/results
```

This page is written by `make bench-report`; do not edit it. Older figures are in the history of the repository. Single
runs differ by up to a quarter, so compare ratios and not milliseconds. [What a search finds](reference/quality.md)
shows how good the answers are. `age` is the number of later commits, up to the writing of this page, that changed the
measured code; `make check` lists the rows with an age above fifty.

## A first session, with a stopwatch

An empty environment and an empty home folder, default settings, this documentation (88 pages, 731 passages) as the
folder, each step once, on an idle machine with two cores (Intel Xeon, Python 3.11, commit 6f4b895). `before` is commit
a419c21, on two cores that were busy with other work.

| step | before, s | now, s | disk space in total after it |
|---|---|---|---|
| `pip install .` | 232 | 50 | environment 1,060 MB with Java (6,600 MB before) |
| `up`, the first one: downloads Neo4j and models | 25 | 31 | cache 241 MB, data 520 MB, mostly Neo4j's empty logs |
| `up`, if it is already running | 3.3 | 0.9 | |
| `add`, the first one; the third | 6.0 | 3.6; 1.4 | |
| `ingest` of the folder | 60 | 34 | |
| `ingest`, nothing changed; one page changed | 13 | 0.5; 1.4 | |
| `search`, the first one; later ones | 0.6 to 2.1 | 0.8; 0.2 to 0.3 | |
| `status`, the first one; later ones | 0.7 | 0.6; 0.15 | |
| `palace list` | 0.4 to 0.7 | 0.15 | |
| `install claude-code` | | 0.13 | |
| `down`, the first one: keeps Java's loaded classes; later ones | 23 | 14; 3.5 | cache 404 MB, data 530 MB |
| `up` on a warm machine | | 14 | |
| `search` after it, the first one; the tenth | | 0.29; 0.23 | |

Of the 14 seconds of `up`, Neo4j takes 6 until it answers, and 5 are its planning of the first queries. The first
additions are planned in the same way. After the ingest, the service has 554 MiB and Neo4j 673 MiB.
"""


def read(files: Iterable[Path]) -> list[Found]:
    """Return the results in files.

    Raises:
        OSError: If a file cannot be read.
    """
    return [json.loads(file.read_text("utf-8")) for file in files]


def written(results: Sequence[Found], ages: Mapping[tuple[str, str], int | None]) -> str:
    """Return the page.

    Args:
        ages: How many commits have touched what a benchmark measures since a commit, by benchmark and commit.

    Raises:
        KeyError: If one is not a benchmark's result.
    """
    rows = {row["name"]: (row, found) for found in results for row in found["rows"]}
    machines = _Machines(results)
    lines = ["| name | compared | ratio | target | met | machine | commit | age |", "|---|---|---|---|---|---|---|---|"]
    methods = ["| name | method |", "|---|---|"]
    for measure in MEASURES:
        if measure.name not in rows:
            continue
        row, found = rows[measure.name]
        ratio, target = _number(row["ratio"]), f"{row['bound']} {_number(row['target'])}"
        verdict, commit = "yes" if row["met"] else "no", row.get("commit", found["commit"])
        age = ages.get((found["name"], commit))
        aged = "?" if age is None else str(age)
        cells = (measure.name, measure.compared, ratio, target, verdict, machines.letter(found), commit, aged)
        lines.append(f"| {' | '.join(cells)} |")
        methods.append(f"| {measure.name} | {measure.method} |")
    grown = [line for found in results if found["name"] == "million" for line in _growth(found["figures"])]
    beside = [line for found in results if found["name"] == "side_by_side" for line in section(found["figures"])]
    parts = (
        _HEAD,
        "## Figures\n",
        *lines,
        "",
        *beside,
        *grown,
        "## Machines\n",
        *machines.lines(),
        "",
        "## Methods\n",
        *methods,
    )
    return "\n".join(parts) + "\n"


def _growth(figures: Mapping[str, Any]) -> list[str]:
    """Return the section on how the work of a palace grows with its drawers."""
    sizes = figures["drawers"]
    head = [f"{size:,}" for size in sizes]
    lines = [
        "## A million drawers",
        "",
        "![How the work of a palace grows](images/million.svg)",
        "",
        "The row `million`, at each size. A slope of 0 between two sizes means that the work does not grow, and 1\n"
        "that it grows with the drawers.",
        "",
        *([fill(figures["not_measured"], 120), ""] if "not_measured" in figures else []),
        f"| | {' | '.join(head)} | slopes |",
        f"|---|{'---|' * len(head)}---|",
    ]
    for name, slopes in figures["slopes"].items():
        values = [f"{value:.3g}" for value in figures[name]]
        values += [""] * (len(sizes) - len(values))
        shown = ", ".join(f"{slope:.2f}" for slope in slopes)
        lines.append(f"| {_words(name)} | {' | '.join(values)} | {shown} |")
    return [*lines, ""]


def _words(name: str) -> str:
    what, _, unit = name.rpartition("_")
    known = {"ms": "ms", "s": "s", "gib": "GiB"}
    return f"{what.replace('_', ' ')}, {known[unit]}" if unit in known else name.replace("_", " ")


class _Machines:
    """Gives each machine a letter; results that differ in load or in the use of Neo4j are of the same one."""

    def __init__(self, results: Iterable[Found]) -> None:
        self._of: dict[str, dict[str, set[str]]] = {}
        for found in results:
            servers = self._of.setdefault(_named(found["machine"]), {"neo4j": set(), "java": set()})
            for name in servers:
                servers[name] |= {found["machine"][name]} - {"none"}

    def letter(self, found: Found) -> str:
        """Return the letter of the machine of a result."""
        return chr(ord("A") + list(self._of).index(_named(found["machine"])))

    def lines(self) -> list[str]:
        """Return a line for each."""
        lines = []
        for at, (named, of) in enumerate(self._of.items()):
            neo4j, java = (", ".join(sorted(of[name])) for name in ("neo4j", "java"))
            lines.append(f"- {chr(ord('A') + at)}: {named}; Neo4j {neo4j}, Java {java}")
        return lines


def _named(machine: dict[str, Any]) -> str:
    return (
        f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_gib']} GiB, {machine['os']}; "
        f"Python {machine['python']}, torch {machine['torch']}"
    )


def _number(value: float) -> str:
    """Return it with three digits, small ones as a fraction: nobody reads 0.0011."""
    if 0 < value < 0.01:
        return f"1/{1 / value:,.0f}"
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"
