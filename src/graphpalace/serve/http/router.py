"""Shared parts of all routes: their prefix, their error responses, and access to the operations."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request

from graphpalace.app import GraphPalace
from graphpalace.domain.identity import palace_name
from graphpalace.serve.http.access.guarded_route import GuardedRoute
from graphpalace.serve.http.keyed_route import KeyedRoute
from graphpalace.serve.http.request_body import EXAMPLE_PALACE

# Not as a model: where an answer is in lines, OpenAPI would say that of errors too.
_FAILURE = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorEnvelope"}}}}


def new_router(*, keyed: bool = True) -> APIRouter:
    """Return a router under /v1 whose routes document the form of all errors.

    Args:
        keyed: Whether the routes that change something take an Idempotency-Key.
    """
    failures: dict[int | str, dict[str, Any]] = dict.fromkeys(
        (400, 401, 403, 404, 408, 409, 413, 414, 415, 421, 422, 431, 500, 502, 503), _FAILURE
    )
    return APIRouter(prefix="/v1", responses=failures, route_class=KeyedRoute if keyed else GuardedRoute)


async def operations(request: Request) -> GraphPalace:
    """Return the operations; raise an error until the database is reached. Async, as FastAPI uses threads otherwise."""
    return request.app.state.supervisor.operations()


Operations = Annotated[GraphPalace, Depends(operations)]
PalaceName = Annotated[str | None, Query(description="default: the configured palace", examples=[EXAMPLE_PALACE])]


def named(app: GraphPalace, palace: str | None) -> str:
    """Return the checked name of the palace, or the configured one if none is given."""
    return palace_name(palace if palace is not None else app.settings.palace.name)
