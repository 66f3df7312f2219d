"""A terminal obeys nothing that was stored, and hides nothing of it; JSON stays exact."""

from __future__ import annotations

import io
import json
import logging
import re
import sys
from pathlib import Path

import pytest
import structlog
from rich.text import Text

from graphpalace.domain.texts import HIDDEN
from graphpalace.serve import logs
from graphpalace.serve.cli import output
from graphpalace.serve.cli.output import Line, print_plain
from graphpalace.serve.cli.tables import Column, show_table
from graphpalace.serve.cli.visible_console import VisibleConsole

EVIL = (
    "\x1b]0;owned\x07",
    "a\x1b[2Jb\x1b[31m",
    "\x9b2J\x08\x08over\rwritten",
    "abc\u202efdp.exe\u2066\u200f",
    "no\u200bwidth\ufeff\U000e0041",
    "[link=https://evil.example]here[/link]",
)
_STYLE = re.compile(r"\x1b\[[0-9;]*m")
SOURCES = Path(__file__).parents[4] / "src" / "graphpalace" / "serve" / "cli"


@pytest.mark.parametrize("text", EVIL)
@pytest.mark.parametrize("terminal", [True, False])
def test_only_styles_of_our_own_reach_a_terminal(text: str, terminal: bool) -> None:
    written = io.StringIO()
    colours = "standard" if terminal else None
    console = VisibleConsole(file=written, force_terminal=terminal, width=60, color_system=colours)
    console.print(text, markup=False, highlight=False)
    console.print(text)
    console.print(Text(text, "bold"))
    console.rule(Text(text))
    show_table(
        console, [Column("name"), Column("text", text="wraps")], [[text, text], ["a", Line((text, "bold"))]], title=text
    )
    shown = _STYLE.sub("", written.getvalue())
    assert not HIDDEN.search(shown)
    assert ("\x1b[1m" in written.getvalue()) == terminal


@pytest.mark.parametrize("text", EVIL)
def test_json_for_programs_stays_exact(text: str) -> None:
    written = io.StringIO()
    VisibleConsole(file=written, soft_wrap=True).print_json(json.dumps({text: [text]}))
    assert json.loads(written.getvalue()) == {text: [text]}
    assert not HIDDEN.search(written.getvalue())


def test_plain_texts_and_lines_of_a_log_are_spelled_out(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    try:
        for form in ("console", "json"):
            logs.configure(form)
            structlog.get_logger("graphpalace.test").warning("".join(EVIL), text="".join(EVIL))
            logging.getLogger("graphpalace.foreign").warning("%s", "".join(EVIL))
    finally:
        logs.configure()
    print_plain("".join(EVIL) + "\tend\nof a line")
    said = capsys.readouterr()
    assert not HIDDEN.search(_STYLE.sub("", said.err))
    assert said.err.count("owned") >= 4
    assert not HIDDEN.search(said.out)
    assert said.out.endswith("\tend\nof a line\n")


def test_commands_print_nowhere_else() -> None:
    own = {  # what they print themselves comes from no palace
        "main.py": 1,  # the version
        "application.py": 1,
        "service.py": 2,  # the address
        "page.py": 2,  # the link
        "keys.py": 2,  # a key
        "mcp.py": 2,  # a host's settings
        "watch.py": 1,  # JSON in ASCII
        "dataset.py": 1,  # generated texts
    }
    pattern = re.compile(r"(?<![\w.])print\(|sys\.std(?:out|err)\.write|typer\.echo|click\.echo|(?<!Visible)Console\(")
    found = {
        path.name: len(pattern.findall(path.read_text("utf-8")))
        for path in SOURCES.rglob("*.py")
        if path.name != Path(output.__file__).name and pattern.search(path.read_text("utf-8"))
    }
    assert found == own
