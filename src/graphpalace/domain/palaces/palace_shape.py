"""The shape of a palace: what is in which place, how near places are, how much there is, and a map of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from graphpalace.domain.field import NAMED, Field
from graphpalace.domain.palaces.places import HallName, WingName

SAMPLES_KEPT = 1000  # for each palace; more than a year at the default of one sample in ten hours


@dataclass(frozen=True, slots=True)
class ShapeQuery:
    """A whole palace."""


@dataclass(frozen=True, slots=True)
class TunnelQuery:
    """Which tunnels to list."""

    wing: Annotated[
        str | None,
        Field(description="only tunnels with an end in this wing, which is then the first end of each"),
        NAMED,
    ] = None
    other: Annotated[str | None, Field(description="only tunnels whose other end is in this wing"), NAMED] = None


@dataclass(frozen=True, slots=True)
class TaxonomyRoom:
    """A room with its counts."""

    name: Annotated[str, Field(examples=["decorators"])]
    hall_type: HallName
    closets: int
    drawers: int


@dataclass(frozen=True, slots=True)
class TaxonomyWing:
    """A wing with its rooms, sorted by name."""

    name: Annotated[str, Field(examples=["python"])]
    wing_type: WingName
    closets: int
    drawers: int
    rooms: Sequence[TaxonomyRoom]


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """All wings of a palace with their rooms, sorted by name."""

    palace: Annotated[str, Field(examples=["example_palace"])]
    drawers: int
    wings: Sequence[TaxonomyWing]


@dataclass(frozen=True, slots=True)
class Tunnel:
    """Two rooms of different wings that have the same name or are near in meaning. A tunnel leads both ways.

    Attributes:
        similarity: Cosine of the mean vectors of both rooms, -1 to 1.
    """

    wing: Annotated[str, Field(examples=["python"])]
    room: Annotated[str, Field(examples=["decorators"])]
    room_id: str
    other_wing: str
    other_room: str
    other_room_id: str
    similarity: Annotated[float, Field(description="cosine of the rooms' mean vectors, -1 to 1")]

    def turned(self) -> Tunnel:
        """Return the same tunnel, seen from its other end."""
        return Tunnel(
            self.other_wing,
            self.other_room,
            self.other_room_id,
            self.wing,
            self.room,
            self.room_id,
            self.similarity,
        )


@dataclass(frozen=True, slots=True)
class PalaceStats:
    """How much there is in a palace.

    Attributes:
        nodes: The number of nodes of each label.
        edges: The number of relationships of each type.
        revision: How many writes the palace has seen.
        settled: Whether halls and tunnels are up to date with the drawers.
    """

    palace: Annotated[str, Field(examples=["example_palace"])]
    created_at: str
    model: Annotated[str, Field(description="embedding model its vectors are of")]
    dimension: Annotated[int, Field(description="of these vectors")]
    nodes: Annotated[Mapping[str, int], Field(description="number of nodes, by label")]
    edges: Annotated[Mapping[str, int], Field(description="number of relationships, by type")]
    revision: Annotated[int, Field(description="number of writes that the palace has seen")]
    settled: Annotated[bool, Field(description="whether halls and tunnels are up to date with the drawers")]


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
class MapQuery:
    """The whole palace."""


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
class HistoryQuery:
    """How much of the history of the pheromones is wanted."""

    limit: Annotated[int, Field(ge=1, le=SAMPLES_KEPT, description="number of latest samples")] = SAMPLES_KEPT


@dataclass(frozen=True, slots=True)
class PheromoneHistory:
    """The pheromones of a palace over time: samples, oldest first."""

    palace: str
    samples: list[PheromoneSample]
