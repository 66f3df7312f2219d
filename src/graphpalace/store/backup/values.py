"""Lines of a backup: JSON, in which what JSON does not have is an object that names its type.

A property of Neo4j is never a map, so an object among properties is always such a value.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from datetime import UTC, timezone
from typing import Any

import pytz
from neo4j.spatial import Point
from neo4j.time import Date, DateTime, Duration, Time

from graphpalace.errors import DatabaseFailed

_Tagged = Mapping[str, Any]
_PLAIN = frozenset({str, int, float, bool})


def line_of(row: list[Any]) -> bytes:
    """Return a row, whose last item is a map of properties, as a line.

    Numbers come back bit for bit, and times in their zone to the nanosecond.

    Raises:
        DatabaseFailed: If a property has a type that a backup cannot hold.
    """
    *row, properties = row
    told = {name: value if type(value) in _PLAIN else _tagged(value) for name, value in properties.items()}
    return json.dumps([*row, told], ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def row_of(line: bytes) -> list[Any]:
    """Return the row of a line."""
    *row, properties = json.loads(line)
    return [*row, {name: _untagged(value) for name, value in properties.items()}]


def _tagged(value: Any) -> Any:
    if type(value) is list:
        return value if not value or type(value[0]) in _PLAIN else [_tagged(one) for one in value]
    for kind, tag in _TAGS:
        if isinstance(value, kind):
            return tag(value)
    raise DatabaseFailed(f"a property has a value of the type {type(value).__name__}, which a backup cannot hold")


def _of_datetime(value: DateTime) -> _Tagged:
    if value.tzinfo is None:
        return {"local_datetime": value.iso_format()}
    # Neo4j takes the zone UTC of pytz for one with a name, which it is not: the driver gives it to the offset 0.
    zone = getattr(value.tzinfo, "zone", None) if value.tzinfo is not pytz.UTC else None
    return {"datetime": value.iso_format()} | ({"zone": zone} if zone else {})


_TAGS: tuple[tuple[type, Callable[[Any], _Tagged]], ...] = (
    (bytes, lambda value: {"bytes": base64.b64encode(value).decode()}),
    (DateTime, _of_datetime),
    (Time, lambda value: {"local_time" if value.tzinfo is None else "time": value.iso_format()}),
    (Date, lambda value: {"date": value.iso_format()}),
    (Duration, lambda value: {"duration": list(value)}),
    (Point, lambda value: {"point": list(value), "srid": value.srid}),
)


def _untagged(value: Any) -> Any:
    if isinstance(value, list):
        return [_untagged(one) for one in value]
    if isinstance(value, dict):
        return next(make(value) for tag, make in _FROM_TAG.items() if tag in value)
    return value


def _datetime(value: _Tagged) -> DateTime:
    moment = DateTime.from_iso_format(value["datetime"])
    if zone := value.get("zone"):
        return moment.astimezone(UTC).astimezone(pytz.timezone(zone))
    offset = moment.utcoffset()
    assert offset is not None
    return moment.replace(tzinfo=timezone(offset))


def _time(value: _Tagged) -> Time:
    moment = Time.from_iso_format(value["time"])
    offset = moment.utc_offset()
    assert offset is not None
    return moment.replace(tzinfo=pytz.FixedOffset(int(offset.total_seconds()) // 60))


def _duration(value: _Tagged) -> Duration:
    months, days, seconds, nanoseconds = value["duration"]
    return Duration(months=months, days=days, seconds=seconds, nanoseconds=nanoseconds)


def _point(value: _Tagged) -> Point:
    point = Point(value["point"])
    point.srid = value["srid"]
    return point


_FROM_TAG: Mapping[str, Callable[[_Tagged], Any]] = {
    "bytes": lambda value: base64.b64decode(value["bytes"]),
    "datetime": _datetime,
    "local_datetime": lambda value: DateTime.from_iso_format(value["local_datetime"]),
    "time": _time,
    "local_time": lambda value: Time.from_iso_format(value["local_time"]),
    "date": lambda value: Date.from_iso_format(value["date"]),
    "duration": _duration,
    "point": _point,
}
