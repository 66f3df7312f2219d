"""Requests of the routes for palaces, wings and rooms."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from graphpalace.domain.reembedded import Reembedded, ReembedProgress
from graphpalace.domain.room import HallType, WingType
from graphpalace.serve.http.request_body import EXAMPLE_PALACE, PalaceField, RequestBody


class WingRequest(RequestBody):
    """A wing to create."""

    name: str = Field(min_length=1, max_length=200, examples=["python"])
    wing_type: Annotated[WingType, Field(strict=False)] = WingType.TOPIC
    palace: PalaceField = None


class RoomRequest(RequestBody):
    """A room to create."""

    wing: str = Field(min_length=1, max_length=200, examples=["python"])
    name: str = Field(min_length=1, max_length=200, examples=["decorators"])
    hall_type: Annotated[HallType, Field(strict=False)] = HallType.FACTS
    palace: PalaceField = None


class PalaceRequest(RequestBody):
    """A palace to create."""

    name: str = Field(examples=[EXAMPLE_PALACE], description="1 to 63 of a-z, 0-9 and _, beginning with a letter")


class ReembedRequest(RequestBody):
    """A palace to change."""

    name: str = Field(examples=[EXAMPLE_PALACE], description="of the palace")


class ReembedLine(BaseModel):
    """One line of the answer to a request to change the embedding model of a palace.

    Attributes:
        progress: How far it is; missing in the last line.
        result: What it did; only in the last line.
    """

    progress: ReembedProgress | None = None
    result: Reembedded | None = None
