"""docs/BENCHMARKS.md from the JSON objects that benchmarks leave."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.measures import MEASURES, Found

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
PAGE = ROOT / "docs" / "BENCHMARKS.md"
_HEAD = """# Benchmarks

Each benchmark compares GraphPalace with a baseline in the same run, in turns, and reports their ratio. Texts and
vectors are synthetic and the same in every run, unless the method says otherwise. A benchmark starts a Neo4j of its own
in a temporary folder.

```sh
make bench                              # runs all benchmarks and writes benchmarks/results/NAME.json
make bench COLLECTIONS="DIR..."         # also compares nDCG@10 on collections in BEIR form
python -m benchmarks search --json      # runs one and prints its JSON
make bench-report                       # writes this page from benchmarks/results
```

This page is written by `make bench-report`; do not edit it. Older figures are in the history of the repository. Single
runs differ by up to a quarter, so compare ratios and not milliseconds. How good the answers are, before and after, is
in [what a search finds](reference/quality.md).

A first session by hand, once, on two cores that were busy with other work (commit a419c21): `pip install .` 232 s,
`up` 25 s (3.3 s if it runs already), the first `add` 6.0 s, `ingest` of 66 documents 60 s, `search` 0.6 to 2.1 s,
`show` 2.5 s, `feedback` 0.6 s, `status` 0.7 s, `palace list` 0.4 to 0.7 s, `key show` 0.35 s, `down` 23 s; an MCP
client on standard input was ready after 0.26 s. The benchmarks `cli_warm` and `cli_cold` below are from a
quiet machine.
"""


def written(files: Iterable[Path]) -> str:
    """Return the page.

    Raises:
        OSError: If a file cannot be read.
        KeyError: If a file is not a benchmark's result.
    """
    results: list[Found] = [json.loads(file.read_text("utf-8")) for file in files]
    rows = {row["name"]: (row, found) for found in results for row in found["rows"]}
    machines = _Machines(results)
    lines = ["| name | compared | ratio | target | met | machine | commit |", "|---|---|---|---|---|---|---|"]
    methods = ["| name | method |", "|---|---|"]
    for measure in MEASURES:
        if measure.name not in rows:
            continue
        row, found = rows[measure.name]
        ratio, target = _number(row["ratio"]), f"{row['bound']} {_number(row['target'])}"
        verdict, commit = "yes" if row["met"] else "no", row.get("commit", found["commit"])
        cells = (measure.name, measure.compared, ratio, target, verdict, machines.letter(found), commit)
        lines.append(f"| {' | '.join(cells)} |")
        methods.append(f"| {measure.name} | {measure.method} |")
    parts = (_HEAD, "## Figures\n", *lines, "", "## Machines\n", *machines.lines(), "", "## Methods\n", *methods)
    return "\n".join(parts) + "\n"


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
