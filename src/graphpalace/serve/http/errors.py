"""Answer every failure in the same form, {"error": {"code", "message", "detail"}}, and say what does not fit."""

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
from pydantic.fields import FieldInfo
from starlette.exceptions import HTTPException
from starlette.routing import Match

from graphpalace.domain.value_reasons import BOUNDS, bounds_of, value_reason
from graphpalace.error_codes import STATUS
from graphpalace.errors import GraphPalaceError
from graphpalace.telemetry.work_ids import current_id

SHOWN_CHARS = 100


def refusal(found: Sequence[Any], route: Any = None) -> tuple[str, str, list[dict[str, Any]]]:
    """Return code, message and detail for the problems that pydantic found in a request.

    Args:
        route: Of the request; it knows the names and the ranges of the fields.
    """
    described = [one | {"msg": _message(one, route)} for one in found]
    return "VALIDATION_ERROR", "; ".join(map(_sentence, described)), list(map(_problem, described))


def _message(found: Any, route: Any) -> str:
    if found["type"] == "extra_forbidden" and (model := _model_at(route, found["loc"][:-1])) is not None:
        return f"there is no such field; there are {', '.join(_fields(model))}"
    if found["type"] == "missing":
        return found["msg"]
    field = _field_info(route, found["loc"]) if found["type"] in BOUNDS else None
    return value_reason(found, bounds=None if field is None else bounds_of(field))


def _field_info(route: Any, place: Sequence[Any]) -> FieldInfo | None:
    """Return the declaration of a field of the body or of a parameter in the address."""
    if place[0] == "query":
        parameters = getattr(getattr(route, "dependant", None), "query_params", ())
        return next((one.field_info for one in parameters if one.alias == place[-1]), None)
    model = _model_at(route, place[:-1])
    return None if model is None else _fields(model).get(place[-1])


def _model_at(route: Any, place: Sequence[Any]) -> type[BaseModel] | None:
    """Return the model that a part of the body is of."""
    body = getattr(route, "body_field", None)
    if place[0] != "body" or body is None:
        return None
    model = _model_in(body.field_info.annotation)
    for part in place[1:]:
        if model is not None and isinstance(part, str):
            field = _fields(model).get(part)
            model = _model_in(field.annotation) if field else None
    return model


def _fields(model: type[BaseModel]) -> dict[str, FieldInfo]:
    return {field.alias or name: field for name, field in model.model_fields.items()}


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """Return the model in a type, if there is exactly one, also as an item of a list or as an optional value."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    models = [model for part in get_args(annotation) if (model := _model_in(part)) is not None]
    return models[0] if len(models) == 1 else None


def _problem(found: Any) -> dict[str, Any]:
    value = found.get("input")
    plain = isinstance(value, str | bool | int) or (isinstance(value, float) and math.isfinite(value))
    known = {"value": value} if plain and len(repr(value)) <= SHOWN_CHARS and found["type"] != "missing" else {}
    return {"field": _field(found), "problem": found["msg"]} | known


def _sentence(found: Any) -> str:
    if found["type"] == "json_invalid":
        return f"body: {found['msg']} at character {found['loc'][-1]}: {found['ctx']['error']}"
    if found["type"] == "missing":
        return f"{_field(found)}: {found['msg']}"
    of_address = found["loc"][0] == "query" and found["type"] in BOUNDS  # where every number is a text
    shown = str(found["input"]) if of_address else repr(found.get("input"))
    shown = shown if len(shown) <= SHOWN_CHARS else shown[: SHOWN_CHARS - 1] + "…"
    return f"{_field(found)} is {shown}{'; ' if found['msg'].startswith('it must') else ': '}{found['msg']}"


def _field(found: Any) -> str:
    place = [] if found["type"] == "json_invalid" else found["loc"][1:]
    return ".".join(map(str, place)) or "body"


def _methods_of_path(request: Request) -> list[str]:
    def is_taken(method: str) -> bool:
        scope = {**request.scope, "method": method}
        return any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)

    return [method for method in ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT") if is_taken(method)]


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
        headers = dict(error.headers or {})
        if error.status_code in (404, 405):
            message = f"{message}: {request.method} {request.url.path[:SHOWN_CHARS]}; /docs lists what there is"
        if error.status_code == 405:  # Starlette names the methods of one route, and a path may have several
            headers["Allow"] = ", ".join(_methods_of_path(request))
        return error_response(error.status_code, code, message, **headers)

    app.add_exception_handler(GraphPalaceError, ours)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, framework)
