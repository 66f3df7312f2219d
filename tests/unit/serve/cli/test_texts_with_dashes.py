"""A text that begins with a dash is taken for an option; the message and the help page say how to write it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import typer
from tests.command_line import every_command
from typer.testing import CliRunner

from graphpalace.serve.cli.application import app


def _with_arguments(group: Any, *above: str) -> Iterator[tuple[str, ...]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _with_arguments(command, *above, name)
        elif any(one.param_type_name == "argument" for one in command.params):
            yield *above, name


COMMANDS = list(_with_arguments(typer.main.get_group(every_command())))


def test_the_commands_that_take_a_text_are_among_them() -> None:
    assert {("add",), ("search",), ("supersede",), ("kg", "add"), ("names", "merge")} <= set(COMMANDS)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_the_message_names_two_dashes(words: tuple[str, ...]) -> None:
    for text in ("- [ ] todo: buy paint", "-5 degrees", "--force flag", "--json=is a text", "-x"):
        ran = CliRunner().invoke(app, [*words, text], env={"COLUMNS": "400"})
        assert ran.exit_code == 2
        shown = text if text == "-x" else f"'{text}'"
        assert f"{' '.join(words)} [OPTIONS] -- {shown}\n" in ran.output, ran.output


def test_the_help_page_names_two_dashes() -> None:
    page = CliRunner().invoke(app, ["search", "--help"]).output
    assert "search [OPTIONS] -- '- buy paint'" in " ".join(page.split())


def test_other_mistakes_are_told_without_them() -> None:
    ran = CliRunner().invoke(app, ["search", "--json"])
    assert ran.exit_code == 2
    assert "-- " not in ran.output.partition("Error")[2]
