"""Help pages that show what was written: a bracket in a help text is a bracket, and no markup."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer
from rich.markup import escape
from typer.core import TyperCommand, TyperGroup


class PlainCommand(TyperCommand):
    """A command whose help texts are plain."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        _escape(self)


class PlainGroup(TyperGroup):
    """A group of commands whose help texts are plain."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        _escape(self)


class Commands(typer.Typer):
    """A Typer of such commands; without a command it shows its help."""

    def __init__(self, *, help: str) -> None:  # typer's name
        super().__init__(
            cls=PlainGroup,
            help=help,
            no_args_is_help=True,
            pretty_exceptions_show_locals=False,  # among them may be a password
        )

    def command(self, name: str | None = None, **options: Any) -> Callable[[Any], Any]:
        """Register a command, as typer does."""
        return super().command(name, cls=PlainCommand, **options)


def _escape(command: TyperCommand | TyperGroup) -> None:
    for described in (command, *command.params):
        written = getattr(described, "help", None)
        if written:
            described.help = escape(written)  # pyright: ignore[reportAttributeAccessIssue]
