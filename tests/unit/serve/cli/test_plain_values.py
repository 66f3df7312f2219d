"""Plain values of the command line are what typer makes of them, and all others are left to typer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer.testing import CliRunner

from graphpalace.domain.knowledge.entity import EntityType
from graphpalace.serve.cli.command_group import Commands

FOUND: list[dict[str, Any]] = []


def measure(
    name: str,
    count: Annotated[int, typer.Option()] = 3,
    share: Annotated[float, typer.Option()] = 1,
    least: Annotated[int, typer.Option(min=1, max=9)] = 2,
    text: Annotated[str | None, typer.Option()] = None,
    some: Annotated[list[str] | None, typer.Option()] = None,
    kind: Annotated[EntityType | None, typer.Option()] = None,
    place: Annotated[Path | None, typer.Option()] = None,
    fold: Annotated[bool | None, typer.Option()] = None,
    loud: Annotated[bool, typer.Option("--loud")] = False,
) -> None:
    FOUND.append(dict(locals()))


def run(application: typer.Typer, words: list[str]) -> tuple[int, str, list[tuple[Any, type]]]:
    application.command()(measure)
    FOUND.clear()
    ran = CliRunner().invoke(application, words, env={"COLUMNS": "200"})
    return ran.exit_code, ran.output, [(value, type(value)) for found in FOUND for value in found.values()]


@pytest.mark.parametrize(
    "words",
    [
        ["a"],
        ["5", "--count", "7", "--share", "0.25", "--text", "9", "--some", "a", "--some", "b"],
        ["a", "--count", "-7", "--share", "-1", "--kind", "person", "--place", "/tmp", "--no-fold", "--loud", "--fold"],
        ["a", "--count", " 8 "],
        ["a", "--count", "8.0"],
        ["a", "--count", "1_000"],
        ["a", "--count", "12345678901234567890"],
        ["a", "--count", "many"],
        ["a", "--share", "1e-3"],
        ["a", "--share", "inf"],
        ["a", "--share", "most"],
        ["a", "--least", "10"],
        ["a", "--least", "9"],
        ["a", "--kind", "animal"],
        ["a", "--text", ""],
        ["", "--count", ""],
        [],
        ["a", "b"],
    ],
    ids=" ".join,
)
def test_a_value_is_what_typer_makes_of_it(words: list[str]) -> None:
    assert run(Commands(help=""), words) == run(typer.Typer(rich_markup_mode=None), words)
