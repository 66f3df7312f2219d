"""Groups of commands. Each command's module is imported when the command is used, and help pages show texts as written.

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


class PlainCommand(TyperCommand):
    """A command whose help texts are shown as written: a bracket in a text is not taken for markup."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.help = _escaped(self.help)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help page."""
        _describe(self)
        super().format_help(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Return what may follow the words of a line, for the shell."""
        _describe(self)
        return super().shell_complete(ctx, incomplete)


class PlainGroup(TyperGroup):
    """A group of commands whose help texts are shown as written."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.help = _escaped(self.help)
        _describe(self)


class Commands(typer.Typer):
    """A Typer application of such commands; called without a command, it shows its help."""

    def __init__(self, *, help: str, cls: type[PlainGroup] = PlainGroup) -> None:  # typer's name
        super().__init__(
            cls=cls,
            help=help,
            no_args_is_help=True,
            pretty_exceptions_show_locals=False,  # a local variable may hold a password
        )

    def command(self, name: str | None = None, **options: Any) -> Callable[[Any], Any]:
        """Register a command, as typer does."""
        return super().command(name, cls=PlainCommand, **options)


def importing(commands: Mapping[str, Listed]) -> type[PlainGroup]:
    """Return a kind of group that imports each of these commands when it is used."""

    class Importing(PlainGroup):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            self.commands = {name: PlainCommand(name, help=listed.summary) for name, listed in commands.items()}

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


def _describe(command: TyperCommand | TyperGroup) -> None:
    """Complete the help texts of the parameters."""
    for one in command.params:
        text: str | None = getattr(one, "help", None)
        if text and not getattr(one, "described", False):
            one.help = _escaped(expanded(text))  # pyright: ignore[reportAttributeAccessIssue]
            one.described = True  # pyright: ignore[reportAttributeAccessIssue] - an escaped text must not be escaped again


def _escaped(text: str | None) -> str | None:
    if text is None or "[" not in text:
        return text
    from rich.markup import escape

    return escape(text)
