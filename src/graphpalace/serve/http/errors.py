"""Answer every failure in the same form: {"error": {"code", "message", "detail"}}."""

from __future__ import annotations

import json
from typing import Any

from fastapi import FastAPI, Request
from fastapi.encoders import jsonable_encoder
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from graphpalace.errors import STATUS, GraphPalaceError
from graphpalace.serve.http.refusals import SHOWN_CHARS, refusal
from graphpalace.telemetry.work_ids import current_id

_CODE_OF_STATUS = {
    400: "BAD_REQUEST",
    401: "UNAUTHORIZED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    408: "REQUEST_TIMEOUT",
    413: "ENTITY_TOO_LARGE",
    414: "URI_TOO_LONG",
    415: "UNSUPPORTED_MEDIA_TYPE",
    429: "RATE_LIMITED",
    431: "HEADERS_TOO_LARGE",
}


class ErrorBody(BaseModel):
    """What went wrong."""

    code: str = Field(examples=["NOT_FOUND"], description="stable code for programs")
    message: str = Field(examples=["wing 'hom' is not in palace 'example_palace'; it has 'home'"])
    detail: Any = Field(None, examples=[{"wing": "hom"}])
    request_id: str = Field("", examples=["9f86d081884c7d65"], description="what the service's log has it under")


class ErrorEnvelope(BaseModel):
    """The form of every failure."""

    error: ErrorBody


class ErrorResponse(JSONResponse):
    """JSON that may contain lone surrogates, as a message may quote invalid text that the caller sent."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, ensure_ascii=False).encode("utf-8", "backslashreplace")


def error_response(status: int, code: str, message: str, detail: Any = None, **headers: str) -> JSONResponse:
    """Return the answer to a failure."""
    return ErrorResponse(error_body(code, message, detail), status, headers=headers)


def response_to(error: GraphPalaceError) -> JSONResponse:
    """Return the answer to an error of GraphPalace. If it may go away soon, the answer has the header Retry-After."""
    headers = {"WWW-Authenticate": "Bearer"} if error.code == "UNAUTHORIZED" else {}
    wait_s = error.detail.get("retry_after_s", error.retry_after_s)
    if wait_s is not None:
        headers["Retry-After"] = str(wait_s)
    return error_response(STATUS[error.code], error.code, error.message, error.detail or None, **headers)


def code_of(status: int) -> str:
    """Return the code of a failure that only its status names."""
    return _CODE_OF_STATUS.get(status, "INTERNAL_ERROR")


def error_body(code: str, message: str, detail: Any = None) -> dict[str, Any]:
    """Return the body of the answer to a failure."""
    body = {"code": code, "message": message, "detail": jsonable_encoder(detail)}
    return {"error": body | ({"request_id": work_id} if (work_id := current_id()) else {})}


def install(app: FastAPI) -> None:
    """Register handlers that answer all errors in the same form: GraphPalace's, the framework's and unexpected ones."""

    async def ours(_request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, GraphPalaceError)
        return response_to(error)

    async def invalid(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        return error_response(422, *refusal(error.errors(), request.scope.get("route")))

    async def framework(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        code = code_of(error.status_code)
        message = str(error.detail)
        if error.status_code in (404, 405):
            message = f"{message}: {request.method} {request.url.path[:SHOWN_CHARS]}; /docs lists what there is"
        return error_response(error.status_code, code, message, **(error.headers or {}))

    app.add_exception_handler(GraphPalaceError, ours)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, framework)
