"""The shape of a palace: what is in which place, which places are near each other, and how much there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from graphpalace.domain.places import HallName, WingName


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
