"""Names as callers see them: lists, the page of one name, and what reading and changing names did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from graphpalace.domain.field import NAMED, Field
from graphpalace.domain.identity import MOST_NAME_CHARS
from graphpalace.domain.knowledge.entity import Entity, EntityType, checked_name
from graphpalace.errors import InvalidInput

MOST_LISTED = 200
MOST_MENTIONS = 20  # names of one drawer in an answer
MOST_SKIPPED = 2**31

Name = Annotated[
    str,
    Field(
        min_length=1,
        max_length=MOST_NAME_CHARS,
        description="a name in any way of writing it, or an id",
        examples=["Ada Lovelace"],
    ),
    NAMED,
]
Offset = Annotated[int, Field(ge=0, le=MOST_SKIPPED, description="how many to skip")]


@dataclass(frozen=True, slots=True)
class NameQuery:
    """Which names to list."""

    query: Annotated[
        str, Field(max_length=MOST_NAME_CHARS, description="part of a name or alias; default: all names"), NAMED
    ] = ""
    entity_type: Annotated[EntityType | None, Field(description="only names of this type")] = None
    wing: Annotated[str | None, Field(description="only names in this wing, with their drawers there"), NAMED] = None
    offset: Offset = 0
    limit: Annotated[int, Field(ge=1, le=MOST_LISTED, description="largest number of names")] = 50

    def check(self) -> None:
        """Raise `InvalidInput` if a number is out of range."""
        _check_range(self.offset, self.limit)


@dataclass(frozen=True, slots=True)
class NamePageQuery:
    """Which name to show, and how many of its drawers. A name that was merged into another gives that one."""

    name: Name
    offset: Annotated[Offset, Field(description="how many drawers to skip")] = 0
    limit: Annotated[int, Field(ge=1, le=MOST_LISTED, description="largest number of drawers")] = 20

    def check(self) -> None:
        """Raise `InvalidInput` if a number is out of range, or the name is not valid."""
        _check_range(self.offset, self.limit)
        checked_name("name", self.name)


@dataclass(frozen=True, slots=True)
class MentionQuery:
    """The drawers whose names are wanted."""

    drawers: Annotated[Sequence[str], Field(min_length=1, max_length=MOST_LISTED, description="ids of drawers")]

    def check(self) -> None:
        """Raise `InvalidInput` if there are no drawers, or too many."""
        if not 1 <= len(self.drawers) <= MOST_LISTED:
            raise InvalidInput(f"drawer has {len(self.drawers)} ids; give 1 to {MOST_LISTED}", field="drawer")


@dataclass(frozen=True, slots=True)
class NamesToRead:
    """The drawers whose names are to be read: those that are due, or all."""

    again: Annotated[bool, Field(description="read all drawers again, not only those that are due")] = False


@dataclass(frozen=True, slots=True)
class Merge:
    """Two names that mean one thing."""

    name: Annotated[Name, Field(description="the name that stays")]
    other: Annotated[Name, Field(description="the name that becomes an alias of it")]


@dataclass(frozen=True, slots=True)
class Split:
    """A name, and an alias of it that means something else, or drawers that mean another thing by it."""

    name: Name
    alias: Annotated[
        Name | None,
        Field(
            description="the alias that means something else; with drawers: the name that they mean; default: the same"
            " name with a number"
        ),
    ] = None
    drawers: Annotated[
        Sequence[str],
        Field(max_length=MOST_LISTED, description="ids of drawers that mean another thing by the name"),
    ] = ()

    def check(self) -> None:
        """Raise `InvalidInput` if the alias is not valid, or there are too many drawers."""
        if self.alias is not None:
            checked_name("alias", self.alias)
        if len(self.drawers) > MOST_LISTED:
            raise InvalidInput(f"drawers has {len(self.drawers)} ids; give at most {MOST_LISTED}", field="drawers")


def _check_range(offset: int, limit: int) -> None:
    if not 0 <= offset <= MOST_SKIPPED:
        raise InvalidInput(f"offset is {offset}; it must be 0 or more", field="offset", value=offset)
    if not 1 <= limit <= MOST_LISTED:
        raise InvalidInput(f"limit is {limit}; it must be 1 to {MOST_LISTED}", field="limit", value=limit)


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
