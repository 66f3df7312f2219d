"""Names as callers see them: lists, the page of one name, and what reading and changing names did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from graphpalace.domain.knowledge.entity import Entity, EntityType

MOST_LISTED = 200
MOST_MENTIONS = 20  # names of one drawer in an answer


@dataclass(frozen=True, slots=True)
class NameSign:
    """What drawers say of a person beside the name, such as *baker*, *mrs* or *1820-1890*.

    Attributes:
        drawers: Those that say so.
    """

    sign: Annotated[str, Field(examples=["baker"])]
    drawers: Sequence[str]


@dataclass(frozen=True, slots=True)
class DoubtfulName:
    """A name that may be that of two people.

    Attributes:
        signs: Those that do not go together.
    """

    id: str
    name: str
    signs: Annotated[Sequence[NameSign], Field(description="what drawers say of it that does not go together")]


@dataclass(frozen=True, slots=True)
class NameList:
    """A page of names, those with most drawers first.

    Attributes:
        next: `offset` of the next page; None at the end.
        due: Drawers whose names are still to be read.
        may_be_two: Those of the names that may be two people.
    """

    names: Sequence[Entity]
    next: Annotated[int | None, Field(description="`offset` of the next page; null at the end")]
    due: Annotated[int, Field(description="drawers whose names are still to be read")]
    may_be_two: Annotated[
        Sequence[DoubtfulName], Field(description="those of the names that may be two people's; split them by drawers")
    ] = ()


@dataclass(frozen=True, slots=True)
class NamedDrawer:
    """A drawer that mentions a name.

    Attributes:
        text: Its beginning.
        closet: The title of its document.
        count: How often the text has the name.
        is_title: Whether the name is the title of its document.
    """

    drawer: str
    text: str
    closet: str
    wing: str
    room: str
    count: Annotated[int, Field(description="how often the text has the name")]
    is_title: Annotated[bool, Field(description="whether the name is the title of its document")]


@dataclass(frozen=True, slots=True)
class MentionedName:
    """A name that a drawer mentions.

    Attributes:
        count: How often the text has it.
        is_title: Whether it is the title of the drawer's document.
        drawer_count: Drawers that mention it at all.
    """

    id: str
    name: str
    entity_type: Annotated[EntityType, Field(description="a guess unless it is code")]
    count: Annotated[int, Field(description="how often the text has it")]
    is_title: Annotated[bool, Field(description="whether it is the title of the drawer's document")]
    drawer_count: Annotated[int, Field(description="drawers that mention it at all")]


@dataclass(frozen=True, slots=True)
class DrawerNames:
    """The names that a drawer mentions: its title first, then those that fewest drawers have; at most 20."""

    drawer: str
    names: Sequence[MentionedName]


@dataclass(frozen=True, slots=True)
class NeighbourName:
    """A name that is mentioned together with another.

    Attributes:
        shared: Drawers that mention both.
        drawer_count: Drawers that mention it at all.
    """

    id: str
    name: str
    entity_type: Annotated[EntityType, Field(description="a guess unless it is code")]
    shared: Annotated[int, Field(description="drawers that mention both")]
    drawer_count: int


@dataclass(frozen=True, slots=True)
class NamePage:
    """All about one name.

    Attributes:
        merged: Names that were merged into it by hand; each can be split off again.
        facts: Number of facts that are known about it, those that ended too.
        drawers: Those that mention it most, of the document that it is the title of first.
        neighbours: Names that share most drawers with it.
        may_be_two: What drawers say of it that does not go together, if it may be the name of two people.
    """

    entity: Entity
    merged: Sequence[str]
    facts: int
    drawers: Sequence[NamedDrawer]
    neighbours: Sequence[NeighbourName]
    may_be_two: Annotated[
        Sequence[NameSign], Field(description="what drawers say of it that does not go together; empty: it is one")
    ] = ()


@dataclass(frozen=True, slots=True)
class NameReading:
    """How far the names of a palace are read.

    Attributes:
        recogniser: As the settings choose it.
        read: Drawers that were read by this request so far.
        due: Drawers that are still to be read.
    """

    recogniser: str
    read: int
    due: int


@dataclass(frozen=True, slots=True)
class NameChange:
    """What a merge or a split did.

    Attributes:
        entity: The name that absorbed another, or from which one was split.
        other: The name that was absorbed, that is on its own again, or that mentions were given to; None if nothing
            mentions it any more.
        drawers: Drawers whose mentions moved.
        facts: Facts that moved.
    """

    entity: Entity
    other: Entity | None
    drawers: int
    facts: int
