"""Turn properties as Neo4j has them into JSON, and back."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from typing import Any
from zoneinfo import ZoneInfo

from neo4j.time import Date, DateTime

from graphpalace.domain.transfer.kinds import NAMED, EdgeKind, NodeKind, type_of
from graphpalace.errors import InvalidInput
from graphpalace.store.connection.database import Row

_ZONE = re.compile(r"\[([\w/+-]+)\]$")


def to_json(kind: NodeKind | EdgeKind, properties: Row, *, leave_out: frozenset[str]) -> Row:
    """Return properties as JSON has them. Those that the kind does not have, such as `palace`, are left out."""
    found: Row = {}
    for name, value in properties.items():
        given = type_of(kind, name)
        if given is not None and name not in leave_out:
            found[name] = _TO_JSON[given](value) if given in _TO_JSON else value
    return found


def from_json(kind: NodeKind | EdgeKind, row: Mapping[str, Any], *, palace: str) -> Row:
    """Return the properties of a row that was checked, as Neo4j has them.

    Raises:
        InvalidInput: If a time does not exist, or a property has the name of another palace.
    """
    found: Row = {}
    for name, value in row.items():
        given = type_of(kind, name) or "text"
        if name in NAMED and value != palace:
            raise InvalidInput(f"{kind.file}: {name} is {value!r}; it must be {palace!r}", field=name)
        try:
            found[name] = _FROM_JSON[given](value) if given in _FROM_JSON else value
        except (ValueError, KeyError) as error:
            raise InvalidInput(f"{kind.file}: {name} is {value!r}, which does not exist", field=name) from error
    return found


def _time_text(value: Any) -> str:
    zone = getattr(value.tzinfo, "zone", None) or getattr(value.tzinfo, "key", None)
    return value.iso_format() + (f"[{zone}]" if zone and zone != "UTC" else "")


def _time(text: str) -> DateTime:
    zone = _ZONE.search(text)
    moment = DateTime.from_iso_format(text[: zone.start()] if zone else text)
    return moment.astimezone(ZoneInfo(zone[1])) if zone else moment


_TO_JSON: Mapping[str, Callable[[Any], Any]] = {
    "bytes": lambda value: base64.b64encode(value).decode(),
    "time": _time_text,
    "date": lambda value: value.iso_format(),
}
_FROM_JSON: Mapping[str, Callable[[Any], Any]] = {
    "bytes": base64.b64decode,
    "time": _time,
    "date": Date.from_iso_format,
    "float": float,
    "floats": lambda value: [float(one) for one in value],
}
