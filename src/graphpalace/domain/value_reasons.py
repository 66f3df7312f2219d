"""What is wrong with a value, in our words: pydantic finds it, and every door says it in the same way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from pydantic.fields import FieldInfo

from graphpalace.domain.texts import counted

_TYPES: Mapping[str, str] = {
    "text": "string_type string_sub_type string_unicode",
    "a whole number": "int_type int_parsing int_from_float int_parsing_size",
    "a number": "float_type float_parsing",
    "a number that is not infinite": "finite_number",
    "true or false": "bool_type bool_parsing",
    "a list": "list_type tuple_type set_type frozen_set_type iterable_type",
    "an object": "dict_type mapping_type model_type model_attributes_type dataclass_type",
    "null": "none_required",
}
_WORDS = {kind: f"it must be {words}" for words, kinds in _TYPES.items() for kind in kinds.split()}
BOUNDS = ("greater_than_equal", "greater_than", "less_than_equal", "less_than")


def value_reason(found: Mapping[str, Any], *, bounds: Mapping[str, Any] | None = None) -> str:
    """Return what a value must be, as the end of a sentence on it.

    Args:
        found: One of the errors of pydantic's `ValidationError`.
        bounds: The limits of the field, of `ge`, `gt`, `le` and `lt` those that it has.

    >>> value_reason({"type": "greater_than_equal", "ctx": {"ge": 1}, "msg": ""}, bounds={"ge": 1, "le": 200})
    'it must be 1 to 200'
    """
    kind, more = found["type"], found.get("ctx") or {}
    if kind in BOUNDS:
        words = _range(bounds or {name: more[name] for name in ("ge", "gt", "le", "lt") if name in more})
    elif kind in ("literal_error", "enum"):
        words = f"it must be {more['expected']}"
    elif "min_length" in more:
        words = f"it must have at least {_counted(more['min_length'], kind)}"
    elif "max_length" in more:
        words = f"it must have at most {_counted(more['max_length'], kind)}"
    elif kind == "value_error":
        words = str(more.get("error", found["msg"]))
    elif kind.startswith(("datetime", "date_", "time")):
        words = "it must be a date or time as text, for example 2026-05-31 or 2026-05-31T12:00:00Z"
    else:
        plain = re.sub(r"^(?:Input|Value|String|List|Tuple|Set|Dictionary|Data) should", "it must", found["msg"])
        words = _WORDS.get(kind, plain)
    return words


def bounds_of(field: FieldInfo) -> dict[str, Any]:
    """Return the limits that are declared of a field of a pydantic model, also inside an optional type."""
    declared = [*field.metadata, *(one for part in get_args(field.annotation) for one in _metadata(part))]
    found = {name: getattr(one, name) for one in declared for name in ("ge", "gt", "le", "lt") if hasattr(one, name)}
    return {name: limit for name, limit in found.items() if limit is not None}


def _metadata(part: Any) -> Iterator[Any]:
    for one in getattr(part, "__metadata__", ()):
        yield from one.metadata if isinstance(one, FieldInfo) else (one,)


def _range(bounds: Mapping[str, Any]) -> str:
    if "ge" in bounds and "le" in bounds:
        return f"it must be {bounds['ge']} to {bounds['le']}"
    words = {"ge": "at least", "gt": "above", "le": "at most", "lt": "below"}
    return "it must be " + " and ".join(f"{words[name]} {limit}" for name, limit in bounds.items())


def _counted(number: int, kind: str) -> str:
    return counted(number, "character" if kind.startswith("string") else "item")
