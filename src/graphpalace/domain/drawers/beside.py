"""What stands beside a drawer: its neighbours in its document, what took its place, and the facts that it states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from graphpalace.domain.field import Field
from graphpalace.domain.knowledge.facts import Fact


@dataclass(frozen=True, slots=True)
class PlaceInCloset:
    """Where a drawer stands in the closet of its document, and which drawer took its place."""

    number: int
    of: int
    previous: str | None
    next: str | None
    replaced_by: str | None
    replaced_since: str | None


@dataclass(frozen=True, slots=True)
class BesideDrawer:
    """What stands beside a drawer."""

    drawer: Annotated[str, Field(description="its id")]
    number: Annotated[int, Field(description="its place among the drawers of its document, from 1")]
    of: Annotated[int, Field(description="how many drawers its document has")]
    previous: Annotated[str | None, Field(description="id of the drawer before it; null: it is the first")]
    next: Annotated[str | None, Field(description="id of the drawer after it; null: it is the last")]
    replaced_by: Annotated[str | None, Field(description="id of the drawer that took its place; null: none did")]
    replaced_since: Annotated[str | None, Field(description="from when on")]
    facts: Annotated[Sequence[Fact], Field(description="that were read from it, without those that were taken back")]
