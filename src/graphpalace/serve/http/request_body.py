"""The base class of request bodies, and functions that derive bodies from values of `domain`."""

from __future__ import annotations

import collections.abc as abstract
import re
from collections.abc import Mapping
from dataclasses import MISSING, fields
from dataclasses import Field as DataclassField
from datetime import datetime
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model

_NUMBER = re.compile(r"[-+]?\d*\.?\d+")
EXAMPLE_PALACE = "example_palace"  # no user's palace, as tools may send the examples


class RequestBody(BaseModel):
    """A body that names known fields only, each of its own type: neither `true`, "5" nor NaN is a number."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


_T = TypeVar("_T")
_CONCRETE: Mapping[Any, Any] = {abstract.Sequence: list, abstract.Mapping: dict}  # the types that JSON has for them


def fields_of(value: type, *, leave_out: abstract.Collection[str] = ()) -> type[RequestBody]:
    """Return a base class for bodies, with the fields that a value of `domain` declares.

    Args:
        leave_out: Fields that the body does not have.
    """
    hints = get_type_hints(value, include_extras=True)
    taken: dict[str, Any] = {
        one.name: (_of_json(hints[one.name]), _default(one)) for one in fields(value) if one.name not in leave_out
    }
    return create_model(f"{value.__name__}Fields", __base__=RequestBody, **taken)


def value_of(body: RequestBody, value: type[_T], **more: Any) -> _T:
    """Return a value of `domain` from the fields of a body.

    Args:
        more: Fields that override those of the body.
    """
    names = {one.name for one in fields(value)}  # pyright: ignore[reportArgumentType]
    return value(**{name: given for name, given in body if name in names} | more)


def _default(field: DataclassField[Any]) -> Any:
    if field.default is not MISSING:
        return field.default
    return ... if field.default_factory is MISSING else field.default_factory()


def _of_json(hint: Any) -> Any:
    """Return the type of a field in a body: a list for any sequence, a `Moment` for a time."""
    if hint is datetime:
        return Moment
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return Annotated[_of_json(args[0]), *hint.__metadata__]
    if origin in (Union, UnionType):
        return Union[tuple(_of_json(one) for one in args)]  # noqa: UP007 - of a tuple
    if origin in _CONCRETE:
        return _CONCRETE[origin][*(_of_json(one) for one in args)]
    return hint


def with_example(body: dict[str, Any]) -> ConfigDict:
    """Return the model configuration of a body with an example."""
    return ConfigDict(json_schema_extra={"examples": [{"palace": EXAMPLE_PALACE} | body]})


def _text(value: Any) -> Any:
    is_number = isinstance(value, str) and _NUMBER.fullmatch(
        value.strip()
    )  # pydantic would read "5" as five seconds after 1970
    if is_number or (value is not None and not isinstance(value, str | datetime)):
        raise ValueError("it must be a date and time as text, for example 2026-05-31T12:00:00Z")
    return value


# JSON has no type for times and choices, so texts may be converted to them.
Moment = Annotated[datetime, Field(strict=False), BeforeValidator(_text)]
PalaceField = Annotated[str | None, Field(description="default: the configured palace", examples=[EXAMPLE_PALACE])]
