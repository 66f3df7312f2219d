"""Wings, rooms and closets: their types, and how they are listed. Moments are texts as ISO 8601 writes them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from graphpalace.domain.field import NAMED, Field
from graphpalace.domain.identity import MOST_NAME_CHARS

# Cost of walking an edge that carries no pheromone; SIMILAR_TO costs 1 - similarity instead.
BASE_COST = {"HAS_ROOM": 0.3, "HAS_CLOSET": 0.3, "HAS_DRAWER": 0.3, "HALL": 0.5, "TUNNEL": 0.7, "CONTAINS": 1.0}


class HallType(StrEnum):
    """What most texts of a room are."""

    FACTS = "facts"
    EVENTS = "events"
    DISCOVERIES = "discoveries"
    PREFERENCES = "preferences"
    ADVICE = "advice"


class WingType(StrEnum):
    """What a wing is about."""

    PERSON = "person"
    PROJECT = "project"
    DOMAIN = "domain"
    TOPIC = "topic"


WingName = Annotated[str, Field(json_schema_extra={"enum": list(WingType)})]
HallName = Annotated[str, Field(json_schema_extra={"enum": list(HallType)})]


NewName = Annotated[
    str,
    Field(min_length=1, max_length=MOST_NAME_CHARS, description=f"one line of 1 to {MOST_NAME_CHARS} characters"),
    NAMED,
]


@dataclass(frozen=True, slots=True)
class WingQuery:
    """All wings of a palace."""


@dataclass(frozen=True, slots=True)
class NewWing:
    """A wing to create."""

    name: Annotated[NewName, Field(examples=["python"])]
    wing_type: Annotated[WingType, Field(description="what it is about: person, project, domain or topic")] = (
        WingType.TOPIC
    )


@dataclass(frozen=True, slots=True)
class WingToDelete:
    """A wing to delete with everything in it."""

    name: Annotated[str, Field(description="of the wing"), NAMED]


@dataclass(frozen=True, slots=True)
class RoomQuery:
    """Which rooms to list."""

    wing: Annotated[str | None, Field(description="only rooms of this wing"), NAMED] = None


@dataclass(frozen=True, slots=True)
class NewRoom:
    """A room to create."""

    wing: Annotated[NewName, Field(description="an existing wing, or a new one", examples=["python"])]
    name: Annotated[NewName, Field(examples=["decorators"])]
    hall_type: Annotated[
        HallType,
        Field(description="what most of its texts are: facts, events, discoveries, preferences or advice"),
    ] = HallType.FACTS


@dataclass(frozen=True, slots=True)
class RoomToDelete:
    """A room to delete with everything in it."""

    wing: Annotated[str, Field(description="the wing of the room"), NAMED]
    name: Annotated[str, Field(description="of the room"), NAMED]


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
    """A closet with the ids of its drawers, in the order of its text."""

    id: str
    title: str
    source_uri: str
    tags: list[str]
    drawers: list[str]
