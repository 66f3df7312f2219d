"""The clock of a palace, which counts the cycles of pheromone decay."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PalaceClock:
    """The current cycle of a palace.

    Attributes:
        next_cycle_at: When the next cycle starts, by the clock of the database.
    """

    cycle: int
    next_cycle_at: str
