"""Palaces, wings and rooms as they are listed. Moments are texts as ISO 8601 writes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from graphpalace.domain.room import HallType, WingType

WingName = Annotated[str, Field(json_schema_extra={"enum": list(WingType)})]
HallName = Annotated[str, Field(json_schema_extra={"enum": list(HallType)})]


@dataclass(frozen=True, slots=True)
class Palace:
    """A palace with its counts."""

    name: Annotated[str, Field(examples=["example_palace"])]
    created_at: str
    model: Annotated[str, Field(description="embedding model its vectors are of")]
    dimension: Annotated[int, Field(description="of these vectors")]
    wings: int
    rooms: int
    closets: int
    drawers: int


@dataclass(frozen=True, slots=True)
class PalaceState:
    """What a palace notes of itself.

    Attributes:
        born: When it was made, which tells it from a later one of its name.
        analyzer: Lucene's, for its words.
        revision: How many changes were made to what is in it.
        settled_revision: Up to which change its centroids, halls and tunnels follow from its drawers.
        divided_revision: Up to which change its common rooms were divided.
        cycle: Where its clock was set.
    """

    name: str
    born: str
    model: str
    dimension: int
    analyzer: str
    revision: int
    settled_revision: int
    divided_revision: int
    cycle: int


@dataclass(frozen=True, slots=True)
class Wing:
    """A wing with its counts."""

    id: str
    name: Annotated[str, Field(examples=["python"])]
    wing_type: WingName
    language: Annotated[str | None, Field(description="by which its words are stemmed; ISO 639-1, null if not known")]
    created_at: str
    rooms: int
    closets: int
    drawers: int


@dataclass(frozen=True, slots=True)
class Room:
    """A room with its counts and its neighbours."""

    id: str
    name: Annotated[str, Field(examples=["decorators"])]
    wing_id: str
    wing: str
    hall_type: HallName
    found_by: Annotated[str, Field(description="folder, heading, cluster or hand")]
    closets: int
    drawers: int
    halls: Annotated[list[str], Field(description="rooms of the same wing and hall type")]
    tunnels: Annotated[list[str], Field(description="rooms of other wings that are near in meaning, as wing/room")]


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """What the names of a wing and a room mean.

    Attributes:
        wing_id: None if there is no such wing, or none was named.
        room_ids: Of the rooms of that name, in the wing or in all of them.
        wings: Names of some wings of the palace.
        rooms: Names of some rooms of the wing, or of all of them.
    """

    wing_id: str | None
    room_ids: list[str]
    wings: list[str]
    rooms: list[str]


@dataclass(frozen=True, slots=True)
class ClosetContents:
    """A closet with its title and the ids of its drawers."""

    id: str
    title: str
    drawers: list[str]
