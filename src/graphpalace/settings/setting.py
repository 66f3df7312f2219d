"""Describe settings for people: their keys, types, ranges, defaults and descriptions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, SecretStr

ENVIRONMENT_PREFIX = "GRAPHPALACE"

_TYPES = {"integer": "whole number", "number": "number", "string": "text", "boolean": "true or false"}


@dataclass(frozen=True, slots=True)
class Setting:
    """The description of one setting.

    Attributes:
        section: Name of the section, as in the header of its TOML table, for example `pheromones.deposit`.
        description: What the setting does, in whole sentences.
        kind: Type of the value, in words.
        allowed: Range or choices, for example `0 to 1` or `off, auto, on`; empty if every value of the type is allowed.
        default: Default as a TOML value: plain values, lists and dicts. If it depends on the machine, an example.
        shown_default: Description of a default that depends on the machine; None for others.
    """

    section: str
    key: str
    description: str
    kind: str
    allowed: str
    default: Any
    shown_default: str | None = None

    @property
    def variable(self) -> str:
        """The environment variable that overrides the setting."""
        return f"{ENVIRONMENT_PREFIX}_{'__'.join([*self.section.split('.'), self.key])}".upper()


def settings_of(section: type[BaseModel], name: str) -> Iterator[Setting]:
    """Yield the settings of a section, without those of nested sections.

    Args:
        section: Model of the section.
        name: Name of the section, as in the header of its TOML table.
    """
    schema = section.model_json_schema()
    default = section()
    for key, field in section.model_fields.items():
        value = getattr(default, key)
        if isinstance(value, BaseModel):
            continue
        extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
        shown = extra.get("shown_default")
        kind, allowed = _kind(schema["properties"][key])
        usual = plain(extra.get("shown_value", value))
        yield Setting(name, key, field.description or "", kind, allowed, usual, None if shown is None else str(shown))


def setting_of(section: type[BaseModel], name: str, key: str) -> Setting:
    """Return one setting of a section.

    Raises:
        KeyError: If the section has no such key.
    """
    return {setting.key: setting for setting in settings_of(section, name)}[key]


def sections(settings: type[BaseModel]) -> Iterator[tuple[type[BaseModel], str]]:
    """Yield the model and the name of each section; a nested section follows the outer one."""
    for name, field in settings.model_fields.items():
        yield from _with_inner(type(field.default), name)


def _with_inner(model: type[BaseModel], name: str) -> Iterator[tuple[type[BaseModel], str]]:
    yield model, name
    for key, field in model.model_fields.items():
        if isinstance(field.default, BaseModel):
            yield from _with_inner(type(field.default), f"{name}.{key}")


def toml(value: Any) -> str:
    """Return a plain value as TOML. Keys must not need quotes."""
    if isinstance(value, dict):
        inner = ", ".join(f"{key} = {toml(part)}" for key, part in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    return json.dumps(value, ensure_ascii=False)


def plain(value: Any) -> Any:
    """Return a value of a setting as TOML has values: lists, dicts, texts, numbers and booleans."""
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    if isinstance(value, BaseModel):
        return {key: plain(part) for key, part in value}
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, tuple | list) else value


def _kind(schema: dict[str, Any]) -> tuple[str, str]:
    """Return the type of a JSON schema in words, and its range or choices."""
    if "enum" in schema:
        return "text", ", ".join(schema["enum"])
    if schema.get("type") == "array":
        kind, allowed = _kind(schema["items"])
        return f"list of {kind}s", allowed
    if schema.get("type") == "object":
        values = schema.get("additionalProperties")
        kind, allowed = _kind(values) if isinstance(values, dict) and "type" in values else ("value", "")
        return f"table of {kind}s", allowed
    return _TYPES[schema["type"]], _range(schema)


def _range(schema: dict[str, Any]) -> str:
    least, above = schema.get("minimum"), schema.get("exclusiveMinimum")
    most = schema.get("maximum")
    if least is not None and most is not None:
        return f"{_number(least)} to {_number(most)}"
    parts = [
        "" if least is None else f"at least {_number(least)}",
        "" if above is None else f"above {_number(above)}",
        "" if most is None else f"at most {_number(most)}",
    ]
    return ", ".join(part for part in parts if part)


def _number(value: float) -> str:
    """Return a bound without an exponent and without trailing zeros."""
    return str(int(value)) if value == int(value) else f"{value:g}"
