"""Changes a JSON text in some places and leaves all other characters as they are: order, indentation and comments.

>>> insert('{"a": 1}', ["servers", "ours"], {"b": 2})
'{"a": 1, "servers": {"ours": {"b": 2}}}'
>>> remove('{"a": 1, "servers": {"ours": {"b": 2}}}', ["servers", "ours"])
'{"a": 1}'
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from json.decoder import JSONDecodeError, scanstring  # pyright: ignore[reportAttributeAccessIssue]  # not in typeshed
from typing import Any

_BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_SCALAR = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null")

Path = Sequence[str | int]


class BrokenText(Exception):
    """A text is not JSON.

    Attributes:
        line: Where, from 1.
        expected: What should stand there.
    """

    def __init__(self, line: int, expected: str) -> None:
        super().__init__(f"line {line}: {expected}")
        self.line, self.expected = line, expected


@dataclass(slots=True)
class Part:
    """A value in a text, and where it stands.

    Attributes:
        key: Its key if it is a member of an object.
        begins: Where its key begins, or else the value.
        start, end: Of the value.
        parts: Of an object or an array; None for other values.
    """

    key: str | None
    begins: int
    start: int
    end: int = 0
    value: Any = None
    parts: list[Part] | None = field(default=None)

    @property
    def is_object(self) -> bool:
        """Whether it is an object."""
        return isinstance(self.value, dict)

    @property
    def is_array(self) -> bool:
        """Whether it is an array."""
        return isinstance(self.value, list)

    def part(self, step: str | int) -> Part | None:
        """Return a member by its key, or an item by its place; None if there is none. Of two equal keys, the last."""
        parts = self.parts or []
        if isinstance(step, int):
            return parts[step] if self.is_array and step < len(parts) else None
        return next((one for one in reversed(parts) if self.is_object and one.key == step), None)


def parsed(text: str) -> Part:
    """Return the value of a text; comments are allowed.

    Raises:
        BrokenText: If it is not JSON.
    """
    start = _skipped(text, 0)
    if start == len(text):
        raise BrokenText(1, "expected a JSON object, found nothing")
    try:
        found = _read(text, start, None, start)
    except RecursionError:
        raise BrokenText(1, "it is nested too deeply") from None
    end = _skipped(text, found.end)
    if end < len(text):
        raise _broken(text, end, "expected the end")
    return found


def insert(text: str, path: Path, value: Any) -> str:
    """Return a text with a value at a path of keys, in place of what is there; missing objects are created.

    Raises:
        BrokenText: If the text is not JSON, or something on the way is no object.
    """
    at, steps = parsed(text), list(path)
    while len(steps) > 1:
        inner = at.part(steps[0])
        if inner is None:
            break
        at = inner
        steps.pop(0)
        if not at.is_object:
            raise _broken(text, at.start, f"expected an object as {'.'.join(map(str, path))}")
    if not at.is_object:
        raise _broken(text, at.start, "expected an object")
    for step in reversed(steps[1:]):
        value = {step: value}
    there = at.part(steps[0])
    if there is not None:
        return text[: there.start] + _written(text, at, value) + text[there.end :]
    return _added(text, at, f"{json.dumps(steps[0])}: {_written(text, at, value)}")


def append(text: str, path: Path, value: Any) -> str:
    """Return a text with a value at the end of the array at a path; a missing array is created.

    Raises:
        BrokenText: If the text is not JSON, or there is something else.
    """
    at: Part | None = parsed(text)
    for step in path:
        at = None if at is None else at.part(step)
    if at is None:
        return insert(text, path, [value])
    if not at.is_array:
        raise _broken(text, at.start, f"expected an array as {'.'.join(map(str, path))}")
    return _added(text, at, _written(text, at, value))


def remove(text: str, path: Path) -> str:
    """Return a text without the value at a path, and without objects and arrays on the way that are empty then.

    Raises:
        BrokenText: If the text is not JSON.
    """
    way = [parsed(text)]
    for step in path:
        inner = way[-1].part(step)
        if inner is None:
            return text
        way.append(inner)
    while len(way) > 2 and len(way[-2].parts or []) == 1:
        way.pop()
    outer, gone = way[-2], way[-1]
    parts = outer.parts or []
    at = parts.index(gone)
    if len(parts) == 1:
        return text[: outer.start + 1] + text[outer.end - 1 :]
    if at + 1 < len(parts):
        return text[: gone.begins] + text[parts[at + 1].begins :]
    return text[: parts[at - 1].end] + text[gone.end :]


def _added(text: str, at: Part, said: str) -> str:
    """Return a text with a member or an item at the end of an object or an array."""
    if not at.parts:
        inside = text[at.start + 1 : at.end - 1]
        new = _break(text, at, deeper=True)
        return text[: at.start + 1] + new + said + (_break(text, at) if new else inside) + text[at.end - 1 :]
    last = at.parts[-1]
    before = text[at.start + 1 : at.parts[0].begins]
    gap = before if "\n" in before and before.isspace() else _break(text, at, deeper=True) if "\n" in before else " "
    return text[: last.end] + "," + gap + said + text[last.end :]


def _written(text: str, at: Part, value: Any) -> str:
    """Return a value as the text around it would write it."""
    if _in_one_line(text):
        return json.dumps(value, ensure_ascii=False)
    unit = _unit(text)
    lines = json.dumps(value, ensure_ascii=False, indent=unit).splitlines()
    return (_newline(text) + _indent(text, at.start) + unit).join(lines)


def _break(text: str, at: Part, *, deeper: bool = False) -> str:
    if _in_one_line(text):
        return ""
    return _newline(text) + _indent(text, at.start) + (_unit(text) if deeper else "")


def _in_one_line(text: str) -> bool:
    return "\n" not in text.strip() and text.strip() != "{}"


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _unit(text: str) -> str:
    """Return by what a level is indented: as the first indented line, or by two blanks."""
    found = re.search(r"\n([ \t]+)\S", text)
    return found[1] if found else "  "


def _indent(text: str, at: int) -> str:
    """Return the blanks before the line of a place."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def _skipped(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _broken(text: str, at: int, expected: str) -> BrokenText:
    found = repr(text[at : at + 10].splitlines()[0]) if text[at : at + 1].strip() else "the end"
    return BrokenText(text.count("\n", 0, at) + 1, f"{expected}, found {found}")


def _read(text: str, start: int, key: str | None, begins: int) -> Part:
    part = Part(key, begins, start)
    head = text[start : start + 1]
    if head == "{":
        part.parts = []
        part.end = _members(text, start, part.parts, "}", named=True)
        part.value = {one.key: one.value for one in part.parts}
    elif head == "[":
        part.parts = []
        part.end = _members(text, start, part.parts, "]", named=False)
        part.value = [one.value for one in part.parts]
    elif head == '"':
        part.value, part.end = _string(text, start)
    elif found := _SCALAR.match(text, start):
        part.value, part.end = json.loads(found[0]), found.end()
    else:
        raise _broken(text, start, "expected a value")
    return part


def _members(text: str, start: int, parts: list[Part], closing: str, *, named: bool) -> int:
    at = _skipped(text, start + 1)
    if text[at : at + 1] == closing:
        return at + 1
    while True:
        begins, key = at, None
        if named:
            if text[at : at + 1] != '"':
                raise _broken(text, at, "expected a key in double quotes")
            key, at = _string(text, at)
            at = _skipped(text, at)
            if text[at : at + 1] != ":":
                raise _broken(text, at, "expected a colon")
            at = _skipped(text, at + 1)
        parts.append(_read(text, at, key, begins))
        at = _skipped(text, parts[-1].end)
        if text[at : at + 1] == closing:
            return at + 1
        if text[at : at + 1] != ",":
            raise _broken(text, at, f"expected a comma or {closing}")
        at = _skipped(text, at + 1)


def _string(text: str, start: int) -> tuple[str, int]:
    try:
        return scanstring(text, start + 1, True)
    except JSONDecodeError as error:
        raise _broken(text, start, "expected a text that ends on its line") from error
