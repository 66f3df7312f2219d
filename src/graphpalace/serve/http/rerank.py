"""The routes that rerank documents or drawers. Source: seed 001."""

from __future__ import annotations

from typing import Any

from fastapi import Depends, Request
from pydantic import ValidationError

from graphpalace.app import GraphPalace
from graphpalace.domain.rerank import RerankAnswer, RerankQuery
from graphpalace.error_codes import STATUS
from graphpalace.errors import GraphPalaceError
from graphpalace.offers.rerank import RERANK
from graphpalace.serve.http.errors import ErrorEnvelope, ErrorResponse, error_body, refusal
from graphpalace.serve.http.offered import add_route, body_model
from graphpalace.serve.http.request_body import value_of
from graphpalace.serve.http.router import Operations, named, new_router
from graphpalace.serve.render import as_json

router = new_router(keyed=False)


async def limited(request: Request) -> None:
    """Refuse a client that sends too many requests."""
    request.app.state.rerank_limit.pass_or_refuse(request.client.host if request.client else "")


_LIMITED: dict[str, Any] = {"dependencies": [Depends(limited)], "responses": {429: {"model": ErrorEnvelope}}}
_Body: Any = body_model(RERANK)

add_route(router, RERANK, lambda app, palace, asked: app.rerank.rerank(palace, asked), tag="rerank", **_LIMITED)


@router.post("/rerank/batch", response_model=list[RerankAnswer | ErrorEnvelope], tags=["rerank"], **_LIMITED)
async def rerank_batch(body: list[_Body | dict[str, Any]], app: Operations) -> ErrorResponse:  # pyright: ignore[reportInvalidTypeForm] - it is made from the declaration
    """Answer several requests, one after the other. A refused request has an error in place of its answer."""
    app.rerank.check_batch(len(body))
    return ErrorResponse([await _answer(one, app) for one in body])


async def _answer(asked: Any, app: GraphPalace) -> dict[str, Any]:
    try:
        body = _Body.model_validate(asked)
        found = await app.rerank.rerank(named(app, body.palace), value_of(body, RerankQuery))
    except ValidationError as error:
        return error_body(*refusal([problem | {"loc": ("body", *problem["loc"])} for problem in error.errors()]))
    except GraphPalaceError as error:
        if STATUS[error.code] >= 500:  # not the fault of this request
            raise
        return error_body(error.code, error.message, error.detail or None)
    return as_json(found)
