"""Generate `graphpalace.toml`, `docs/reference/settings.md` and `helps.json` from the descriptions of the settings.

Run `python -m graphpalace.settings.reference` in the root of the project.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import Any

from pydantic import BaseModel

from graphpalace.settings.home import FILE_NAME
from graphpalace.settings.load import Settings
from graphpalace.settings.setting import Setting, sections, settings_of, toml

PAGE = Path("docs/reference/settings.md")
HELPS = Path("src/graphpalace/settings/helps.json")

_COMMENT_COLUMNS = 118
_UNBROKEN = "\N{NO-BREAK SPACE}"
_TOML_HEAD = """\
# Every setting with its default. An environment variable, GRAPHPALACE_SECTION__KEY, overrides this file, and an option
# of a command overrides both. A key that is left out keeps its default.
"""
_PAGE_HEAD = """\
# Settings

GraphPalace reads its settings from a file, from environment variables and from the options of a command. An option
overrides a variable, and a variable overrides the file. A setting that is not given anywhere has its default.

The file is the one that `--config` or `GRAPHPALACE_CONFIG` names, otherwise `graphpalace.toml` in the working
directory, otherwise `graphpalace.toml` in the user's configuration directory. The file
[graphpalace.toml](../../graphpalace.toml) shows every setting with its default; copy it and change what you need.

The name of a variable is `GRAPHPALACE_`, the section, two underscores and the key, for example
`GRAPHPALACE_SEARCH__RRF_K=30`. A list or a table is written as JSON. An unknown key, or a value out of range, ends the
command with exit code 2 and a message that names the line or the variable.

This page is generated from the same descriptions as the file and the commands' help: `make settings-docs` writes it
again.
"""


def toml_text() -> str:
    """Return the text of `graphpalace.toml`: every setting with its default, range and description."""
    return "\n".join([_TOML_HEAD, *("\n".join(_toml_section(model, name)) for model, name in sections(Settings))])


def page_text() -> str:
    """Return the text of the reference page: a table for each section."""
    return "\n".join([_PAGE_HEAD, *("\n".join(_page_section(model, name)) for model, name in sections(Settings))])


def helps_text() -> str:
    """Return what the help of an option says of its setting, as JSON: the option need not import the settings."""
    helps = {
        f"{setting.section}.{setting.key}": {
            "does": setting.description,
            "allowed": f"{'Values' if 'text' in setting.kind else 'Range'}: {setting.allowed}."
            if setting.allowed
            else "",
            "default": _shown(setting.default),
        }
        for model, name in sections(Settings)
        for setting in settings_of(model, name)
    }
    return json.dumps(helps, ensure_ascii=False, indent=1) + "\n"


def main() -> None:
    """Write the files."""
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    for path, text in ((Path(FILE_NAME), toml_text()), (PAGE, page_text()), (HELPS, helps_text())):
        path.write_text(text, "utf-8")
        print(f"wrote {path}")


def _about(model: type[BaseModel]) -> str:
    return " ".join((inspect.getdoc(model) or "").split())


def _toml_section(model: type[BaseModel], name: str) -> Iterator[str]:
    settings = list(settings_of(model, name))
    yield from _comment(_about(model))
    yield f"[{name}]"
    for setting in settings:
        if not _is_table(setting):
            yield from _toml_comment(setting)
            line = f"{setting.key} = {toml(setting.default)}"
            yield line if setting.shown_default is None else f"# {line}"
    yield ""
    for setting in settings:
        if _is_table(setting):
            yield from _toml_comment(setting)
            yield f"[{name}.{setting.key}]"
            yield from (f"{key} = {toml(value)}" for key, value in setting.default.items())
            yield ""


def _is_table(setting: Setting) -> bool:
    """Return whether a setting is written as a TOML table of its own."""
    return setting.kind == "table of values"


def _toml_comment(setting: Setting) -> Iterator[str]:
    parts = [setting.description]
    if setting.allowed:
        parts.append(f"{'Values' if 'text' in setting.kind else 'Range'}: {setting.allowed}.".replace(" ", _UNBROKEN))
    if setting.shown_default is not None:
        parts.append(f"Default: {setting.shown_default}.")
    yield from _comment(" ".join(parts))


def _comment(text: str) -> list[str]:
    lines = wrap(text, _COMMENT_COLUMNS, break_long_words=False, break_on_hyphens=False)
    return [f"# {line}".replace(_UNBROKEN, " ") for line in lines]


def _shown(default: Any) -> str:
    if isinstance(default, dict):
        return ", ".join(f"{name}={part}" for name, part in default.items())
    return ", ".join(map(str, default)) if isinstance(default, list) else str(default)


def _page_section(model: type[BaseModel], name: str) -> Iterator[str]:
    yield f"## [{name}]"
    yield ""
    yield _about(model)
    yield ""
    yield "| Key | Type and range | Default | Description | Variable |"
    yield "|---|---|---|---|---|"
    for setting in settings_of(model, name):
        kind = f"{setting.kind}: {setting.allowed}" if setting.allowed else setting.kind
        default = f"`{toml(setting.default)}`" if setting.shown_default is None else setting.shown_default
        cells = f"`{setting.key}`", kind, default, setting.description, f"`{setting.variable}`"
        yield "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"
    yield ""


if __name__ == "__main__":
    main()
