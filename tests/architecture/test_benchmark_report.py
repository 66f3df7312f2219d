"""docs/BENCHMARKS.md is what the command writes from the results in the repository, and they are complete."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from benchmarks.age import MEASURED, ages
from benchmarks.measures import MEASURES, Found, rows_of
from benchmarks.report import PAGE, RESULTS, ROOT, read, written

_ROW = re.compile(r"^\| ([^|]+?) \|.* \| ([\w+]+) \| (\d+|\?) \|$", re.MULTILINE)
FILES = sorted(RESULTS.glob("*.json"))
SEARCH: dict[str, Any] = {
    "name": "search",
    "ratio": 4.2,
    "target": 4.0,
    "figures": {
        "p95": {"ratio": 5.0, "target": 8.0},
        "clients": {"ratio": 1.5, "target": 1.5},
        "learning": {"ratio": 1.1, "target": 1.2},
    },
}


def test_the_page_is_what_the_command_writes() -> None:
    page = PAGE.read_text("utf-8")
    told = {(name.split(",")[0], commit): age for name, commit, age in _ROW.findall(page)}
    assert page == written(read(FILES), {row: None if age == "?" else int(age) for row, age in told.items()})


def test_an_age_counts_what_touched_what_is_measured() -> None:
    found: Found = {"name": "blend", "commit": "HEAD", "rows": [{"name": "blend"}, {"commit": "nowhere"}]}
    assert ages([found]) == {("blend", "HEAD"): 0, ("blend", "nowhere"): None}
    assert set(MEASURED) == {measure.benchmark for measure in MEASURES}
    assert [
        path for paths in MEASURED.values() for path in paths if not (ROOT / "src/graphpalace" / path).exists()
    ] == []


def test_every_benchmark_has_a_result_and_every_measure_a_line() -> None:
    named = re.findall(r'^    "(\w+)": \w+\.measure\w*,$', (ROOT / "benchmarks/__main__.py").read_text("utf-8"), re.M)
    assert {file.stem for file in FILES} == set(named) == {measure.benchmark for measure in MEASURES}
    lines = [row["name"] for file in FILES for row in json.loads(file.read_text("utf-8"))["rows"]]
    left_out = {measure.name for measure in MEASURES} - set(lines)
    assert len(lines) + len(left_out) == len(MEASURES)
    # One needs collections that are not here, two PyTorch beside NumPy, and one a whole long run.
    known = {"peers, nDCG@10", "swarm, NumPy", "swarm_large, NumPy", "million, change"}
    assert set(left_out) <= known


def test_a_result_becomes_a_line_for_each_target() -> None:
    assert [(row["name"], row["ratio"], row["target"], row["met"]) for row in rows_of(SEARCH)] == [
        ("search", 4.2, 4.0, False),
        ("search, p95", 5.0, 8.0, True),
        ("search, clients", 1.5, 1.5, True),
        ("search, learning", 1.1, 1.2, True),
    ]


@pytest.mark.parametrize(
    ("collections", "lines"),
    [
        ("not measured: give --collections DIR...", ["peers"]),
        ({"a": {"search": 0.5, "mempalace": 0.4}, "b": {"search": 0.4, "mempalace": 0.4}}, ["peers", "peers, nDCG@10"]),
    ],
)
def test_quality_has_a_line_only_where_collections_were_given(collections: object, lines: list[str]) -> None:
    rows = rows_of({"name": "peers", "ratio": 0.9, "target": 1.0, "figures": {"ndcg": collections}})
    assert [row["name"] for row in rows] == lines
    assert all(row["met"] == (row["name"] == "peers") for row in rows)  # as good is not better
