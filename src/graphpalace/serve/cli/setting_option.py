"""Options that stand for a setting: their help is the setting's own description."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from graphpalace.settings.load import Settings
    from graphpalace.settings.setting import Setting

# Separates the parts of a help that is read from the settings when it is shown: importing them takes .3 s.
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


@cache
def help_of(section: str, key: str, *, form: str = "") -> str:
    """Return the help of the option that stands for a setting."""
    from graphpalace.settings.setting import setting_of

    setting = setting_of(type(getattr(_defaults(), section)), section, key)
    parts = [
        setting.description,
        f"{'Values' if 'text' in setting.kind else 'Range'}: {setting.allowed}." if setting.allowed else "",
        f"Write it like {form}." if form else "",
        f"Default: [{section}] {key}{_unless_configured(setting)}.",
    ]
    return " ".join(part for part in parts if part)


@cache
def _defaults() -> Settings:
    from graphpalace.settings.load import Settings

    return Settings()


def _unless_configured(setting: Setting) -> str:
    value = setting.default
    if isinstance(value, dict):
        shown = ", ".join(f"{name}={part}" for name, part in value.items())
    else:
        shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return f", which is {shown} unless configured" if shown else ""
