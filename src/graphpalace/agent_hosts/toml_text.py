"""Changes a TOML text in some places and keeps its comments, order and blank lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tomlkit
from tomlkit.exceptions import ParseError, TOMLKitError

from graphpalace.agent_hosts.json_text import BrokenText


def value_of(text: str) -> dict[str, Any]:
    """Return what a text says.

    Raises:
        BrokenText: If it is not TOML.
    """
    return _parsed(text).unwrap()


def insert(text: str, path: Sequence[str], value: dict[str, Any]) -> str:
    """Return a text with a table at a path of keys, in place of what is there, or else at the end.

    Raises:
        BrokenText: If the text is not TOML, or what is on the way is not written as tables.
    """
    wanted = value_of(text)
    at = wanted
    for step in path[:-1]:
        at = at.setdefault(step, {})
        if not isinstance(at, dict):
            raise BrokenText(1, f"expected a table as {'.'.join(path[:-1])}")
    if at.get(path[-1]) == value:
        return text
    at[path[-1]] = value
    table: dict[str, Any] = value
    for step in reversed(path):
        table = {step: table}
    before = remove(text, path)
    gap = "" if not before else "\n" if before.endswith("\n") else "\n\n"
    after = _with_line_ends(before + gap + tomlkit.dumps(table), text)
    try:
        if value_of(after) == wanted:
            return after
    except BrokenText:
        pass
    raise BrokenText(1, f"expected tables [{'.'.join(path[:-1])}.NAME], found {path[0]} in one line")


def remove(text: str, path: Sequence[str]) -> str:
    """Return a text without what is at a path of keys, and without tables on the way that are empty then.

    Raises:
        BrokenText: If the text is not TOML.
    """
    document = _parsed(text)
    way: list[Any] = [document]
    for step in path[:-1]:
        if not isinstance(way[-1], dict) or step not in way[-1]:
            return text
        way.append(way[-1][step])
    if not isinstance(way[-1], dict) or path[-1] not in way[-1]:
        return text
    del way[-1][path[-1]]
    for at in range(len(way) - 1, 0, -1):
        if not way[at]:
            del way[at - 1][path[at - 1]]
    after = _with_line_ends(document.as_string(), text)
    if value_of(after) != document.unwrap():
        raise BrokenText(1, "expected tables that are written in one place each")
    return after if text.endswith("\n\n") else after.rstrip("\n") + "\n" if after.strip() else ""


def _parsed(text: str) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(text)
    except ParseError as error:
        said = str(error).rpartition(" at line ")[0] or str(error)
        raise BrokenText(error.line, f"expected TOML: {said}") from error
    except TOMLKitError as error:
        raise BrokenText(1, f"expected TOML: {error}") from error


def _with_line_ends(text: str, model: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n") if "\r\n" in model else text
