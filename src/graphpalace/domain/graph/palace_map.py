"""A palace as a map: its wings and rooms, the passages between them, and how its pheromones went."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Strength:
    """How much of each pheromone lies somewhere, each >= 0 and as it is now."""

    exploitation: float
    exploration: float
    success: float
    traversal: float
    recency: float


@dataclass(frozen=True, slots=True)
class MapRoom:
    """A room.

    Attributes:
        strength: Of the room and all that is in it, and of the edges that lead into it or lie in it.
    """

    id: str
    name: str
    hall_type: str
    closets: int
    drawers: int
    strength: Strength


@dataclass(frozen=True, slots=True)
class MapWing:
    """A wing with its rooms, by name.

    Attributes:
        strength: Of the wing itself and of its rooms.
    """

    id: str
    name: str
    wing_type: str
    drawers: int
    strength: Strength
    rooms: list[MapRoom]


@dataclass(frozen=True, slots=True)
class Passage:
    """A hall between two rooms of one wing, or a tunnel between two of different wings.

    Attributes:
        source, target: Ids of the rooms; it is walked both ways.
    """

    type: Literal["HALL", "TUNNEL"]
    source: str
    target: str
    success: float
    traversal: float
    recency: float


@dataclass(frozen=True, slots=True)
class PalaceMap:
    """The wings of a palace by name, and all passages."""

    palace: str
    cycle: int
    wings: list[MapWing]
    passages: list[Passage]


@dataclass(frozen=True, slots=True)
class PheromoneSample:
    """How much of each pheromone a palace had, over all nodes or edges, after a run of the decay."""

    cycle: int
    at: str
    exploitation: float
    exploration: float
    success: float
    traversal: float
    recency: float


@dataclass(frozen=True, slots=True)
class PheromoneHistory:
    """Samples, the oldest first."""

    palace: str
    samples: list[PheromoneSample]
