"""The version of a palace, and the entries of its change feed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PalaceVersion:
    """The version of a palace and of its learning at the time of a read.

    Attributes:
        born: When the palace was created, which distinguishes it from a later palace of the same name.
        learned, forgot: Number of feedbacks that were given, and number of times that feedback was taken back.
        cycle: Cycle to which the clock was last set.
        since_ms: Milliseconds since the clock was set.
        revision: Number of changes to the contents of the palace.
        drawers: Number of drawers.
        model, dimension: Embedding model of the vectors, and their length.
        facts, facts_forgot: How often facts were written, and how often some of these writes deleted facts.
    """

    born: str
    learned: int
    forgot: int
    cycle: int
    since_ms: int
    revision: int
    drawers: int
    model: str
    dimension: int
    facts: int = 0
    facts_forgot: int = 0

    @property
    def written(self) -> int:
        """Number of writes to the palace. It never decreases."""
        return self.revision + self.learned + self.forgot


@dataclass(frozen=True, slots=True)
class DrawerChange:
    """An entry of the change feed: ids of the drawers that were stored and of those that were removed."""

    stored: Sequence[str]
    removed: Sequence[str]


@dataclass(frozen=True, slots=True)
class GraphChange:
    """An entry of the change feed, with the ids of nodes and the keys of edges that received pheromones.

    Attributes:
        named: Ids of drawers that mention other names than before.
        edges: Each in the form "TYPE source target".
    """

    stored: Sequence[str]
    removed: Sequence[str]
    named: Sequence[str]
    nodes: Sequence[str]
    edges: Sequence[str]
