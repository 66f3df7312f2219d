"""The base class of request bodies, and functions that derive bodies from values of `domain`."""

from __future__ import annotations

import collections.abc as abstract
import re
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from fastapi import Query
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model, model_validator

from graphpalace.domain.field import WHOLE_DAY
from graphpalace.domain.identity import PALACE_NAME
from graphpalace.domain.moments import whole_day
from graphpalace.offers.offer import parameters

_NUMBER = re.compile(r"[-+]?\d*\.?\d+")
EXAMPLE_PALACE = "example_palace"  # no user's palace, as tools may send the examples


class RequestBody(BaseModel):
    """A body that names known fields only, each of its own type: neither `true`, "5" nor NaN is a number."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _with_whole_numbers(cls, given: Any) -> Any:
        return with_whole_numbers(cls, given)


def _from_base64(value: object) -> object:
    return b64decode(value, validate=True) if isinstance(value, str) else value


_BASE64 = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
FileBytes = Annotated[
    bytes,
    BeforeValidator(_from_base64),
    Field(description="the file in base64", json_schema_extra={"pattern": _BASE64}),
]


def with_whole_numbers(model: type[BaseModel], given: Any) -> Any:
    """Return the fields of a body with 1 for 1.0 where a whole number is wanted: in JSON, both are whole numbers."""
    if not isinstance(given, dict):
        return given
    return {name: _whole(value) if name in _counts(model) else value for name, value in given.items()}


@cache
def _counts(model: type[BaseModel]) -> frozenset[str]:
    fields = [(name, one) for name, one in model.model_fields.items() if _takes_int(one.annotation)]
    return frozenset(spelled for name, one in fields for spelled in (name, one.alias or name))


def _takes_int(hint: Any) -> bool:
    return hint is int or any(_takes_int(part) for part in get_args(hint))


def _whole(value: Any) -> Any:
    if isinstance(value, list):
        return [_whole(one) for one in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return {name: _whole(one) for name, one in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return int(value) if isinstance(value, float) and value.is_integer() else value


_T = TypeVar("_T")
_VALUES: dict[type, type] = {}  # what the bodies within bodies are made from
_CONCRETE: Mapping[Any, Any] = {abstract.Sequence: list, abstract.Mapping: dict}  # the types that JSON has for them


def fields_of(
    value: type, *, leave_out: abstract.Collection[str] = (), called: Mapping[str, str] | None = None
) -> type[RequestBody]:
    """Return a base class for bodies, with the fields that a value of `domain` declares.

    Args:
        leave_out: Fields that the body does not have.
        called: Names that some of them have in the body. Their own names are taken too.
    """
    hints = get_type_hints(value, include_extras=True)
    taken: dict[str, Any] = {
        one.name: (json_type(hints[one.name]), ... if one.required else one.default)
        for one in parameters(value)
        if one.name not in leave_out
    }
    for name, other in (called or {}).items():
        if name in taken:
            kind, default = taken[name]
            taken[name] = (Annotated[kind, Field(alias=other)], default)
    made = create_model(f"{value.__name__}Fields", __base__=RequestBody, **taken)
    if called:
        made.model_config |= ConfigDict(populate_by_name=True)
        made.model_rebuild(force=True)
    return made


def value_of(body: RequestBody, value: type[_T], **more: Any) -> _T:
    """Return a value of `domain` from the fields of a body.

    Args:
        more: Fields that override those of the body.
    """
    tuples = _tuples(value)
    given = {
        name: tuple(one) if tuples[name] and one is not None else _as_values(one)
        for name, one in body
        if name in tuples
    }
    return value(**given | more)


def _as_values(given: Any) -> Any:
    if isinstance(given, list):
        return [_as_values(one) for one in given]  # pyright: ignore[reportUnknownVariableType]
    return value_of(given, _VALUES[type(given)]) if type(given) in _VALUES else given


@cache
def _tuples(value: Any) -> Mapping[str, bool]:
    """Return the names of the fields of a value, and which of them are tuples, for which JSON has lists."""
    hints = get_type_hints(value)
    return {one.name: get_origin(hints[one.name]) is tuple for one in fields(value)}


def json_type(hint: Any) -> Any:
    """Return the type of a field in a request: a list for a sequence, a `Moment` for a time, a body for a value.

    A choice may be given as a text.
    """
    if isinstance(hint, type):
        return _of_class(hint)
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        marks = [BeforeValidator(whole_day) if mark == WHOLE_DAY else mark for mark in hint.__metadata__]
        return Annotated[json_type(args[0]), *marks]
    if origin in (Union, UnionType):
        return Union[tuple(json_type(one) for one in args)]  # noqa: UP007 - of a tuple
    if origin is tuple and args[1:] == (...,):
        return list[json_type(args[0])]
    return _CONCRETE[origin][*(json_type(one) for one in args)] if origin in _CONCRETE else hint


def _of_class(hint: type) -> Any:
    if is_dataclass(hint):
        return body_of(hint)
    if issubclass(hint, Enum):
        return Annotated[hint, Field(strict=False)]
    return Moment if hint is datetime else hint


@cache
def body_of(value: type) -> type[RequestBody]:
    """Return the body with the fields of a value of `domain`, for bodies that have such values within."""
    body = create_model(value.__name__, __doc__=value.__doc__, __base__=fields_of(value))
    _VALUES[body] = value
    return body


def with_example(body: dict[str, Any], *, of_palace: bool = True) -> ConfigDict:
    """Return the model configuration of a body with an example.

    Args:
        of_palace: Whether the body has a field for the palace.
    """
    return ConfigDict(json_schema_extra={"examples": [({"palace": EXAMPLE_PALACE} if of_palace else {}) | body]})


def _text(value: Any) -> Any:
    is_number = isinstance(value, str) and _NUMBER.fullmatch(
        value.strip()
    )  # pydantic would read "5" as five seconds after 1970
    if is_number or (value is not None and not isinstance(value, str | datetime)):
        raise ValueError("it must be a date and time as text, for example 2026-05-31T12:00:00Z")
    return value


# JSON has no type for times and choices, so texts may be converted to them.
Moment = Annotated[datetime, Field(strict=False), BeforeValidator(_text)]
_Palace = Annotated[str, Field(json_schema_extra={"pattern": PALACE_NAME})] | None
PalaceField = Annotated[_Palace, Field(description="default: the configured palace", examples=[EXAMPLE_PALACE])]
PalaceName = Annotated[_Palace, Query(description="default: the configured palace", examples=[EXAMPLE_PALACE])]
