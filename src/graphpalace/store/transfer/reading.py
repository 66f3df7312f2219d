"""Read everything that a palace has, as rows of an export, and turn its properties into JSON and back."""

from __future__ import annotations

import base64
import re
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from datetime import timezone
from typing import Any

from neo4j.time import Date, DateTime

from graphpalace.domain.transfer.kinds import NODES, EdgeKind, NodeKind, type_of
from graphpalace.domain.transfer.properties import NAMED
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.store.connection.database import Database, Row

_ZONE = re.compile(r"\[[\w/+-]+\]$")
_BATCH, _MOST_CHARS = 500, 1_000_000  # rows, and characters of them


@dataclass(frozen=True, slots=True)
class PalaceAtATime:
    """A palace at some time.

    Attributes:
        properties: All that it has.
        cycle: Of its clock.
        now: The time, in ISO 8601.
    """

    properties: Row
    cycle: int
    now: str

    @property
    def writes(self) -> tuple[int, ...]:
        """What changes with every write."""
        return tuple(self.properties.get(name) or 0 for name in ("revision", "learned", "forgot", "facts"))


class PalaceReader:
    """Reads palaces row by row, in bounded memory."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def palace(self, name: str, *, cycle_seconds: float) -> PalaceAtATime:
        """Return a palace as it is now.

        Raises:
            NotFound: If there is no palace of this name.
        """
        rows = await self._database.read(name, "transfer/read_palace", cycle_seconds=cycle_seconds)
        if not rows:
            raise NotFound(f"there is no palace {name!r}; `graphpalace palace list` shows those there are", palace=name)
        return PalaceAtATime(**rows[0])

    async def rows(
        self, palace: str, kind: NodeKind | EdgeKind, *, leave_out: frozenset[str]
    ) -> AsyncIterator[list[Row]]:
        """Yield the rows of a kind in batches.

        Args:
            leave_out: Properties that are not read.
        """
        found = self._nodes(palace, kind) if isinstance(kind, NodeKind) else self._edges(palace, kind)
        batch: list[Row] = []
        chars = 0
        async for row in found:
            properties = to_json(kind, row["properties"], leave_out=leave_out)
            if isinstance(kind, EdgeKind):
                ends = {"from": row["source"], "to": row["target"]}
                batch.append(ends | ({"properties": properties} if properties else {}))
            else:
                batch.append(properties)
            chars += sum(len(value) for value in properties.values() if isinstance(value, str))
            if len(batch) == _BATCH or chars > _MOST_CHARS:
                yield batch
                batch, chars = [], 0
        if batch:
            yield batch

    def _nodes(self, palace: str, kind: NodeKind) -> AsyncIterator[Row]:
        return self._database.stream(palace, "transfer/list_nodes", literals=node_literals(kind, palace))

    def _edges(self, palace: str, kind: EdgeKind) -> AsyncIterator[Row]:
        return self._database.stream(palace, "transfer/list_edges", literals=edge_literals(kind, palace))


def node_literals(kind: NodeKind, palace: str) -> dict[str, str]:
    """Return what stands in the query that lists the nodes of a kind."""
    return {"label": own_label(kind, palace), "indexed": kind.indexed, "also": kind.also or kind.indexed}


def edge_literals(kind: EdgeKind, palace: str) -> dict[str, str]:
    """Return what stands in the query that lists the relationships of a kind."""
    source, target = NODES[kind.source], NODES[kind.target]
    return {
        "source": own_label(source, palace),
        "sourceindexed": source.indexed,
        "sourcealso": source.also or source.indexed,
        "from": source.key,
        "type": kind.type,
        "target": own_label(target, palace),
        "targetindexed": target.indexed,
        "targetalso": target.also or target.indexed,
        "to": target.key,
    }


def own_label(kind: NodeKind, palace: str) -> str:
    """Return the label by which Neo4j finds the nodes of a kind: drawers have one of each palace's own."""
    return f"Drawer_{palace}" if kind.label == "Drawer" else kind.label


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
