"""What is known before a command runs: the options that stand before it, and how its own options are read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphpalace.errors import InvalidInput

if TYPE_CHECKING:
    from graphpalace.domain.search.request import SearchRequest
    from graphpalace.settings.home import Home
    from graphpalace.settings.load import Settings


Palace = Annotated[str | None, typer.Option("--palace", help="Palace to use. Default: [palace] name in the settings.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


@dataclass
class Context:
    """The options that stand before the command."""

    config: Path | None = None

    def settings(self) -> Settings:
        """Read and return the settings, and send all logs to standard error: without them, no command logs anything."""
        from graphpalace.settings.load import load

        settings = load(self.config)
        _log_to_stderr(settings)
        return settings

    def valid_settings(self) -> tuple[Settings, list[str]]:
        """Read the settings as `settings` does, with defaults for what is not valid, and return what that is, too."""
        from graphpalace.settings.load import load_what_is_valid

        settings, problems = load_what_is_valid(self.config)
        _log_to_stderr(settings)
        return settings, [one.message for one in problems]

    def home(self) -> Home:
        """Return the data folder that the settings name, and how its service is started; this imports little."""
        from graphpalace.settings.home import home

        return home(self.config)


def _log_to_stderr(settings: Settings) -> None:
    import structlog

    if not structlog.is_configured():
        from graphpalace.serve.logs import configure

        configure(settings.service.log_format, libraries="WARNING")


context = Context()


def named(palace: str | None, settings: Settings) -> str:
    """Return the name of the palace after checking it; without one, the configured name."""
    from graphpalace.domain.identity import palace_name

    return palace_name(palace if palace is not None else settings.palace.name)


def window_sizes(text: str) -> list[int] | None:
    """Return window sizes in lines, or None for an empty text.

    Raises:
        InvalidInput: If a size is not a whole number.
    """
    try:
        return [int(part) for part in text.split(",")] if text else None
    except ValueError:
        raise InvalidInput(
            f"--windows is {text!r}; give sizes in lines, for example 1000,2000,4000", field="windows"
        ) from None


def numbers(option: str, text: str, *, hint: str) -> dict[str, float] | None:
    """Return numbers by name from an option such as `fulltext=2,semantic=0.5`, or None for an empty text.

    Args:
        hint: The end of the error message, which shows how to write the option.
    Raises:
        InvalidInput: If a part is not a name, `=` and a number.
    """
    if not text:
        return None
    try:
        return {name.strip(): float(value) for name, _, value in (part.partition("=") for part in text.split(","))}
    except ValueError:
        raise InvalidInput(f"--{option} is {text!r}; {hint}", field=option, value=text) from None


def check_question(query: str, settings: Settings, /, **given: Any) -> SearchRequest:
    """Return the question after checking it, so that a mistake is reported before the embedding model is loaded.

    Raises:
        EmptyQuery, InvalidInput: As a search raises them.
    """
    from graphpalace.domain.search.request import SearchRequest, plan_of

    question = SearchRequest(query=query, **given)
    plan_of(question, settings.search.plan, settings.search.plans)
    return question


# Separates the parts of a help that is read when it is shown.
_MARK = "|"


def setting_option(section: str, key: str, *, form: str = "", **options: Any) -> Any:
    """Return an option whose help says what the setting does, what is allowed, and what holds without the option.

    Args:
        section: As in `graphpalace.toml`.
        form: How a list or a table is written on the command line, for example `fulltext=2,semantic=0.5`.
        options: As typer takes them.
    """
    return typer.Option(help=_MARK.join(("setting:", section, key, form)), **options)


def expanded(help: str) -> str:
    """Return the help of an option as it is shown: that of a setting is read from the settings."""
    kind, *of = help.split(_MARK)
    return help_of(of[0], of[1], form=of[2]) if kind == "setting:" and of else help


def help_of(section: str, key: str, *, form: str = "") -> str:
    """Return the help of the option that stands for a setting."""
    setting = _helps()[f"{section}.{key}"]
    unless = f", which is {setting['default']} unless configured" if setting["default"] else ""
    parts = [
        setting["does"],
        setting["allowed"],
        f"Write it like {form}." if form else "",
        f"Default: [{section}] {key}{unless}.",
    ]
    return " ".join(part for part in parts if part)


@cache
def _helps() -> dict[str, dict[str, str]]:
    """Return what is known of each setting; `make settings-docs` writes it from the settings."""
    import json

    from graphpalace import settings

    return json.loads(Path(settings.__file__).with_name("helps.json").read_text("utf-8"))
