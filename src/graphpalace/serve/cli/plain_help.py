"""Help pages that show their texts as written: a bracket in a help text is not taken for markup."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer
from rich.markup import escape
from typer.core import TyperCommand, TyperGroup


class PlainCommand(TyperCommand):
    """A command whose help texts are shown as written."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        _escape(self)


class PlainGroup(TyperGroup):
    """A group of commands whose help texts are shown as written."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        _escape(self)


class Commands(typer.Typer):
    """A Typer application of such commands; called without a command, it shows its help."""

    def __init__(self, *, help: str) -> None:  # typer's name
        super().__init__(
            cls=PlainGroup,
            help=help,
            no_args_is_help=True,
            pretty_exceptions_show_locals=False,  # a local variable may hold a password
        )

    def command(self, name: str | None = None, **options: Any) -> Callable[[Any], Any]:
        """Register a command, as typer does."""
        return super().command(name, cls=PlainCommand, **options)


def _escape(command: TyperCommand | TyperGroup) -> None:
    for described in (command, *command.params):
        text = getattr(described, "help", None)
        if text:
            described.help = escape(text)  # pyright: ignore[reportAttributeAccessIssue]
