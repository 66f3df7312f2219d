"""The routes that rerank documents or drawers. Source: seed 001."""

from __future__ import annotations

from typing import Any

from fastapi import Depends, Request
from pydantic import ValidationError

from graphpalace.domain.rerank.rerank import RerankAnswer
from graphpalace.errors import STATUS, GraphPalaceError
from graphpalace.serve.http.errors import ErrorEnvelope, ErrorResponse, error_body, refusal
from graphpalace.serve.http.rerank import models
from graphpalace.serve.http.router import Operations, named, new_router
from graphpalace.serve.render import as_json

router = new_router(keyed=False)

_LIMITED: dict[int | str, dict[str, Any]] = {429: {"model": ErrorEnvelope}}


async def limited(request: Request) -> None:
    """Refuse a client that sends too many requests."""
    request.app.state.rerank_limit.pass_or_refuse(request.client.host if request.client else "")


@router.post(
    "/rerank",
    tags=["rerank"],
    dependencies=[Depends(limited)],
    responses=_LIMITED,
)
async def rerank(body: models.RerankRequest, app: Operations) -> RerankAnswer:
    """Order documents, or drawers of a palace, by what they say and by what was learned. Reading changes nothing."""
    return await app.rerank.rerank(named(app, body.palace), body.value())


@router.post(
    "/rerank/batch",
    response_model=list[RerankAnswer | ErrorEnvelope],
    tags=["rerank"],
    dependencies=[Depends(limited)],
    responses=_LIMITED,
)
async def rerank_batch(body: list[models.RerankRequest | dict[str, Any]], app: Operations) -> ErrorResponse:
    """Answer several requests, one after the other. A refused request has an error in place of its answer."""
    app.rerank.check_batch(len(body))
    return ErrorResponse([await _answer(one, app) for one in body])


async def _answer(asked: models.RerankRequest | dict[str, Any], app: Operations) -> dict[str, Any]:
    try:
        body = models.RerankRequest.model_validate(asked)
        found = await app.rerank.rerank(named(app, body.palace), body.value())
    except ValidationError as error:
        return error_body(*refusal([problem | {"loc": ("body", *problem["loc"])} for problem in error.errors()]))
    except GraphPalaceError as error:
        if STATUS[error.code] >= 500:  # not the fault of this request
            raise
        return error_body(error.code, error.message, error.detail or None)
    return as_json(found)
