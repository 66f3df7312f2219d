"""One shape for every failure: {"error": {"code", "message", "detail"}}."""

from __future__ import annotations

from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.encoders import jsonable_encoder
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from graphpalace.errors import STATUS, GraphPalaceError

_LOG = structlog.get_logger("graphpalace.http")
_CODE_OF_STATUS = {
    400: "BAD_REQUEST",
    401: "UNAUTHORIZED",
    404: "NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    413: "ENTITY_TOO_LARGE",
    429: "RATE_LIMITED",
}


class ErrorBody(BaseModel):
    """What went wrong."""

    code: str = Field(examples=["NOT_FOUND"], description="stable, for programs")
    message: str = Field(examples=["wing 'hom' is not in palace 'main'; it has 'home'"])
    detail: Any = Field(None, examples=[{"wing": "hom"}])


class ErrorEnvelope(BaseModel):
    """Every failure has this shape."""

    error: ErrorBody


def error_response(status: int, code: str, message: str, detail: Any = None, **headers: str) -> JSONResponse:
    """Return a failure in the one shape."""
    body = {"error": {"code": code, "message": message, "detail": jsonable_encoder(detail)}}
    return JSONResponse(body, status, headers=headers)


def install(app: FastAPI) -> None:
    """Answer our errors, the framework's and unexpected ones in the one shape."""

    async def ours(_request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, GraphPalaceError)
        headers = {"WWW-Authenticate": "Bearer"} if error.code == "UNAUTHORIZED" else {}
        return error_response(STATUS[error.code], error.code, error.message, error.detail or None, **headers)

    async def invalid(_request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        problems = [
            {"field": ".".join(str(part) for part in problem["loc"][1:]) or "body", "problem": problem["msg"]}
            for problem in error.errors()
        ]
        message = "; ".join(f"{problem['field']}: {problem['problem']}" for problem in problems)
        return error_response(422, "VALIDATION_ERROR", message, problems)

    async def framework(_request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        code = _CODE_OF_STATUS.get(error.status_code, "INTERNAL_ERROR")
        return error_response(error.status_code, code, str(error.detail), **(error.headers or {}))

    async def unexpected(request: Request, error: Exception) -> JSONResponse:
        _LOG.error("unexpected_error", path=request.url.path, exc_info=error)
        return error_response(500, "INTERNAL_ERROR", "an unexpected error happened; the service's log has more")

    app.add_exception_handler(GraphPalaceError, ours)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, framework)
    app.add_exception_handler(Exception, unexpected)
