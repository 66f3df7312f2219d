"""From what callers write, lists of conditions or the short form, to checked conditions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, get_args

from graphpalace.domain.publications.codes import SHAPES, is_code
from graphpalace.domain.publications.conditions import PLAIN_FIELDS, RANGE_FIELDS, Condition, Group, Join, Op, Scalar
from graphpalace.errors import InvalidInput

SHORT_FORM = ("date_from", "date_to", "ipc", "cpc", "fi", "ft", "assignee", "country")

_SCHEME = re.compile(r"[a-z][a-z0-9_]{0,30}")
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_YEAR = re.compile(r"\d{1,4}", re.ASCII)
_MOST, _DEEPEST = 200, 8
_NEEDS = {
    "pubyear": "a year from 1 to 9999",
    "date": "a day as 2023-05-31",
    "code": "a code that is not empty",
}


def conditions_of(given: object, *, name: str = "filters") -> tuple[Condition | Group, ...]:
    """Return the conditions that a caller gave.

    Args:
        given: None; a list of `{"lop": "and", "field": "cpc", "op": "in", "value": ["H04L"]}` and of
            `{"lop": "or", "group": [...]}`, where `lop` may be left out for `and`; or the short form, a map of some of
            `SHORT_FORM` to a value or a list, which must all hold, each list with one of its values.
        name: What messages call it.
    Raises:
        InvalidInput: If something cannot be used; `field` says where, as `filters[1].value`.
    """
    if given is None:
        return ()
    if isinstance(given, Mapping):
        return _short(given, name)
    return _list(given, name, 1)


def _list(given: object, name: str, depth: int) -> tuple[Condition | Group, ...]:
    if not isinstance(given, list | tuple) or len(given) > _MOST:
        raise _wrong(name, given, f"a list of at most {_MOST} conditions, or a map of some of {', '.join(SHORT_FORM)}")
    if depth > _DEEPEST:
        raise InvalidInput(f"{name} is {depth} groups deep; it must be at most {_DEEPEST}", field=name)
    return tuple(_one(item, f"{name}[{at}]", depth) for at, item in enumerate(given))


def _one(given: object, name: str, depth: int) -> Condition | Group:
    if isinstance(given, Condition | Group):
        return given
    if not isinstance(given, Mapping):
        raise _wrong(name, given, "a map with lop, field, op and value, or with lop and group")
    keys = {"lop", "group"} if "group" in given else {"lop", "field", "op", "value"}
    if unknown := sorted(set(map(str, given)) - keys):
        raise InvalidInput(f"{name} has {', '.join(unknown)}; it may have {', '.join(sorted(keys))}", field=name)
    lop = _choice(given.get("lop", "and"), f"{name}.lop", get_args(Join))
    if "group" in given:
        members = _list(given["group"], f"{name}.group", depth + 1)
        if not members:
            raise _wrong(f"{name}.group", given["group"], "a list of at least one condition")
        return Group(lop, members)
    field = given.get("field")
    if not isinstance(field, str) or not _SCHEME.fullmatch(field):
        raise _wrong(f"{name}.field", field, f"one of {', '.join(PLAIN_FIELDS)}, or a scheme of codes, as ipc or cpc")
    op = _choice(given.get("op", "eq"), f"{name}.op", get_args(Op))
    return _condition(lop, field, op, given.get("value"), f"{name}.value")


def _condition(lop: Any, field: str, op: Any, value: object, name: str) -> Condition:
    if op == "range":
        if field not in RANGE_FIELDS:
            raise InvalidInput(
                f"{name} is a range of {field}; only {' and '.join(RANGE_FIELDS)} have ranges, {field} takes in, eq or "
                "neq",
                field=name,
                value=value,
            )
        if not isinstance(value, list | tuple) or len(value) != 2 or value[0] is value[1] is None:
            raise _wrong(name, value, f"a list of two, from and to, each {_NEEDS[field]}, one of them null if open")
        low, high = (None if end is None else _scalar(field, end, name) for end in value)
        if low is not None and high is not None and low > high:  # type: ignore[operator]
            raise _wrong(name, value, "from the smaller to the larger")
        return Condition(lop, field, op, (low, high))
    if op == "in":
        if not isinstance(value, list | tuple) or not value:
            raise _wrong(name, value, "a list of at least one value")
        return Condition(lop, field, op, tuple(_scalar(field, one, f"{name}[{at}]") for at, one in enumerate(value)))
    return Condition(lop, field, op, _scalar(field, value, name))


def _scalar(field: str, value: object, name: str) -> Scalar:
    if field == "pubyear":
        return _read(name, value, _NEEDS["pubyear"], _year)
    if field == "date":
        return _read(name, value, _NEEDS["date"], _day)
    if not isinstance(value, str) or not value.strip():
        raise _wrong(name, value, _NEEDS["code"] if field not in PLAIN_FIELDS else "a text that is not empty")
    if field in SHAPES and not is_code(value, scheme=field):
        raise _wrong(name, value, SHAPES[field])
    return value


def _read(name: str, value: object, needs: str, reader: Callable[[object], Scalar]) -> Scalar:
    try:
        return reader(value)
    except (TypeError, ValueError):
        raise _wrong(name, value, needs) from None


def _year(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError
    if isinstance(value, str) and not _YEAR.fullmatch(value):  # int() reads "+5", " 5 " and "2_0" too
        raise ValueError
    year = int(value)
    if not 1 <= year <= 9999:
        raise ValueError
    return year


def _day(value: object) -> date:
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        raise TypeError
    return date.fromisoformat(value)


def _short(given: Mapping[Any, Any], name: str) -> tuple[Condition, ...]:
    if unknown := sorted(set(map(str, given)) - set(SHORT_FORM)):
        raise InvalidInput(f"{name} has {', '.join(unknown)}; it may have {', '.join(SHORT_FORM)}", field=name)
    found: list[Condition] = []
    days = given.get("date_from"), given.get("date_to")
    if days != (None, None):
        for key, day in zip(("date_from", "date_to"), days, strict=True):
            if day is not None:
                _scalar("date", day, f"{name}.{key}")
        found.append(_condition("and", "date", "range", days, f"{name}.date_from"))
    for key in SHORT_FORM[2:]:
        value = given.get(key)
        if value is not None:
            values = [value] if isinstance(value, str) else value
            found.append(_condition("and", key, "in", values, f"{name}.{key}"))
    return tuple(found)


def _choice(value: object, name: str, known: tuple[str, ...]) -> Any:
    if value not in known:
        raise _wrong(name, value, f"one of {', '.join(known)}")
    return value


def _wrong(name: str, value: object, right: str) -> InvalidInput:
    shown = repr(value)
    shown = shown if len(shown) <= 80 else f"{shown[:77]}..."
    return InvalidInput(f"{name} is {shown}; it must be {right}", field=name, value=value)
