"""Render answers as JSON values, in the same form for HTTP, MCP and the command line."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from pydantic import TypeAdapter


def as_json(answer: Any) -> Any:
    """Return an answer as JSON values."""
    return _adapter(type(answer)).dump_python(answer, mode="json")


def json_schema(answer: type) -> dict[str, Any]:
    """Return the JSON schema of the values that `as_json` returns for a type."""
    return _adapter(answer).json_schema(mode="serialization")


def plain_reason(message: str) -> str:
    """Return what pydantic says of a value as the end of a sentence on it.

    >>> plain_reason("String should have at least 1 character")
    'it must have at least 1 character'
    """
    return re.sub(r"^(?:Input|Value|String|List|Tuple|Set|Dictionary|Data) should", "it must", message)


@cache
def _adapter(answer: type) -> TypeAdapter[Any]:
    return TypeAdapter(answer)
