"""Every help page shows every word of what was written for it, also in a narrow terminal."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Iterator

import pytest
import typer
from tests.command_line import every_command
from typer.models import ArgumentInfo, OptionInfo
from typer.testing import CliRunner

from graphpalace.serve.cli.application import COMMANDS, app
from graphpalace.serve.cli.context import expanded

FRAME = str.maketrans(dict.fromkeys("│╭╮╰╯─", " "))


def written(group: typer.Typer, *above: str) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """Yield the words that call each help page, and the texts that were written for it."""
    commands = [(each.name or each.callback.__name__, each.callback) for each in group.registered_commands]
    summaries = [_paragraphs(callback)[0] for _, callback in commands]
    for each in group.registered_groups:
        yield from written(each.typer_instance, *above, each.name)
        summaries.append(each.typer_instance.info.help)
    yield above, [group.info.help, *summaries]
    for name, callback in commands:
        hints = typing.get_type_hints(callback, vars(inspect.getmodule(callback)), include_extras=True)
        infos = [info for hint in hints.values() for info in getattr(hint, "__metadata__", ())]
        helps = [expanded(info.help) for info in infos if isinstance(info, ArgumentInfo | OptionInfo)]
        options = [name for info in infos if isinstance(info, OptionInfo) for name in info.param_decls or ()]
        yield (*above, name), [*_paragraphs(callback), *helps, *options]


def _paragraphs(callback: object) -> list[str]:
    return [" ".join(part.split()) for part in inspect.getdoc(callback).split("\n\n")]


PAGES = dict(written(every_command()))


def test_all_commands_are_looked_at() -> None:
    assert {(), ("search",), ("palace", "drop"), ("wing", "list"), ("pheromones", "hot"), ("eval",)} <= PAGES.keys()


@pytest.mark.parametrize("words", PAGES, ids=" ".join)
@pytest.mark.parametrize("width", [80, 400])
def test_a_help_page_shows_all_that_was_written_for_it(words: tuple[str, ...], width: int) -> None:
    shown = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": str(width)})
    assert shown.exit_code == 0, shown.output
    page = shown.output.translate(FRAME).split()
    for text in PAGES[words]:
        if width == 80:  # a column beside it may stand between two lines of a text
            rest = iter(page)
            assert all(word in rest for word in text.split()), f"{text!r} is not in\n{shown.output}"
        else:
            assert " ".join(text.split()) in " ".join(page), f"{text!r} is not in\n{shown.output}"


def test_the_list_of_commands_says_what_the_commands_say() -> None:
    whole = every_command()
    said = {each.name or each.callback.__name__: _paragraphs(each.callback)[0] for each in whole.registered_commands}
    said |= {each.name: each.typer_instance.info.help for each in whole.registered_groups}
    assert {name: listed.summary for name, listed in COMMANDS.items()} == said
