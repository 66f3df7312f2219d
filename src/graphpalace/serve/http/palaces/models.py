"""The request and the answer of the route that changes the embedding model of a palace."""

from __future__ import annotations

from pydantic import BaseModel, Field

from graphpalace.domain.palaces.palaces import Reembedded, ReembedProgress
from graphpalace.serve.http.request_body import EXAMPLE_PALACE, RequestBody


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
