"""What is asked of drawers: to add, read, list, change and delete some, and whether there is one already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

from graphpalace.domain.drawers.new_drawer import (
    MOST_AT_ONCE,
    MOST_FOUND,
    DrawerUpdate,
    NewDrawer,
    Text,
)
from graphpalace.domain.field import NAMED, Field

DrawerId = Annotated[str, Field(description="id of the drawer")]


@dataclass(frozen=True, slots=True)
class DrawerRequest(NewDrawer):
    """A text to store verbatim."""

    unless_similar: Annotated[
        float | None,
        Field(
            ge=0, le=1, description="store it only if no drawer of its wing says the same or has this cosine with it"
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class BatchRequest:
    """Texts to store verbatim, all of them or none."""

    drawers: Annotated[Sequence[NewDrawer], Field(min_length=1, max_length=MOST_AT_ONCE)]


@dataclass(frozen=True, slots=True)
class DrawerListing:
    """Which drawers to list."""

    wing: str | None = None
    room: str | None = None
    after: Annotated[str, Field(description="the `next` of the page before")] = ""
    limit: Annotated[int, Field(ge=1, le=200, description="largest number of drawers")] = 50


@dataclass(frozen=True, slots=True)
class DrawerToRead:
    """A drawer to read, and the search that showed it."""

    drawer: DrawerId
    run: Annotated[
        str | None, Field(description="the search that showed the drawer; opening it counts as weak feedback")
    ] = None


@dataclass(frozen=True, slots=True)
class OneDrawer:
    """A drawer to delete, or whose earlier texts are wanted."""

    drawer: DrawerId


@dataclass(frozen=True, slots=True)
class UpdateRequest(DrawerUpdate):
    """Changes to a drawer. What is left out stays as it is."""

    drawer: DrawerId = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class SupersedeRequest:
    """Which drawer takes the place of one."""

    old: Annotated[str, Field(description="id of the drawer that is outdated")]
    new: Annotated[str, Field(min_length=1, max_length=200, description="id of the drawer that holds from now on")]


@dataclass(frozen=True, slots=True)
class SupersedeToTakeBack:
    """A drawer that is to count again."""

    old: Annotated[str, Field(description="id of the drawer that was taken to be outdated")]


@dataclass(frozen=True, slots=True)
class DuplicateRequest:
    """A text to look for."""

    text: Text
    wing: Annotated[str | None, Field(description="only look in this wing"), NAMED] = None
    threshold: Annotated[float, Field(ge=0, le=1, description="least cosine of a similar drawer")] = 0.9
    top_k: Annotated[int, Field(ge=1, le=MOST_FOUND, description="largest number of drawers")] = 5
