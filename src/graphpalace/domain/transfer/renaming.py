"""Give the rows of an export the ids and cycles that they need in another palace.

Ids follow from the name of the palace. So a drawer of `main` has another id in `copy`: the one that it would have if it
had been stored there. Only then is a text that is stored again found to be there already. What an id followed from is
not always known, for example of a drawer whose text was changed. It then gets an id that follows from its old one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from hashlib import blake2b
from typing import Any

from graphpalace.domain.identity import stable_id, text_hash
from graphpalace.domain.moments import shown_time
from graphpalace.domain.transfer.kinds import EdgeKind, NodeKind
from graphpalace.domain.transfer.properties import CYCLES, NAMED, VECTORS, is_words

Row = dict[str, Any]

# The files that ids are learned from, in the order in which they are needed.
LEARNED_FROM = (
    "has_drawer", "wings", "rooms", "closets", "drawers", "entities", "merged_entities", "agents", "lanes",
    "caller_documents", "feedback", "relates_to",
)  # fmt: skip

_ID = re.compile(r"\b[a-z]+-[0-9a-f]{8,32}\b")
_MOST_EQUAL = 20  # drawers with the same text in a closet, and facts between the same ends at the same time


class Renaming:
    """Changes the rows of a palace for another one.

    Args:
        source, target: Names of the palaces. With the same name, ids stay as they are.
        shift_cycles: What to add to cycles of the clock.
        vectors: Whether vectors are kept.
    """

    def __init__(self, source: str, target: str, *, shift_cycles: int = 0, vectors: bool = True) -> None:
        self._source = source
        self._target = target
        self._shift = shift_cycles
        self._vectors = vectors
        self._ids: dict[str, str] = {}
        self._wings: dict[str, str] = {}
        self._closets: dict[str, str] = {}

    @property
    def changes_ids(self) -> bool:
        """Whether ids change."""
        return self._source != self._target

    def learn(self, kind: NodeKind | EdgeKind, row: Row) -> None:
        """Note what the ids of a row follow from. Before any row is changed, all of `LEARNED_FROM` must be learned."""
        if kind.file == "has_drawer":
            self._closets[row["to"]] = row["from"]
        elif isinstance(kind, NodeKind):
            self._derive(kind, row)
        elif kind.file == "relates_to":
            self._derive_fact(row)

    def node(self, kind: NodeKind, row: Row) -> Row:
        """Return a node's row as the other palace needs it."""
        row = self._shifted(row)
        if not self.changes_ids:
            return row
        renamed = {name: self._renamed(name, value) for name, value in row.items()}
        if kind.file == "palace":
            renamed |= {"name": self._target, "id": stable_id("palace", self._target)}
        return renamed

    def edge(self, kind: EdgeKind, row: Row) -> Row:
        """Return a relationship's row as the other palace needs it."""
        properties = self._shifted(row.get("properties", {}))
        if not self.changes_ids:
            return row | {"properties": properties}
        return {
            "from": self._end(kind.source, row["from"]),
            "to": self._end(kind.target, row["to"]),
            "properties": {name: self._renamed(name, value) for name, value in properties.items()},
        }

    def _end(self, file: str, key: str) -> str:
        return self._target if file == "palace" else self._new(key)

    def _shifted(self, row: Row) -> Row:
        if self._shift or not self._vectors:
            return {
                name: value + self._shift if name in CYCLES and isinstance(value, int) else value
                for name, value in row.items()
                if self._vectors or name not in VECTORS
            }
        return row

    def _renamed(self, name: str, value: Any) -> Any:
        if name in NAMED:
            return self._target if value == self._source else value
        if name == "id" and isinstance(value, str):
            return self._new(value)
        if is_words(name):
            return value
        if isinstance(value, str):
            return _ID.sub(lambda found: self._new(found[0]), value)
        if isinstance(value, list):
            return [self._renamed("", one) for one in value]
        return value

    def _new(self, old: str) -> str:
        known = self._ids.get(old)
        if known is not None:
            return known
        prefix, dash, digits = old.rpartition("-")
        new = blake2b(f"{self._target} {old}".encode(), digest_size=32).hexdigest()
        return f"{prefix}{dash}{new[: max(len(digits), 8)]}"

    def _derive(self, kind: NodeKind, row: Row) -> None:
        old, name = str(row.get("id")), str(row.get("name", ""))
        for place in self._places(kind, row, name):
            if stable_id(place[0], self._source, *place[1:]) == old:
                self._ids[old] = stable_id(place[0], self._target, *(self._ids.get(one, one) for one in place[1:]))
                break
        else:
            if kind.file == "closets":  # its source was moved; the ids of its drawers follow from its own
                self._ids[old] = self._new(old)
        if kind.file == "wings":
            self._wings[old] = name
        if kind.file == "feedback":
            self._derive_deposit(row.get("deposit", old), old)

    def _places(self, kind: NodeKind, row: Row, name: str) -> Iterator[tuple[str, ...]]:
        """Yield what a node's id may follow from, besides the palace."""
        match kind.file:
            case "wings":
                yield "wing", name
            case "rooms":
                yield "room", self._wings.get(row["wing_id"], ""), name
            case "closets":
                place = ("closet", self._wings.get(row["wing_id"], ""), row.get("source_uri", ""))
                yield place
                yield from ((*place, str(number)) for number in range(1, _MOST_EQUAL))
            case "drawers":
                within = row.get("turn") or self._closets.get(row["id"], "")
                for number in range(_MOST_EQUAL):
                    yield "drawer", within, text_hash(row["text"]), str(number)
            case "entities" | "merged_entities":
                yield "entity", row.get("normalised_name", "")
            case "agents":
                yield "agent", name
            case "lanes":
                yield "lane", name
            case "caller_documents":
                yield "document", row.get("namespace", ""), name
            case _:
                return

    def _derive_deposit(self, key: str, feedback: str) -> None:
        """Learn the id of a feedback's deposit, which follows from the id of the feedback."""
        renamed = key.replace(feedback, self._new(feedback))
        self._ids[stable_id("deposit", self._source, key)] = stable_id("deposit", self._target, renamed)

    def _derive_fact(self, row: Row) -> None:
        properties = row["properties"]
        subjects = [*properties.get("subjects_before", ())[:1], row["from"]]
        objects = [*properties.get("objects_before", ())[:1], row["to"]]
        ends = [_shown(properties.get(name)) for name in ("valid_from", "valid_to")]
        place = (subjects[0], properties.get("predicate", ""), objects[0], *ends)
        for number in range(_MOST_EQUAL):
            if stable_id("fact", self._source, *place, str(number)) == properties["id"]:
                new = (self._new(place[0]), place[1], self._new(place[2]), *ends, str(number))
                self._ids[properties["id"]] = stable_id("fact", self._target, *new)
                return


def _shown(time: str | None) -> str:
    if time is None:
        return ""
    moment, dot, rest = time.partition(".")
    if dot:
        zone = rest.lstrip("0123456789")
        time = f"{moment}.{rest[: len(rest) - len(zone)][:6]}{zone}"
    try:
        return shown_time(datetime.fromisoformat(time.partition("[")[0]))
    except ValueError:
        return ""
