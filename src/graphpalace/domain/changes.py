"""Where a palace stands, and what changed in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PalaceStanding:
    """Where a palace and its learning stood when it was read.

    Attributes:
        born: When it was made, which tells it from a later one of its name.
        learned, forgot: How much feedback it got, and how often some of that was taken back.
        cycle: Where its clock was set.
        since_ms: Milliseconds since then.
        revision: How many changes were made to what is in it.
        drawers: How many it holds.
    """

    born: str
    learned: int
    forgot: int
    cycle: int
    since_ms: int
    revision: int
    drawers: int

    @property
    def written(self) -> int:
        """How much was written to the palace; every part only grows."""
        return self.revision + self.learned + self.forgot


@dataclass(frozen=True, slots=True)
class DrawerChange:
    """An entry of the change feed: ids of the drawers that were stored, and that were removed."""

    stored: Sequence[str]
    removed: Sequence[str]


@dataclass(frozen=True, slots=True)
class GraphChange:
    """An entry of the change feed with the nodes, by id, and the edges that pheromones were laid on.

    Attributes:
        edges: Each as "TYPE source target".
    """

    stored: Sequence[str]
    removed: Sequence[str]
    nodes: Sequence[str]
    edges: Sequence[str]
