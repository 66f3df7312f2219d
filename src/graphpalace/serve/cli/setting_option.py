"""Options that stand for a setting: their help is the setting's own description."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import typer

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
