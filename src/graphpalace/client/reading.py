"""JSON as values of `domain`, by their own types: importing pydantic takes longer than the service takes to answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from graphpalace.errors import GraphPalaceError

T = TypeVar("T")
_Reader = Callable[[Any], Any]
_PLAIN = (str, int, bool, NoneType, Any)
_LISTS = {list: list, Sequence: list, tuple: tuple, set: set, frozenset: frozenset}


def value_from(plain: Any, kind: type[T]) -> T:
    """Return JSON as a value of a type: a dataclass, or lists and mappings of them.

    Fields that the type does not have are left out, so that a client understands a service of a later version.

    Raises:
        GraphPalaceError: If the JSON is of another form.
    """
    try:
        return _reader(kind)(plain)
    except (TypeError, ValueError, AttributeError) as error:
        raise GraphPalaceError(f"the answer of the service is not as this version knows it: {error}") from error


def _as_it_is(plain: Any) -> Any:
    return plain


def _number(plain: Any) -> Any:
    return float(plain) if isinstance(plain, int) else plain  # JSON has no difference


@cache
def _reader(kind: Any) -> _Reader:
    origin, parts = get_origin(kind), get_args(kind)
    found = None
    if kind in _PLAIN or origin is Literal:
        found = _as_it_is
    elif kind is float:
        found = _number
    elif origin in (Union, UnionType) and len(others := [part for part in parts if part is not NoneType]) == 1:
        found = _or_none(_reader(others[0]))
    elif origin in _LISTS and (len(parts) == 1 or parts[1:] == (...,)):
        found = _list(_LISTS[origin], _reader(parts[0]))
    elif origin in (dict, Mapping):
        found = _mapping(_reader(parts[0]), _reader(parts[1]))
    elif origin is Counter:
        found = Counter
    elif isinstance(kind, type) and issubclass(kind, Enum):
        found = kind
    elif is_dataclass(kind):
        found = _fields(kind)
    return found or _validated(kind)


def _or_none(read: _Reader) -> _Reader:
    return lambda plain: None if plain is None else read(plain)


def _list(make: _Reader, read: _Reader) -> _Reader:
    return lambda plain: make([read(one) for one in plain])


def _mapping(key: _Reader, value: _Reader) -> _Reader:
    return lambda plain: {key(name): value(one) for name, one in plain.items()}


def _fields(kind: Any) -> _Reader:
    """Return a reader of a dataclass. Its types are looked at when there is a first value: most answers lack some."""
    readers: dict[str, _Reader] = {}

    def read(plain: Any) -> Any:
        if not readers:
            readers.update({name: _reader(hint) for name, hint in get_type_hints(kind).items()})
        return kind(**{name: readers[name](value) for name, value in plain.items() if name in readers})

    return read


def _validated(kind: Any) -> _Reader:
    """Return a reader of any other type, such as a model of pydantic."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind).validate_python
