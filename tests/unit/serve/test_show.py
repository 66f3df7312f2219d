"""Tables of the command line."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from graphpalace.serve.cli import show

ROW = {"id": "feedback-" + "7a67" * 8, "wing": "a wing with a long name", "question": "where does it say so " * 20}


def printed(console: Console) -> str:
    show.table(console, [ROW, ROW], list(ROW))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_nothing_of_a_table_is_cut_where_another_program_reads_it() -> None:
    title, *rows = printed(Console(file=StringIO(), width=80)).splitlines()
    assert title.split() == list(ROW)
    assert len(rows) == 2
    assert all(value.strip() in row for row in rows for value in ROW.values())


def test_a_table_keeps_to_the_width_of_a_terminal() -> None:
    lines = printed(Console(file=StringIO(), width=80, force_terminal=True, color_system=None)).splitlines()
    assert max(map(len, lines)) <= 80
