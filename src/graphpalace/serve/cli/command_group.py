"""Groups of commands: the module of a command is imported when it is used, and plain values are taken without pydantic.

Importing all commands would take longer than most commands take, so a group knows the name, the module and the summary
of each of its commands beforehand.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer._click.exceptions import UsageError  # typer has no public name for it
from typer.core import TyperCommand, TyperGroup

from graphpalace.serve.cli.context import expanded

_WHOLE = re.compile(r"-?[0-9]{1,15}")
_DECIMAL = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")
_NOT_PLAIN = object()


def taking_plain_values(params: list[Any]) -> list[Any]:
    """Return the parameters of a command after letting them take plain values by themselves."""
    for param in params:
        if not isinstance(param.process_value, partial):
            param.process_value = partial(_processed, param, param.process_value)
    return params


def _processed(param: Any, typers_own: Callable[[Any, Any], Any], ctx: Any, value: Any) -> Any:
    found = _plain(param, value)
    if ctx.resilient_parsing and param.required and param.value_is_missing(found):
        return None  # the shell asks what may stand here
    if found is _NOT_PLAIN or (param.required and param.value_is_missing(found)):
        return typers_own(ctx, value)
    return found if param.callback is None else param.callback(ctx, param, found)


def _plain(param: Any, value: Any) -> Any:
    kind, info = param.type_descriptor.annotation, param.type_descriptor.parameter_info
    several = param.multiple or param.nargs == -1
    if value is None:
        return () if several else None
    if several:
        texts = kind == list[str] and all(isinstance(one, str) for one in value)
        return list(value) if texts else _NOT_PLAIN
    if kind is int and isinstance(value, str) and _WHOLE.fullmatch(value):
        value = int(value)
    if kind is float and isinstance(value, str) and _DECIMAL.fullmatch(value):
        value = float(value)
    if type(value) is not kind or kind not in (str, int, float, bool):
        return _NOT_PLAIN
    outside = (info.min is not None and value < info.min) or (info.max is not None and value > info.max)
    return _NOT_PLAIN if outside else value


_DASHES = 'A text that begins with "-" stands behind all options and "--"'


class Listed(NamedTuple):
    """A command that is not imported yet.

    Attributes:
        module: Has a function `register` that adds the command to an application.
        summary: The first sentence of the command's help, as a list of commands shows it.
    """

    module: str
    summary: str


class Command(TyperCommand):
    """A command whose help texts of settings are read when they are shown.

    With `--json` it prints nothing but JSON to standard output. If a text that begins with a dash is read as an option,
    the message says how to write it, and so does the help page.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the arguments and options."""
        return taking_plain_values(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of a line."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except UsageError as error:
            if (text := self._dashed(given)) is None:
                raise
            said, line = error.format_message().rstrip(" ."), f"{ctx.command_path} [OPTIONS] -- {shlex.quote(text)}"
            raise UsageError(f"{said}. {_DASHES}: {line}", error.ctx) from None

    def _dashed(self, words: list[str]) -> str | None:
        """Return the first word that may be a text although it begins with a dash."""
        if not self._takes_texts():
            return None
        words = words[: words.index("--")] if "--" in words else words
        options = {name for one in self.params for name in (*one.opts, *one.secondary_opts)}
        dashed = [word for word in words if word.startswith("-") and word not in options]
        unknown = [word for word in dashed if word.partition("=")[0] not in options]
        return next(iter([*unknown, *(word for word in dashed if " " in word)]), None)

    def _takes_texts(self) -> bool:
        return any(one.param_type_name == "argument" for one in self.params)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the end of the help page."""
        super().format_epilog(ctx, formatter)
        if self._takes_texts():
            formatter.write_paragraph()
            formatter.write_text(f"{_DASHES}: {ctx.command_path} [OPTIONS] -- '- buy paint'")

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        if not ctx.params.get("as_json"):
            return super().invoke(ctx)
        from graphpalace.serve.cli.output import json_alone

        with json_alone():
            return super().invoke(ctx)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help page."""
        _describe(self)
        super().format_help(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Return what may follow the words of a line, for the shell."""
        _describe(self)
        _show_helps_as_they_are()
        return super().shell_complete(ctx, incomplete)


class CommandGroup(TyperGroup):
    """A group of commands whose help page shows the first paragraph of each command's help, uncut."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options that stand before a command."""
        return taking_plain_values(super().get_params(ctx))

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Return what may follow the words of a line, for the shell."""
        _show_helps_as_they_are()
        return super().shell_complete(ctx, incomplete)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - typer's signature
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, _first_paragraph(one.help)) for name, one in self.commands.items()])


class Commands(typer.Typer):
    """A Typer application of such commands; called without a command, it shows its help."""

    def __init__(self, *, help: str, cls: type[CommandGroup] = CommandGroup) -> None:  # typer's name
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


def importing(commands: Mapping[str, Listed]) -> type[CommandGroup]:
    """Return a kind of group that imports each of these commands when it is used."""

    class Importing(CommandGroup):
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


def _show_helps_as_they_are() -> None:
    """Keep typer from reading helps as markup of rich: it would leave out the names of sections, such as [search]."""
    from typer import _completion_classes

    _completion_classes._sanitize_help_text = str
