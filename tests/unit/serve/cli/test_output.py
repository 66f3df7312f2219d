"""Standard output has answers only: with --json nothing but JSON, and never a line of a log."""

from __future__ import annotations

import ast
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
import typer
from tests.command_line import every_command
from typer.testing import CliRunner

from graphpalace.serve import cli
from graphpalace.serve.cli.command_group import Commands
from graphpalace.serve.cli.context import Context
from graphpalace.serve.cli.output import err, out, print_json

FOLDER = Path(cli.__file__).parent


def _commands(group: Any, *above: str) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, *above, name)
        else:
            yield " ".join((*above, name)), command


EVERY = dict(_commands(typer.main.get_group(every_command())))


@pytest.fixture
def unconfigured() -> Iterator[None]:
    """Logs as a process begins with them."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    structlog.reset_defaults()
    yield
    root.handlers, root.level = handlers, level
    structlog.reset_defaults()


def test_every_json_option_is_the_one_that_keeps_standard_output_clean() -> None:
    with_json = {name for name, command in EVERY.items() if any("--json" in one.opts for one in command.params)}
    assert {"eval", "search", "ingest", "add", "kg add", "import", "doctor"} <= with_json
    kept = {name for name, command in EVERY.items() if any(one.name == "as_json" for one in command.params)}
    assert with_json == kept
    assert {type(command).__name__ for command in EVERY.values()} == {"Command"}  # whose `invoke` does it


def test_with_json_whatever_else_is_printed_goes_to_standard_error() -> None:
    application = Commands(help="")

    @application.command()
    def measure(*, as_json: bool = typer.Option(False, "--json")) -> None:
        out.print("downloading a model")
        err.print("half of it")
        print_json({"ready": True}) if as_json else out.print("ready")

    ran = CliRunner().invoke(application, ["--json"])
    assert json.loads(ran.stdout) == {"ready": True}
    assert ran.stderr.splitlines() == ["downloading a model", "half of it"]
    assert CliRunner().invoke(application, []).stdout == "downloading a model\nready\n"


def test_logs_of_a_command_go_to_standard_error(
    unconfigured: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Context().settings()
    structlog.get_logger("graphpalace.embedding").info("model_downloaded", megabytes=90)
    logging.getLogger("a_library").warning("an old file")
    logging.getLogger("a_library").info("a detail that nobody needs")
    said = capsys.readouterr()
    assert said.out == ""
    assert "model_downloaded" in said.err
    assert "an old file" in said.err
    assert "a detail" not in said.err


def test_nothing_else_opens_standard_output() -> None:
    """Consoles are made in one place, and a function that can answer with JSON prints nothing by itself."""
    for file in sorted(FOLDER.rglob("*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        made = [node for node in calls if isinstance(node.func, ast.Name) and node.func.id == "Console"]
        assert not made or file.name == "output.py", file
        for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            if any(one.arg == "as_json" for one in (*function.args.args, *function.args.kwonlyargs)):
                for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
                    if isinstance(call.func, ast.Name) and call.func.id == "print":
                        assert "json.dumps" in ast.unparse(call) or file.name in _KEYS_AND_CHANGES, file
                    assert "sys.stdout" not in ast.unparse(call.func), file


_KEYS_AND_CHANGES = {"keys.py"}  # a key is printed after JSON had its return
