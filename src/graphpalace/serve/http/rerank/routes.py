"""The routes that rerank documents or drawers. Source: seed 001."""

from __future__ import annotations

from typing import Any

from fastapi import Depends, Request
from pydantic import ValidationError

from graphpalace.errors import STATUS, GraphPalaceError
from graphpalace.serve.http.errors import ErrorEnvelope, ErrorResponse, error_body, refusal
from graphpalace.serve.http.rerank import models
from graphpalace.serve.http.router import Operations, named, new_router

router = new_router()

_LIMITED: dict[int | str, dict[str, Any]] = {429: {"model": ErrorEnvelope}}


async def limited(request: Request) -> None:
    """Refuse a client that sends too many requests."""
    request.app.state.rerank_limit.pass_or_refuse(request.client.host if request.client else "")


@router.post(
    "/rerank",
    response_model=models.RerankResponse,
    tags=["rerank"],
    dependencies=[Depends(limited)],
    responses=_LIMITED,
)
async def rerank(body: models.RerankRequest, app: Operations) -> models.RerankResponse:
    """Rerank documents or drawers by similarity and by what was learned. Nothing changes in the palace."""
    return models.response_of(await app.rerank.rerank(named(app, body.palace), body.question()))


@router.post(
    "/rerank/batch",
    response_model=list[models.RerankResponse | ErrorEnvelope],
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
        found = await app.rerank.rerank(named(app, body.palace), body.question())
    except ValidationError as error:
        return error_body(*refusal([problem | {"loc": ("body", *problem["loc"])} for problem in error.errors()]))
    except GraphPalaceError as error:
        if STATUS[error.code] >= 500:  # not the fault of this request
            raise
        return error_body(error.code, error.message, error.detail or None)
    return models.response_of(found).model_dump(mode="json")
