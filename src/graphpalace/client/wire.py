"""How a call is written, with the key of a write, and how its reply is read: values of `domain`, or our errors."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, is_dataclass
from datetime import date
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints
from urllib.parse import quote, urlencode

from graphpalace.client.transports.reply import Reply, Request
from graphpalace.errors import GraphPalaceError, InvalidInput, every_error

T = TypeVar("T")
_Reader = Callable[[Any], Any]
_AS_THEY_ARE = (str, int, bool, NoneType, Any)
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
    if kind in _AS_THEY_ARE or origin is Literal:
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


_MOST_CHARS = 200
_READS = ("GET", "HEAD")


@dataclass(slots=True)
class _Given:
    key: str
    sent: int = 0


_GIVEN: ContextVar[_Given | None] = ContextVar("given_key", default=None)


@contextmanager
def keyed(key: str | None) -> Iterator[None]:
    """Send the writes of this task under a key of the caller's own; those after the first as `key.2` and so on.

    Args:
        key: 1 to 200 visible ASCII characters without blanks. None: the keys that are used already.
    Raises:
        InvalidInput: If the key is not possible.
    """
    if key is None:
        yield
        return
    if not 1 <= len(key) <= _MOST_CHARS or not all("!" <= character <= "~" for character in key):
        raise InvalidInput(
            f"key is {key[:100]!r}; it must be 1 to {_MOST_CHARS} visible ASCII characters without blanks, "
            "such as a UUID",
            field="key",
            value=key[:100],
        )
    token = _GIVEN.set(_Given(key))
    try:
        yield
    finally:
        _GIVEN.reset(token)


def given_key(method: str) -> str | None:
    """Return the key that the caller gives to the next call; None if it gives none, or the call only reads."""
    given = _GIVEN.get()
    if given is None or method in _READS:
        return None
    given.sent += 1
    return given.key if given.sent == 1 else f"{given.key}.{given.sent}"


_BRACES = re.compile(r"\{(\w+)(?::path)?\}")
_ERRORS = {error.code: error for error in reversed(every_error())}  # of several with one code, the most general


def request_of(
    method: str,
    path: str,
    *,
    query: Mapping[str, Any] | None = None,
    body: Mapping[str, Any] | None = None,
    timeout_s: float | None = None,
) -> Request:
    """Return a call. What is None is left out, so that the service's default counts.

    Args:
        path: With its variable parts quoted by `segment`.
        query: Goes into the address; a value that is a list is repeated.
        body: Goes into the body as JSON; times, sets, arrays and dataclasses may be in it.
    """
    asked = {name: _plain(value) for name, value in (query or {}).items() if value is not None}
    address = f"{path}?{urlencode(asked, doseq=True)}" if asked else path
    content = None if body is None else encoded({name: value for name, value in body.items() if value is not None})
    return Request(method, address, content, timeout_s, given_key(method))


def encoded(value: Any) -> bytes:
    """Return JSON, in UTF-8.

    Raises:
        InvalidInput: If a number is infinite or not a number.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, default=_plain, allow_nan=False)
    except ValueError as error:
        raise InvalidInput(f"a number of the request is not finite, and JSON has no such number: {error}") from None
    return text.encode("utf-8", "surrogatepass")


def segment(field: str, name: str) -> str:
    """Return a name as one part of a path.

    Args:
        field: Name of the value in error messages.
    Raises:
        InvalidInput: If the name is empty, or one that means another path: "." or "..".
    """
    if name in ("", ".", ".."):
        raise InvalidInput(f"{field} is {name!r}; give an id or a name", field=field, value=name)
    return quote(name, safe="")


def placed(path: str, given: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return a path whose braces are filled with values, and the other values.

    Raises:
        InvalidInput: If a value cannot be a part of a path.
    """
    rest = dict(given)
    filled = _BRACES.sub(lambda found: segment(found[1], str(rest.pop(found[1]))), path)
    return filled, rest


def value_of(reply: Reply, kind: type[T]) -> T:
    """Return what a reply says, as a value of a type.

    Raises:
        GraphPalaceError: The error that the service answered with.
    """
    check(reply)
    return read(reply.body, kind)


def check(reply: Reply) -> None:
    """Raise the error that a reply carries, if it is one.

    Raises:
        GraphPalaceError: The error that the service answered with.
    """
    if reply.status < 400:
        return
    try:
        error = json.loads(reply.body)["error"]
        code, message, detail = str(error["code"]), str(error["message"]), error.get("detail")
        request_id = str(error.get("request_id", ""))
    except (ValueError, LookupError, TypeError, AttributeError):
        shown = reply.body[:200].decode("utf-8", "replace")
        raise GraphPalaceError(
            f"the answer was HTTP {reply.status} and is not GraphPalace's: {shown!r}", status=reply.status
        ) from None
    raise error_of(code, message, detail, request_id)


def error_of(code: str, message: str, detail: Any, request_id: str = "") -> GraphPalaceError:
    """Return our error for its code; one that this version does not know is a `GraphPalaceError` with that code.

    Args:
        request_id: Of the request that failed.
    """
    known = _ERRORS.get(code, GraphPalaceError)
    error = known(message, **(detail if isinstance(detail, dict) else {} if detail is None else {"problems": detail}))
    error.request_id = request_id
    if known.code != code:
        error.code = code  # pyright: ignore[reportAttributeAccessIssue] - of this one error
    return error


def read(body: bytes, kind: type[T]) -> T:
    """Return JSON as a value of a type. Fields that this version does not know are left out."""
    if kind is bytes:
        return body  # pyright: ignore[reportReturnType]
    if kind is type(None):
        return None  # pyright: ignore[reportReturnType]
    try:
        plain = json.loads(body)
    except ValueError as error:
        raise GraphPalaceError(f"the answer of the service is not JSON: {error}") from error
    return value_from(plain, kind)


def _plain(value: Any) -> Any:
    """Return a value as JSON and addresses have it."""
    for kind, plain in _PLAIN:
        if isinstance(value, kind):
            return plain(value)
    if is_dataclass(value):
        return asdict(value)  # pyright: ignore[reportArgumentType] - of a value, not of a class
    return value.tolist() if hasattr(value, "tolist") else str(value)  # arrays of numpy and torch have it


_PLAIN: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (bool, lambda value: "true" if value else "false"),
    (Enum, lambda value: value.value),
    (date, lambda value: value.isoformat()),
    ((set, frozenset), sorted),
    (Mapping, dict),
    ((str, int, float, list, tuple), lambda value: value),
)
