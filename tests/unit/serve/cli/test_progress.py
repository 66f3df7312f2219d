"""How far a long command is: a line now and then where nobody looks, and a bar on a terminal."""

from __future__ import annotations

import io
import re
import time

from rich.console import Console

from graphpalace.serve.cli.progress import ProgressStep, shown_progress


def _shown(console: Console, *steps: ProgressStep, every_s: float = 0.02) -> str:
    with shown_progress("ingesting", console, every_s=every_s) as tell:
        time.sleep(0.05)
        for step in steps:
            tell(step)
            time.sleep(0.05)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_lines_tell_how_much_is_done_how_fast_and_how_long_it_takes() -> None:
    assert ProgressStep("ingesting", 30, 120, "files", (60, "drawers")).line(10) == (
        "ingesting: 30 of 120 files, 60 drawers, 6/s, 30 s left"
    )
    assert ProgressStep("reading names", 0, 20, "drawers").line(3) == "reading names: 0 of 20 drawers"
    assert ProgressStep("moving in", 4000, None, "rows").line(2) == "moving in: 4,000 rows, 2,000/s"
    assert ProgressStep("embedding", 1, 7201, "texts").line(1) == "embedding: 1 of 7,201 texts, 1/s, 2 h 0 min left"


def test_where_nobody_looks_a_line_comes_again_also_if_nothing_is_told() -> None:
    said = _shown(Console(file=io.StringIO(), width=200), ProgressStep("ingesting", 1, 2, "files")).splitlines()
    assert said[0] == "ingesting: waiting"
    assert [line for line in said if line.startswith("ingesting: 1 of 2 files")][1:]


def test_a_short_command_says_nothing_where_nobody_looks() -> None:
    assert _shown(Console(file=io.StringIO()), ProgressStep("ingesting", 1, 2, "files"), every_s=10) == ""


def test_a_terminal_has_a_bar_with_the_same_words() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=200)
    said = _shown(console, ProgressStep("ingesting", 1, 2, "files"), ProgressStep("reading names", 3, 4, "drawers"))
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", said)
    assert "ingesting: 1 of 2 files" in plain
    assert "reading names: 3 of 4 drawers" in plain
