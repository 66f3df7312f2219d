"""What is to be forgotten, and what was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from graphpalace.domain.identity import MOST_URI_CHARS
from graphpalace.errors import InvalidInput

MOST_IDS = 10_000  # drawers that one request names


@dataclass(frozen=True, slots=True)
class ForgetChoice:
    """Which drawers are to be forgotten: those that meet everything that is given."""

    drawers: Annotated[
        Sequence[str] | None, Field(min_length=1, max_length=MOST_IDS, description="ids of the drawers")
    ] = None
    source: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=MOST_URI_CHARS,
            description="URI of their source; that of a file also means its parts, which have `#` in their URIs",
        ),
    ] = None
    wing: Annotated[str | None, Field(description="name of their wing")] = None
    room: Annotated[str | None, Field(description="name of their room, which needs a wing")] = None

    @property
    def place_only(self) -> bool:
        """Whether a wing or a room is to be forgotten with everything in it."""
        return self.drawers is None and self.source is None

    def check(self) -> None:
        """Check the choice.

        Raises:
            InvalidInput: If nothing is given, or a room without its wing.
        """
        if self.place_only and self.wing is None:
            raise InvalidInput("nothing is chosen: give drawers, source, or wing", field="drawers")
        if self.room is not None and self.wing is None:
            raise InvalidInput(f"room is {self.room!r}; name its wing too", field="wing")


@dataclass(frozen=True, slots=True)
class ForgetReceipt:
    """What was deleted or, after a dry run, what would be. It holds no text."""

    dry_run: bool
    deleted: Annotated[int, Field(description="number of drawers; 0 after a dry run")]
    drawers: Annotated[Sequence[str], Field(description="ids of the drawers, sorted")]
    closets: Annotated[Sequence[str], Field(description="ids of the closets that become empty, sorted")]
    facts: Annotated[int, Field(description="number of known facts that were read only from these drawers, and go too")]
    missing: Annotated[Sequence[str], Field(description="given ids that no chosen drawer has, sorted")]
