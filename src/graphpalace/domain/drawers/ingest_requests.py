"""What is asked of the sources of a wing: how a client is to read its own, and to delete what no longer exists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from graphpalace.domain.drawers.files import LARGEST_WINDOW, MAX_WINDOWS, SMALLEST_WINDOW, RoomMode
from graphpalace.domain.field import Field

WingName = Annotated[str, Field(min_length=1, max_length=200, examples=["notes"])]
Rooms = Annotated[RoomMode | None, Field(description="default: [ingest] rooms")]
MaxFiles = Annotated[int | None, Field(ge=0, description="0: no limit; default: [ingest] max_files")]
Windows = Annotated[
    Sequence[Annotated[int, Field(ge=SMALLEST_WINDOW, le=LARGEST_WINDOW)]] | None,
    Field(max_length=MAX_WINDOWS, description="sizes in lines; default: [ingest] windows"),
]


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """A wing into which a client is to put its own files."""

    wing: WingName
    rooms: Rooms = None
    max_files: MaxFiles = None
    windows: Windows = None


@dataclass(frozen=True, slots=True)
class PruneRequest:
    """Sources whose drawers are to be deleted."""

    wing: WingName
    sources: Annotated[
        Sequence[str],
        Field(min_length=1, max_length=10_000, description="URIs, such as those that an ingest reports as `gone`"),
    ]
