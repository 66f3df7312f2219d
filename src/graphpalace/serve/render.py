"""Render answers as JSON values, in the same form for HTTP, MCP and the command line."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter


def as_json(answer: Any) -> Any:
    """Return an answer as JSON values."""
    return _adapter(type(answer)).dump_python(answer, mode="json")


def json_schema(answer: type) -> dict[str, Any]:
    """Return the JSON schema of the values that `as_json` returns for a type."""
    return _adapter(answer).json_schema(mode="serialization")


@cache
def _adapter(answer: type) -> TypeAdapter[Any]:
    return TypeAdapter(answer)
