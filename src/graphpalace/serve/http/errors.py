"""Answer every failure in the same form: {"error": {"code", "message", "detail"}}."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any, get_args

from fastapi import FastAPI, Request
from fastapi.encoders import jsonable_encoder
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from graphpalace.errors import STATUS, GraphPalaceError

_CODE_OF_STATUS = {
    400: "BAD_REQUEST",
    401: "UNAUTHORIZED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    413: "ENTITY_TOO_LARGE",
    429: "RATE_LIMITED",
}
_SHOWN_CHARS = 100


class ErrorBody(BaseModel):
    """What went wrong."""

    code: str = Field(examples=["NOT_FOUND"], description="stable code for programs")
    message: str = Field(examples=["wing 'hom' is not in palace 'example_palace'; it has 'home'"])
    detail: Any = Field(None, examples=[{"wing": "hom"}])


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


def error_body(code: str, message: str, detail: Any = None) -> dict[str, Any]:
    """Return the body of the answer to a failure."""
    return {"error": {"code": code, "message": message, "detail": jsonable_encoder(detail)}}


def install(app: FastAPI) -> None:
    """Register handlers that answer all errors in the same form: GraphPalace's, the framework's and unexpected ones."""

    async def ours(_request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, GraphPalaceError)
        return response_to(error)

    async def invalid(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        body = getattr(request.scope.get("route"), "body_field", None)
        found = [_with_names(one, body.field_info.annotation if body else None) for one in error.errors()]
        return error_response(422, *refusal(found))

    async def framework(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        code = _CODE_OF_STATUS.get(error.status_code, "INTERNAL_ERROR")
        message = str(error.detail)
        if error.status_code in (404, 405):
            message = f"{message}: {request.method} {request.url.path[:_SHOWN_CHARS]}; /docs lists what there is"
        return error_response(error.status_code, code, message, **(error.headers or {}))

    app.add_exception_handler(GraphPalaceError, ours)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, framework)


def refusal(found: Sequence[Any]) -> tuple[str, str, list[dict[str, Any]]]:
    """Return code, message and detail for the problems that pydantic found in a body."""
    return "VALIDATION_ERROR", "; ".join(map(_sentence, found)), list(map(_problem, found))


def _with_names(found: Any, body: Any) -> Any:
    """Return a problem; if it is an unknown name, add the list of known names."""
    if found["type"] != "extra_forbidden" or found["loc"][0] != "body":
        return found
    model = _model_in(body)
    for part in found["loc"][1:-1]:
        if model is not None and isinstance(part, str):
            field = model.model_fields.get(part)
            model = _model_in(field.annotation) if field else None
    if model is None:
        return found
    return {**found, "msg": f"there is no such field; there are {', '.join(model.model_fields)}"}


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """Return the model in a type, if there is exactly one, also as an item of a list or as an optional value."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    models = [model for part in get_args(annotation) if (model := _model_in(part)) is not None]
    return models[0] if len(models) == 1 else None


def _problem(found: Any) -> dict[str, Any]:
    value = found.get("input")
    plain = isinstance(value, str | bool | int) or (isinstance(value, float) and math.isfinite(value))
    known = {"value": value} if plain and len(repr(value)) <= _SHOWN_CHARS and found["type"] != "missing" else {}
    return {"field": _field(found), "problem": found["msg"]} | known


def _sentence(found: Any) -> str:
    if found["type"] == "json_invalid":
        return f"body: {found['msg']} at character {found['loc'][-1]}: {found['ctx']['error']}"
    if found["type"] == "missing":
        return f"{_field(found)}: {found['msg']}"
    shown = repr(found.get("input"))
    shown = shown if len(shown) <= _SHOWN_CHARS else shown[: _SHOWN_CHARS - 1] + "…"
    return f"{_field(found)} is {shown}: {found['msg']}"


def _field(found: Any) -> str:
    place = [] if found["type"] == "json_invalid" else found["loc"][1:]
    return ".".join(map(str, place)) or "body"
