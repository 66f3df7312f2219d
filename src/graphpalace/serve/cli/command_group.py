"""Groups of commands. The module of a command is imported when the command is used.

Importing all commands would take longer than most commands take, so a group knows the name, the module and the summary
of each of its commands beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from graphpalace.serve.cli.setting_option import expanded


class Listed(NamedTuple):
    """A command that is not imported yet.

    Attributes:
        module: Has a function `register` that adds the command to an application.
        summary: The first sentence of the command's help, as a list of commands shows it.
    """

    module: str
    summary: str


class Command(TyperCommand):
    """A command whose help texts of settings are read when they are shown."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help page."""
        _describe(self)
        super().format_help(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Return what may follow the words of a line, for the shell."""
        _describe(self)
        return super().shell_complete(ctx, incomplete)


class Group(TyperGroup):
    """A group of commands whose help page shows the first paragraph of each command's help, uncut."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - typer's signature
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, _first_paragraph(one.help)) for name, one in self.commands.items()])


class Commands(typer.Typer):
    """A Typer application of such commands; called without a command, it shows its help."""

    def __init__(self, *, help: str, cls: type[Group] = Group) -> None:  # typer's name
        super().__init__(
            cls=cls,
            help=help,
            no_args_is_help=True,
            rich_markup_mode=None,  # plain help pages: their frames would take longer than the whole rest of `--help`
            pretty_exceptions_show_locals=False,  # a local variable may hold a password
        )

    def command(self, name: str | None = None, **options: Any) -> Callable[[Any], Any]:
        """Register a command, as typer does."""
        return super().command(name, cls=Command, **options)


def importing(commands: Mapping[str, Listed]) -> type[Group]:
    """Return a kind of group that imports each of these commands when it is used."""

    class Importing(Group):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            self.commands = {name: Command(name, help=listed.summary) for name, listed in commands.items()}

        def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
            if args and args[0] in commands:
                self.commands[args[0]] = imported(args[0], commands[args[0]])
            return super().resolve_command(ctx, args)

    return Importing


def imported(name: str, listed: Listed) -> Any:
    """Return a command after importing its module."""
    application = Commands(help="")
    import_module(listed.module).register(application)
    return typer.main.get_group(application).commands[name]


def _first_paragraph(text: str | None) -> str:
    return " ".join((text or "").partition("\n\n")[0].split())


def _describe(command: TyperCommand) -> None:
    for one in command.params:
        if text := getattr(one, "help", None):
            one.help = expanded(text)  # pyright: ignore[reportAttributeAccessIssue]
