"""The map of a palace: wings, rooms, the passages between them, and their pheromones now and over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class PheromoneStrengths:
    """The current amount of each pheromone on some part of a palace, >= 0."""

    exploitation: float
    exploration: float
    success: float
    traversal: float
    recency: float


@dataclass(frozen=True, slots=True)
class MapRoom:
    """A room on the map.

    Attributes:
        hall_type: Type of the room.
        closets, drawers: Number of closets and drawers in it.
        strength: Total pheromones of the room, its contents, and the edges in it or into it.
    """

    id: str
    name: str
    hall_type: str
    closets: int
    drawers: int
    strength: PheromoneStrengths


@dataclass(frozen=True, slots=True)
class MapWing:
    """A wing on the map.

    Attributes:
        drawers: Number of drawers in it.
        strength: Total pheromones of the wing and its rooms.
        rooms: Its rooms, sorted by name.
    """

    id: str
    name: str
    wing_type: str
    drawers: int
    strength: PheromoneStrengths
    rooms: list[MapRoom]


@dataclass(frozen=True, slots=True)
class Passage:
    """A hall, which connects two rooms of one wing, or a tunnel, which connects rooms of different wings.

    Attributes:
        source, target: Ids of the rooms. The passage leads both ways.
        success, traversal, recency: Its current pheromones, >= 0.
    """

    type: Literal["HALL", "TUNNEL"]
    source: str
    target: str
    success: float
    traversal: float
    recency: float


@dataclass(frozen=True, slots=True)
class PalaceMap:
    """The map of a palace: its wings, sorted by name, and all passages."""

    palace: str
    cycle: int
    wings: list[MapWing]
    passages: list[Passage]


@dataclass(frozen=True, slots=True)
class PheromoneSample:
    """The total amount of each pheromone in a palace after one run of the decay."""

    cycle: int
    at: str
    exploitation: float
    exploration: float
    success: float
    traversal: float
    recency: float


@dataclass(frozen=True, slots=True)
class PheromoneHistory:
    """The pheromones of a palace over time: samples, oldest first."""

    palace: str
    samples: list[PheromoneSample]
