"""Types of tools' arguments: those that several tools take, and those made from the fields of a request."""

from __future__ import annotations

import collections.abc as abstract
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import is_dataclass
from datetime import datetime
from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, create_model

from graphpalace.domain.field import NAMED, WHOLE_DAY, said_by
from graphpalace.domain.moments import whole_day
from graphpalace.domain.quoting import unquoted
from graphpalace.offers.offer import Parameter, parameters


def _moment(value: Any) -> datetime:
    """Return a date or a time as it is written in ISO 8601. Pydantic would read "5" as five seconds after 1970."""
    if isinstance(value, datetime):
        return value
    with suppress(ValueError, TypeError):
        return datetime.fromisoformat(value)
    raise ValueError("it must be a date or time as text, for example 2026-05-31 or 2026-05-31T12:00:00Z")


Moment = Annotated[datetime, BeforeValidator(_moment)]
Until = Annotated[
    datetime, BeforeValidator(_moment), BeforeValidator(whole_day)
]  # the validator that is last runs first
Palace = str | None  # None is the configured palace
Named = Annotated[str, AfterValidator(unquoted)]  # what has a name, which may be as an answer has quoted it
Wing = Named | None  # None is everywhere
Room = Named | None
Budget = Annotated[int | None, Field(ge=512, le=65_536)]


# The list of tools is put before a model with every request, so it says what a model cannot guess. A text that is too
# long is refused behind the tool.
_UNSAID = ("examples", "min_length", "max_length", "json_schema_extra")
_MOST = 2**31  # limits from here on are those of numbers, not of the operation


def argument_type(hint: Any, marks: frozenset[str] = frozenset()) -> Any:
    """Return the type of an argument: an object with certain names for a value, a text for a time.

    Args:
        marks: Those of the field (`domain.field`).
    """
    if isinstance(hint, type) and get_origin(hint) is None:
        return _of_class(hint, marks)
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        said = {name: value for mark in hint.__metadata__ for name, value in said_by(mark).items()}
        return Annotated[argument_type(args[0], marks), Field(**{k: v for k, v in said.items() if k not in _UNSAID})]
    if origin in (Union, UnionType):
        return Union[tuple(argument_type(one, marks) for one in args)]  # noqa: UP007 - of a tuple
    if origin is abstract.Sequence:
        return abstract.Sequence[argument_type(args[0])]
    return hint


def said_of(one: Parameter, *, within: bool = False) -> Mapping[str, Any]:
    """Return what a tool says of a field: its description and its limits.

    Args:
        within: Whether it is one of an object, whose lists must have the right size before they are sent: a refusal
            behind the tool would name the field without the object.
    """
    unsaid = () if within and _is_list(one.type) else _UNSAID
    said = {name: value for name, value in one.said.items() if name not in unsaid and value != _MOST}
    if one.name == "limit":
        said.pop("description", None)
    elif "description" in said:
        said["description"] = said["description"].partition("; default: ")[0]
    return said


def given_as(value: Any) -> Any:
    """Return an argument as it is sent; of an object, what was given."""
    if isinstance(value, BaseModel):
        return value.model_dump(exclude_unset=True, exclude_none=True)
    return [given_as(one) for one in value] if isinstance(value, list) else value  # pyright: ignore[reportUnknownVariableType]


def _is_list(hint: Any) -> bool:
    return any(get_origin(one) is abstract.Sequence for one in (hint, *get_args(hint)))


def _of_class(hint: type, marks: frozenset[str]) -> Any:
    if is_dataclass(hint):
        return _object(hint)
    if hint is datetime:
        return Until if WHOLE_DAY in marks else Moment
    return Named if hint is str and NAMED in marks else hint


@cache
def _object(value: type) -> type[BaseModel]:
    """Return an object with the fields of a value and no others. What is not required may be null."""
    fields: dict[str, Any] = {
        one.name: (Annotated[argument_type(one.type, one.marks), Field(**said_of(one, within=True))], ...)
        if one.required
        else (Annotated[argument_type(one.type, one.marks) | None, Field(**said_of(one, within=True))], None)
        for one in parameters(value)
    }
    return create_model(value.__name__, __config__=ConfigDict(extra="forbid"), **fields)
