"""Conditions on documents, joined by and, or, not from left to right, and the forms in which callers give them.

Groups take the place of brackets."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, TypeAlias, get_args

from graphpalace.domain.search.codes import SHAPES, is_code, levels_of
from graphpalace.errors import InvalidInput

Join = Literal["and", "or", "not"]
Op = Literal["in", "range", "eq", "neq"]

PLAIN_FIELDS = ("pubyear", "date", "assignee", "country", "wing", "room")  # any other field is a scheme of codes
RANGE_FIELDS = ("pubyear", "date")

Scalar: TypeAlias = str | int | date
Bounds: TypeAlias = tuple[Scalar | None, Scalar | None]

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


@dataclass(frozen=True, slots=True)
class ClosetFacts:
    """What is known of a closet in one of its rooms; None or () where it is not known.

    Attributes:
        codes: As stored on closets, for example `cpc:H04L9/32`.
        published: Day of publication.
    """

    codes: tuple[str, ...] = ()
    published: date | None = None
    assignee: str | None = None
    country: str | None = None
    wing: str | None = None
    room: str | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """One comparison; `domain.condition_forms` makes it from what a caller gave, and checks it.

    Attributes:
        lop: How it joins those before it; `not` means "and not". On the first one `or` means the same as `and`.
        field: One of `PLAIN_FIELDS`, or the name of a scheme of codes.
        op: `eq`: the value, or for codes one below it. `in`: one of the values. `range`: between both, each inclusive.
            `neq`: what `eq` does not find, so also documents without the field.
        value: One value for `eq` and `neq`, several for `in`, (from, to) for `range`, None at an open end.
            Codes, assignees and countries are compared without regard to case; `pubyear` has int, `date` has dates.
    """

    lop: Join
    field: str
    op: Op
    value: Scalar | tuple[Scalar, ...] | Bounds
    _wanted: frozenset[object] = dataclasses.field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        values = self.value if isinstance(self.value, tuple) else (self.value,)
        object.__setattr__(self, "_wanted", frozenset(self._comparable(value) for value in values))

    def passes(self, facts: ClosetFacts) -> bool:
        """Return whether the comparison holds, whatever `lop` is."""
        own = self._own(facts)
        if self.op == "range":
            bounds: Any = self.value
            low, high = bounds
            return any((low is None or value >= low) and (high is None or value <= high) for value in own)
        return self._wanted.isdisjoint(own) == (self.op == "neq")

    def _comparable(self, value: object) -> object:
        if self.field not in PLAIN_FIELDS:
            levels = levels_of(str(value), self.field)
            return levels[-1] if levels else ""
        return _folded(value) if self.field in {"assignee", "country"} and value is not None else value

    def _own(self, facts: ClosetFacts) -> Sequence[Any]:
        """Return what a document has in the field, codes with all that covers them."""
        if self.field not in PLAIN_FIELDS:
            prefix = f"{self.field}:"
            found = (code[len(prefix) :] for code in facts.codes if code.startswith(prefix))
            return [level for code in found for level in levels_of(code, self.field)]
        value: object = {
            "pubyear": facts.published.year if facts.published else None,
            "date": facts.published,
            "assignee": _folded(facts.assignee) if facts.assignee else None,
            "country": _folded(facts.country) if facts.country else None,
            "wing": facts.wing,
            "room": facts.room,
        }[self.field]
        return [] if value is None else [value]


@dataclass(frozen=True, slots=True)
class Group:
    """Conditions that count as one, as if in brackets; never empty."""

    lop: Join
    members: tuple[Condition | Group, ...]

    def passes(self, facts: ClosetFacts) -> bool:
        """Return whether the members hold together, whatever `lop` is."""
        return passes(self.members, facts)


def passes(conditions: Sequence[Condition | Group], facts: ClosetFacts) -> bool:
    """Return whether conditions hold, evaluated from left to right without precedence; none always do."""
    result = True
    for at, condition in enumerate(conditions):
        holds = condition.passes(facts)
        if condition.lop == "not":
            result = result and not holds
        elif condition.lop == "or" and at > 0:
            result = result or holds
        else:
            result = result and holds
    return result


def schemes_in(conditions: Sequence[Condition | Group]) -> set[str]:
    """Return the schemes of codes that conditions ask for."""
    found: set[str] = set()
    for condition in conditions:
        if isinstance(condition, Group):
            found |= schemes_in(condition.members)
        elif condition.field not in PLAIN_FIELDS:
            found.add(condition.field)
    return found


def _folded(value: object) -> str:
    return " ".join(str(value).split()).casefold()


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
