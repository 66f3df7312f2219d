"""Lines that a terminal gets without rich look as rich would print them."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.console import Console

from graphpalace.serve.cli.output import LightConsole, Line, Part

LINES = (
    Line(),
    Line("plain"),
    Line(("1. a > b", "bold"), "  ", ("sure, 0.9", "dim")),
    Line("   one two ", ("three", "bold yellow"), " four five six seven eight nine ten eleven twelve\n"),
    Line(("error", "red"), " ", ("NOT_FOUND", "dim"), " nothing\n\nhere"),
)
_STYLE = re.compile(r"\x1b\[[0-9;]*m")


def by_rich(line: Line, width: int | None) -> str:
    written = io.StringIO()
    console = Console(file=written, force_terminal=True, width=width or 500, color_system="standard")
    console.print(line, soft_wrap=width is None, end="")
    return written.getvalue()


@pytest.mark.parametrize("line", LINES, ids=str)
def test_a_line_has_the_colours_of_rich(line: Line) -> None:
    assert line.for_terminal(width=None) == by_rich(line, None)


@example([("a" * 20 + " ", "")])  # a blank behind a full line
@given(st.lists(st.tuples(st.text("ab \n", max_size=30), st.sampled_from(["", "bold", "dim"])), max_size=4))
def test_a_line_is_broken_where_rich_breaks_it(parts: list[Part]) -> None:
    line = Line(*parts)
    shown = line.for_terminal(width=20)
    if shown is None:
        return  # a word is too long
    ours, richs = (_STYLE.sub("", text) for text in (shown, by_rich(line, 20)))
    assert [part.strip() for part in ours.split("\n")] == [part.strip() for part in richs.split("\n")]
    assert all(len(part.rstrip()) <= 20 for part in ours.split("\n"))


def test_a_text_that_only_rich_can_break_is_left_to_it() -> None:
    assert Line("x" * 21).for_terminal(width=20) is None
    assert Line("鍵" * 11).for_terminal(width=20) is None
    assert Line("x" * 21).for_terminal(width=None) == "x" * 21


@pytest.mark.parametrize(("forced", "styled"), [("1", True), ("", False)])
def test_what_the_environment_says_of_colours_counts(
    forced: str, styled: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", forced)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    LightConsole().print(Line(("key", "bold")))
    assert ("\x1b[1m" in capsys.readouterr().out) == styled
