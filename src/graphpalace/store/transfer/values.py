"""Turn properties as Neo4j has them into JSON, and back."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from datetime import timezone
from typing import Any

from neo4j.time import Date, DateTime

from graphpalace.domain.transfer.kinds import NAMED, EdgeKind, NodeKind, type_of
from graphpalace.errors import InvalidInput
from graphpalace.store.connection.database import Row

_ZONE = re.compile(r"\[[\w/+-]+\]$")


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


def _time(text: str) -> DateTime:
    """Return a time whose zone is an offset.

    Neo4j would write a zone with a name, as even UTC has one in pytz, behind the time: `12:00:00Z[UTC]` is no time for
    Python, for JavaScript or for ISO 8601. The offset before the name says the same.
    """
    moment = DateTime.from_iso_format(_ZONE.sub("", text))
    offset = moment.utcoffset()
    assert offset is not None  # a row without a zone is refused before
    return moment.replace(tzinfo=timezone(offset))


_TO_JSON: Mapping[str, Callable[[Any], Any]] = {
    "bytes": lambda value: base64.b64encode(value).decode(),
    "time": lambda value: value.iso_format(),
    "date": lambda value: value.iso_format(),
}
_FROM_JSON: Mapping[str, Callable[[Any], Any]] = {
    "bytes": base64.b64decode,
    "time": _time,
    "date": Date.from_iso_format,
    "float": float,
    "floats": lambda value: [float(one) for one in value],
}
