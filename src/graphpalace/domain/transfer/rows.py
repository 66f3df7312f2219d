"""Check the rows of an export, which anybody may have written, before they reach the database.

A row of a node is a map of its properties, such as `{"id": "wing-...", "name": "python"}`. A row of a relationship has
the keys of its ends: `{"from": "wing-...", "to": "room-...", "properties": {"base_cost": 0.3}}`. Times are texts of ISO
8601, and bytes are base64.
"""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from graphpalace.domain.identity import place_name
from graphpalace.domain.transfer.kinds import EdgeKind, NodeKind, type_of
from graphpalace.domain.transfer.properties import PLACE_NAMES, RANGES, range_of
from graphpalace.errors import InvalidInput

Row = dict[str, Any]

_LARGEST = 2**63
_TIME = re.compile(r"-?\d{4,9}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d(:\d\d)?)(\[[\w/+-]+\])?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def check_row(kind: NodeKind | EdgeKind, row: Any, *, where: str) -> None:
    """Check a row of an export.

    Args:
        where: File and line, for messages.

    Raises:
        InvalidInput: If it is no map, has an unknown key, lacks what identifies it, or a value has another type.
    """
    if not isinstance(row, dict):
        raise _wrong(where, f"it is {_shown(row)}; it must be an object of JSON")
    if isinstance(kind, NodeKind):
        _check_properties(kind, row, where)
        missing = [name for name in _needed(kind) if name not in row]
        if missing:
            raise _wrong(where, f"it has no {missing[0]!r}")
        return
    if row.keys() - {"from", "to", "properties"}:
        raise _wrong(where, f"it has {_shown(min(row.keys() - {'from', 'to', 'properties'}))}; a relationship has "
                     "from, to and properties")  # fmt: skip
    for end in ("from", "to"):
        if not isinstance(row.get(end), str):
            raise _wrong(where, f"{end} is {_shown(row.get(end))}; it must be the id of a node")
    properties = row.get("properties", {})
    if not isinstance(properties, dict):
        raise _wrong(where, f"properties is {_shown(properties)}; it must be an object of JSON")
    _check_properties(kind, properties, where)
    if kind.type == "RELATES_TO" and "id" not in properties:
        raise _wrong(where, "it has no 'id'")


def _needed(kind: NodeKind) -> tuple[str, ...]:
    if kind.file == "simulation_states":
        return (kind.key, "part", "data")
    if kind.file == "drawers":
        return (kind.key, "wing_id", "room_id", "text")
    indexed = (one for one in (kind.indexed, kind.also) if one is not None and one not in ("palace", kind.key))
    return (kind.key, *indexed)


def _check_properties(kind: NodeKind | EdgeKind, properties: Mapping[str, Any], where: str) -> None:
    named = PLACE_NAMES.get(kind.file, ())
    for name, value in properties.items():
        expected = type_of(kind, name)
        if expected is None:
            raise _wrong(where, f"it has {_shown(name)}, which {kind.file} of this version of the format do not have")
        if not _RIGHT[expected](value):
            raise _wrong(where, f"{name} is {_shown(value)}; it must be {_NAMES[expected]}")
        if expected in ("float", "floats") or name in RANGES:
            _check_range(name, value, where)
        if name in named:
            _check_name(name, value, where)


def _check_range(name: str, value: Any, where: str) -> None:
    least, most = range_of(name)
    if type(value) is float and least <= value <= most:
        return
    for one in value if isinstance(value, list) else (value,):
        if not least <= one <= most:
            raise _wrong(where, f"{name} is {_shown(one)}; it must be {least:.16g} to {most:.16g}")


def _check_name(name: str, value: str, where: str) -> None:
    try:
        place_name(name, value)
    except InvalidInput as error:
        raise _wrong(where, error.message) from None


def _is_int(value: Any) -> bool:
    return type(value) is int and -_LARGEST <= value < _LARGEST


def _is_float(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _is_text(value: Any) -> bool:
    if not isinstance(value, str):
        return False
    if value.isascii():
        return True
    try:
        value.encode()  # Neo4j stores no lone surrogates
    except UnicodeEncodeError:
        return False
    return True


def _is_json(value: Any) -> bool:
    try:
        json.loads(value)
    except (TypeError, ValueError, RecursionError):
        return False
    return _is_text(value)


def _is_bytes(value: Any) -> bool:
    try:
        base64.b64decode(value, validate=True)
    except (TypeError, ValueError):
        return False
    return True


def _list_of(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(check, value))


_RIGHT: Mapping[str, Callable[[Any], bool]] = {
    "text": _is_text,
    "int": _is_int,
    "float": _is_float,
    "bool": lambda value: isinstance(value, bool),
    "time": lambda value: isinstance(value, str) and bool(_TIME.fullmatch(value)),
    "date": lambda value: isinstance(value, str) and bool(_DATE.fullmatch(value)),
    "bytes": _is_bytes,
    "json": _is_json,
    "texts": _list_of(_is_text),
    "ints": _list_of(_is_int),
    "floats": _list_of(_is_float),
}
_NAMES = {
    "text": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "time": "a time with its zone, such as 2026-05-31T12:00:00Z",
    "date": "a day, such as 2026-05-31",
    "bytes": "base64",
    "json": "a text that contains JSON",
    "texts": "a list of texts",
    "ints": "a list of whole numbers",
    "floats": "a list of numbers",
}


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


def _wrong(where: str, what: str) -> InvalidInput:
    return InvalidInput(f"{where}: {what}", field=where)
