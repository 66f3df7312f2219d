"""JSON schemas of tools, as short as they can be: a host puts them before its model with every request."""

from __future__ import annotations

import json
from typing import Any

from graphpalace.serve.render import json_schema

_OF_SENDERS = ("required", "default", "examples", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")


def answer_schema(answer: Any) -> dict[str, Any]:
    """Return the schema of an answer. Nothing is required, because a failure has only `error`."""
    schema = _brief(json_schema(answer), null={"type": "null"})
    if schema.get("type") != "object" or "properties" not in schema:
        schema = {"type": "object"}
    schema = _optional(schema)
    return _inlined(schema, schema.pop("$defs", {}), {}, "the answer")


def _optional(schema: Any) -> Any:
    """Return a schema of an answer without what only matters to who sends it: what is required, defaults and limits."""
    if isinstance(schema, list):
        return [_optional(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {
        name: part
        for name, part in schema.items()
        if name not in _OF_SENDERS and not (name == "additionalProperties" and isinstance(part, bool))
    }
    return {
        name: {key: _optional(inner) for key, inner in part.items()} if name == "properties" else _optional(part)
        for name, part in kept.items()
    }


def _inlined(schema: Any, named: dict[str, Any], described: dict[str, str], at: str) -> Any:
    """Return a schema with each object in the place where it comes first; another place only says which one it is like.

    Args:
        named: The objects by name, as `$ref` has it.
        described: Where each is described, by `$ref`. It is extended.
        at: Name of the property that has this schema.
    """
    if isinstance(schema, list):
        return [_inlined(part, named, described, at) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        told = {name: part for name, part in schema.items() if name != "$ref"}
        name = schema["$ref"]
        if name in described and "properties" in named[name.removeprefix("#/$defs/")]:
            return {"type": "object", "description": f"like {described[name]}"} | told
        described.setdefault(name, at)
        return _inlined(named[name.removeprefix("#/$defs/")], named, described, at) | told
    return {
        name: {key: _inlined(inner, named, described, key) for key, inner in part.items()}
        if name == "properties"
        else _inlined(part, named, described, at)
        for name, part in schema.items()
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
        elif not (name == "title" and isinstance(part, str)) and not (name == "default" and part in (None, [])):
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
