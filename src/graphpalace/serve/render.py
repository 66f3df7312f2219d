"""Render answers as JSON values, in the same form for HTTP, MCP and the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import TypeAdapter


def as_json(answer: Any) -> Any:
    """Return an answer as JSON values."""
    return _adapter(type(answer)).dump_python(answer, mode="json")


def plain(answer: Any) -> Any:
    """Return what `as_json` does, slower for many values and faster for a command, which need not import pydantic."""
    if answer is None or isinstance(answer, str | int | float):
        return answer
    if is_dataclass(answer):
        return {one.name: plain(getattr(answer, one.name)) for one in fields(answer)}
    if isinstance(answer, Mapping):
        return {name: plain(value) for name, value in answer.items()}
    if isinstance(answer, list | tuple):
        return [plain(value) for value in answer]
    return as_json(answer)


def json_schema(answer: type) -> dict[str, Any]:
    """Return the JSON schema of the values that `as_json` returns for a type."""
    return _adapter(answer).json_schema(mode="serialization")


@cache
def _adapter(answer: type) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(answer)
