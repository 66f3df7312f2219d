"""What all routes have in common: where they stand, how they fail, and the operations that they call."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request

from graphpalace.app import GraphPalace
from graphpalace.domain.identity import palace_name
from graphpalace.serve.http.errors import ErrorEnvelope
from graphpalace.serve.http.request_body import EXAMPLE_PALACE


def new_router() -> APIRouter:
    """Return a router under /v1 whose routes may answer with the one shape of all errors."""
    failures: dict[int | str, dict[str, Any]] = {
        status: {"model": ErrorEnvelope} for status in (400, 401, 403, 404, 408, 409, 413, 415, 421, 422, 500, 502, 503)
    }
    return APIRouter(prefix="/v1", responses=failures)


async def operations(request: Request) -> GraphPalace:
    """Return the operations, or say that the database is not there yet. FastAPI calls what is not async in a thread."""
    return request.app.state.supervisor.operations()


Operations = Annotated[GraphPalace, Depends(operations)]
PalaceName = Annotated[str | None, Query(description="default: the configured palace", examples=[EXAMPLE_PALACE])]


def named(app: GraphPalace, palace: str | None) -> str:
    """Return the palace's checked name; the configured one if none is given."""
    return palace_name(palace if palace is not None else app.settings.palace.name)
