"""JSON schemas of tools, as short as they can be: a host puts them before its model with every request."""

from __future__ import annotations

import json
from typing import Any

from graphpalace.serve.render import json_schema


def answer_schema(answer: Any) -> dict[str, Any]:
    """Return the schema of an answer. Nothing is required, because a failure has only `error`."""
    schema = _brief(json_schema(answer), null={"type": "null"})
    if schema.get("type") != "object" or "properties" not in schema:
        schema = {"type": "object"}
    return _optional(schema)


def _optional(schema: Any) -> Any:
    """Return a schema of an answer without what is required and without defaults, which only matter to who sends it."""
    if isinstance(schema, list):
        return [_optional(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: part for name, part in schema.items() if name not in ("required", "default")}
    return {
        name: {key: _optional(inner) for key, inner in part.items()} if name == "properties" else _optional(part)
        for name, part in kept.items()
    }


def argument_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a tool's arguments without null, which stands for an argument that is left out.

    It does not say that there are no other arguments: a call with others is answered with their names.
    """
    return {name: part for name, part in _brief(schema, null=None).items() if name != "additionalProperties"}


def _brief(schema: Any, *, null: dict[str, Any] | None) -> Any:
    """Return a schema without titles, without the docstrings of classes, and with null written as `null`."""
    if isinstance(schema, list):
        return [_brief(part, null=null) for part in schema]
    if not isinstance(schema, dict):
        return schema
    brief: dict[str, Any] = {}
    for name, part in schema.items():
        if name in ("properties", "$defs"):
            brief[name] = {key: _brief(inner, null=null) for key, inner in part.items()}
        elif not (name == "title" and isinstance(part, str)) and not (name == "default" and part is None):
            brief[name] = _brief(part, null=null)
    if "properties" in brief:
        brief.pop("description", None)
    return _joined(brief, null)


def _joined(schema: dict[str, Any], null: dict[str, Any] | None) -> dict[str, Any]:
    """Return a schema of a value or null in its shortest form."""
    choices = schema.get("anyOf")
    if not isinstance(choices, list) or {"type": "null"} not in choices:
        return schema
    others = [choice for choice in choices if choice != {"type": "null"}]
    rest = {name: part for name, part in schema.items() if name != "anyOf"}
    if len(others) > 1 or (null and not isinstance(others[0].get("type"), str)):
        return rest | {"anyOf": others + ([null] if null else [])}
    return rest | others[0] | ({"type": [others[0]["type"], "null"]} if null else {})


def compact(value: Any) -> str:
    """Return JSON without spaces, as it is sent."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
