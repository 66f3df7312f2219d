"""Values of the command line that are plain: those that are not given, texts, and numbers as they are usually written.

Typer gives every value to pydantic, and importing pydantic takes longer than asking the service. So it gets those that
are not plain, and with them the messages on mistakes stay typer's.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

_WHOLE = re.compile(r"-?[0-9]{1,15}")
_DECIMAL = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")
_NOT_PLAIN = object()


def taking_plain_values(params: list[Any]) -> list[Any]:
    """Return the parameters of a command after letting them take plain values by themselves."""
    for param in params:
        if not isinstance(param.process_value, partial):
            param.process_value = partial(_processed, param, param.process_value)
    return params


def _processed(param: Any, typers_own: Callable[[Any, Any], Any], ctx: Any, value: Any) -> Any:
    found = _plain(param, value)
    if ctx.resilient_parsing and param.required and param.value_is_missing(found):
        return None  # the shell asks what may stand here
    if found is _NOT_PLAIN or (param.required and param.value_is_missing(found)):
        return typers_own(ctx, value)
    return found if param.callback is None else param.callback(ctx, param, found)


def _plain(param: Any, value: Any) -> Any:
    kind, info = param.type_descriptor.annotation, param.type_descriptor.parameter_info
    several = param.multiple or param.nargs == -1
    if value is None:
        return () if several else None
    if several:
        texts = kind == list[str] and all(isinstance(one, str) for one in value)
        return list(value) if texts else _NOT_PLAIN
    if kind is int and isinstance(value, str) and _WHOLE.fullmatch(value):
        value = int(value)
    if kind is float and isinstance(value, str) and _DECIMAL.fullmatch(value):
        value = float(value)
    if type(value) is not kind or kind not in (str, int, float, bool):
        return _NOT_PLAIN
    outside = (info.min is not None and value < info.min) or (info.max is not None and value > info.max)
    return _NOT_PLAIN if outside else value
