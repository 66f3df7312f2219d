"""Answers as JSON values, the same at every door: as they are declared in `domain`."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter


def as_json(answer: Any) -> Any:
    """Return an answer as JSON values."""
    return _adapter(type(answer)).dump_python(answer, mode="json")


def json_schema(answer: type) -> dict[str, Any]:
    """Return the JSON schema of what `as_json` returns for a type of answers."""
    return _adapter(answer).json_schema(mode="serialization")


@cache
def _adapter(answer: type) -> TypeAdapter[Any]:
    return TypeAdapter(answer)
