"""How a call is written, and how its reply is read: JSON to values of `domain`, failures to our errors."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, is_dataclass
from datetime import date
from enum import Enum
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from graphpalace.client.reading import value_from
from graphpalace.client.transports.reply import Reply, Request
from graphpalace.client.write_keys import given_key
from graphpalace.errors import GraphPalaceError, InvalidInput, every_error

T = TypeVar("T")
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
