"""What an extractor proposes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from graphpalace.domain.field import NAMED, Field
from graphpalace.errors import InvalidInput

MOST_PROPOSED = 1_000_000  # drawers that one request reads


@dataclass(frozen=True, slots=True)
class ProposalRequest:
    """Which drawers an extractor is to read, of those that it has not read."""

    wing: Annotated[str | None, Field(description="only drawers of this wing"), NAMED] = None
    room: Annotated[str | None, Field(description="only drawers of rooms of this name"), NAMED] = None
    most: Annotated[int | None, Field(ge=1, le=MOST_PROPOSED, description="largest number of drawers")] = None

    def check(self) -> None:
        """Raise `InvalidInput` if so many drawers cannot be read in one request."""
        if self.most is not None and not 1 <= self.most <= MOST_PROPOSED:
            raise InvalidInput(f"most is {self.most}; it must be 1 to {MOST_PROPOSED}", field="most", value=self.most)


@dataclass(frozen=True, slots=True)
class ReadDrawer:
    """A drawer from which facts are to be read.

    Attributes:
        title: The title of its document.
        said_at: When it was said, or else stored, as ISO 8601 writes it.
        stamp: Differs once the text is changed.
    """

    id: str
    title: str
    text: str
    said_at: str
    stamp: str


@dataclass(frozen=True, slots=True)
class ProposalReport:
    """What an extractor has proposed so far."""

    drawers: Annotated[int, Field(description="that were read")] = 0
    added: Annotated[int, Field(description="new facts")] = 0
    known: Annotated[int, Field(description="facts that the palace knew already, which got another drawer")] = 0
    refused: Annotated[int, Field(description="proposals that the text does not bear, or that cannot be facts")] = 0
    unreadable: Annotated[int, Field(description="drawers for which there was no usable answer; try them again")] = 0
    due: Annotated[int, Field(description="drawers that are still to be read")] = 0

    def plus(self, **more: int) -> ProposalReport:
        """Return the report with more counted."""
        return replace(self, **{name: getattr(self, name) + count for name, count in more.items()})
