"""What is said of a request that does not fit: the field, its value, and what would be right."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from graphpalace.domain.value_reasons import BOUNDS, bounds_of, value_reason

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
