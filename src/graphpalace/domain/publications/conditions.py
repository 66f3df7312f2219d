"""Conditions on documents, joined by and, or, not from left to right, with groups in the place of brackets."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, TypeAlias

from graphpalace.domain.publications.codes import levels_of

Join = Literal["and", "or", "not"]
Op = Literal["in", "range", "eq", "neq"]

PLAIN_FIELDS = ("pubyear", "date", "assignee", "country", "wing", "room")  # any other field is a scheme of codes
RANGE_FIELDS = ("pubyear", "date")

Scalar: TypeAlias = str | int | date
Bounds: TypeAlias = tuple[Scalar | None, Scalar | None]


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
