"""What the bodies of all requests have in common."""

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
EXAMPLE_PALACE = "example_palace"  # of nobody: a tool that tries the examples must not meet a user's palace


class RequestBody(BaseModel):
    """A body that names known fields only, each of its own type: neither `true` nor "5" is a number."""

    model_config = ConfigDict(extra="forbid", strict=True)


_T = TypeVar("_T")
_CONCRETE: Mapping[Any, Any] = {abstract.Sequence: list, abstract.Mapping: dict}  # what JSON has of each


def fields_of(value: type, *, leave_out: abstract.Collection[str] = ()) -> type[RequestBody]:
    """Return a body with the fields of a value of `domain` as they are declared there, for a body to begin with.

    Args:
        leave_out: Fields that a request does not have.
    """
    hints = get_type_hints(value, include_extras=True)
    taken: dict[str, Any] = {
        one.name: (_of_json(hints[one.name]), _default(one)) for one in fields(value) if one.name not in leave_out
    }
    return create_model(f"{value.__name__}Fields", __base__=RequestBody, **taken)


def value_of(body: RequestBody, value: type[_T], **more: Any) -> _T:
    """Return the value whose fields a body has.

    Args:
        more: Fields that are not as the body has them.
    """
    names = {one.name for one in fields(value)}  # pyright: ignore[reportArgumentType]
    return value(**{name: given for name, given in body if name in names} | more)


def _default(field: DataclassField[Any]) -> Any:
    if field.default is not MISSING:
        return field.default
    return ... if field.default_factory is MISSING else Field(default_factory=field.default_factory)


def _of_json(hint: Any) -> Any:
    """Return a type as a body declares it: a list for any sequence, a `Moment` for a time."""
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
    """Return the configuration of a body with an example, whose palace is nobody's."""
    return ConfigDict(json_schema_extra={"examples": [{"palace": EXAMPLE_PALACE} | body]})


def _text(value: Any) -> Any:
    is_number = isinstance(value, str) and _NUMBER.fullmatch(value.strip())  # else "5" is five seconds after 1970
    if is_number or (value is not None and not isinstance(value, str | datetime)):
        raise ValueError("Input should be a date and time as text, for example 2026-05-31T12:00:00Z")
    return value


# JSON has neither times nor choices of its own, so what is text there may become one.
Moment = Annotated[datetime, Field(strict=False), BeforeValidator(_text)]
PalaceField = Annotated[str | None, Field(description="default: the configured palace", examples=[EXAMPLE_PALACE])]
