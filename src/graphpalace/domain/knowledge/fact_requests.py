"""What is asked of facts: to add, replace and take back some, and to find some."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from graphpalace.domain.field import NAMED, Field
from graphpalace.domain.identity import MOST_NAME_CHARS, place_name
from graphpalace.domain.knowledge.entity import checked_name
from graphpalace.domain.knowledge.facts import STATED
from graphpalace.domain.moments import FactTime, fact_time, optional_time
from graphpalace.errors import InvalidInput

MOST_DRAWERS = 1000  # that one request names
MOST_FACTS = 1000  # in one answer
MOST_DEPTH = 5  # steps from the name where a traversal starts

_GAPS = re.compile(r"[\s_\-]+")

Name = Annotated[
    str,
    Field(min_length=1, max_length=MOST_NAME_CHARS, description="a name", examples=["Ada Lovelace"]),
    NAMED,
]
Predicate = Annotated[
    str,
    Field(
        min_length=1,
        max_length=MOST_NAME_CHARS,
        description="what joins the names, such as works_at",
        examples=["works_at"],
    ),
    NAMED,
]
Confidence = Annotated[float, Field(gt=0, le=1, description="how sure it is")]
Source = Annotated[str, Field(min_length=1, max_length=MOST_NAME_CHARS, description="who or what says so")]
Drawers = Annotated[Sequence[str], Field(max_length=MOST_DRAWERS, description="ids of drawers that say so")]
OnlyPredicate = Annotated[Predicate, Field(description="only this predicate")]
AsOf = Annotated[FactTime, Field(description="what holds in the world then; default: now")]
KnownAt = Annotated[FactTime, Field(description="what the palace knew then; default: now")]
Limit = Annotated[int, Field(ge=1, le=MOST_FACTS, description="largest number of facts")]


@dataclass(frozen=True, slots=True)
class NewFact:
    """A fact that somebody states."""

    subject: Name
    predicate: Predicate
    object: Name
    valid_from: Annotated[FactTime | None, Field(description="it holds from this time on; default: since ever")] = None
    valid_to: Annotated[
        FactTime | None, Field(description="it holds before this time; default: until further notice")
    ] = None
    confidence: Confidence = 1.0
    source: Source = STATED
    drawers: Drawers = ()

    def check(self) -> None:
        """Check the values.

        Raises:
            InvalidInput: If a name, a time, the confidence or the number of drawers is not valid, or the fact would end
                before it begins.
        """
        _check_triple(self.subject, self.predicate, self.object)
        _check_evidence(self.confidence, self.source, self.drawers)
        start, end = optional_time("valid_from", self.valid_from), optional_time("valid_to", self.valid_to)
        if start is not None and end is not None and start >= end:
            raise InvalidInput(
                f"valid_from is {self.valid_from!r}; it must be before valid_to, {self.valid_to!r}",
                field="valid_from",
                value=self.valid_from,
            )


@dataclass(frozen=True, slots=True)
class Supersession:
    """A fact that takes the place of another one."""

    subject: Name
    predicate: Predicate
    object: Annotated[Name, Field(description="the new object")]
    replaces: Annotated[
        Name | None,
        Field(description="the old object; needed only if there are several"),
    ] = None
    at: Annotated[FactTime | None, Field(description="when the new fact begins to hold; default: now")] = None
    confidence: Confidence = 1.0
    source: Source = STATED
    drawers: Drawers = ()

    def check(self) -> None:
        """Check the values.

        Raises:
            InvalidInput: As `NewFact.check`, or if the fact would replace itself.
        """
        _check_triple(self.subject, self.predicate, self.object)
        _check_evidence(self.confidence, self.source, self.drawers)
        optional_time("at", self.at)
        if self.replaces is not None:
            checked_name("replaces", self.replaces)


@dataclass(frozen=True, slots=True)
class Invalidation:
    """Which facts the palace is to unlearn: one by its id, or all with a subject, a predicate and an object."""

    fact: Annotated[str | None, Field(description="id of the fact; or else give the other three")] = None
    subject: Annotated[Name | None, Field(description="subject of the facts")] = None
    predicate: Annotated[Predicate | None, Field(description="their predicate")] = None
    object: Annotated[Name | None, Field(description="their object")] = None
    ended: Annotated[FactTime | None, Field(description="they did hold until this time; default: they never did")] = (
        None
    )

    def check(self) -> None:
        """Check the choice.

        Raises:
            InvalidInput: If neither an id nor all of subject, predicate and object are given, or both are.
        """
        triple = (self.subject, self.predicate, self.object)
        if (self.fact is None) == (triple == (None, None, None)) or (self.fact is None and None in triple):
            raise InvalidInput("give either fact, or subject, predicate and object", field="fact", value=self.fact)
        if self.fact is None:
            _check_triple(*(part or "" for part in triple))
        optional_time("ended", self.ended)


@dataclass(frozen=True, slots=True)
class FactQuery:
    """Which facts are wanted: those that meet everything that is given."""

    subject: Annotated[Name | None, Field(description="their subject")] = None
    predicate: OnlyPredicate | None = None
    object: Annotated[Name | None, Field(description="their object")] = None
    as_of: AsOf | None = None
    known_at: KnownAt | None = None
    limit: Limit = 100

    def check(self) -> None:
        """Check the values.

        Raises:
            InvalidInput: If a name or a time is not valid, or the limit is out of range.
        """
        _check_names(subject=self.subject, object=self.object)
        _check_reading(predicate=self.predicate, as_of=self.as_of, known_at=self.known_at, limit=self.limit)


@dataclass(frozen=True, slots=True)
class TimelineQuery:
    """Which facts on a name are wanted, from all times."""

    name: Annotated[Name, Field(description="subject or object of the facts")]
    predicate: OnlyPredicate | None = None
    known_at: KnownAt | None = None
    unlearned: Annotated[bool, Field(description="also what was taken back")] = False
    limit: Limit = 100

    def check(self) -> None:
        """Check the values.

        Raises:
            InvalidInput: If a name or a time is not valid, or the limit is out of range.
        """
        _check_reading(predicate=self.predicate, known_at=self.known_at, limit=self.limit)
        checked_name("name", self.name)


@dataclass(frozen=True, slots=True)
class TraversalQuery:
    """From which name to follow facts, and how far."""

    start: Annotated[Name, Field(description="the name to start from")]
    depth: Annotated[int, Field(ge=1, le=MOST_DEPTH, description="largest number of facts from there")] = 2
    predicate: OnlyPredicate | None = None
    as_of: AsOf | None = None
    known_at: KnownAt | None = None
    limit: Limit = 100

    def check(self) -> None:
        """Check the values.

        Raises:
            InvalidInput: If a name or a time is not valid, or a number is out of range.
        """
        _check_reading(predicate=self.predicate, as_of=self.as_of, known_at=self.known_at, limit=self.limit)
        checked_name("start", self.start)
        if not 1 <= self.depth <= MOST_DEPTH:
            raise InvalidInput(f"depth is {self.depth}; it must be 1 to {MOST_DEPTH}", field="depth", value=self.depth)


@dataclass(frozen=True, slots=True)
class ContradictionQuery:
    """Among which facts to look for contradictions."""

    subject: Annotated[Name | None, Field(description="only facts on this name; default: all")] = None
    predicate: Annotated[Predicate | None, Field(description="only this predicate or its inverse; default: all")] = None
    limit: Annotated[int, Field(ge=1, le=MOST_FACTS, description="largest number of pairs")] = 100

    def check(self) -> None:
        """Check the values.

        Raises:
            InvalidInput: If a name is not valid, or the limit is out of range.
        """
        _check_names(subject=self.subject)
        _check_reading(predicate=self.predicate, limit=self.limit)


@dataclass(frozen=True, slots=True)
class CountQuery:
    """All facts of a palace."""


def predicate_name(field: str, text: str) -> str:
    """Return a predicate in the form in which facts have it: lower case, with underscores between words.

    Raises:
        InvalidInput: If it is not one line of 1 to 200 characters, at least one of them a letter or a digit.

    >>> predicate_name("predicate", "Works at")
    'works_at'
    """
    place_name(field, text)
    name = _GAPS.sub("_", text.casefold()).strip("_")
    if not any(character.isalnum() for character in name):
        raise InvalidInput(f"{field} is {text!r}; it must have at least one letter or digit", field=field, value=text)
    return name


def _check_names(**names: str | None) -> None:
    """Raise `InvalidInput` if one of the names that are given cannot be an entity's."""
    for field, name in names.items():
        if name is not None:
            checked_name(field, name)


def _check_reading(
    *, predicate: str | None = None, as_of: str | None = None, known_at: str | None = None, limit: int
) -> None:
    """Raise `InvalidInput` if one of the values with which facts are read is not valid."""
    if predicate is not None:
        predicate_name("predicate", predicate)
    for field, time in (("as_of", as_of), ("known_at", known_at)):
        if time is not None:
            fact_time(field, time)
    if not 1 <= limit <= MOST_FACTS:
        raise InvalidInput(f"limit is {limit}; it must be 1 to {MOST_FACTS}", field="limit", value=limit)


def _check_triple(subject: str, predicate: str, object: str) -> None:
    checked_name("subject", subject)
    predicate_name("predicate", predicate)
    checked_name("object", object)


def _check_evidence(confidence: float, source: str, drawers: Sequence[str]) -> None:
    if not 0 < confidence <= 1:
        raise InvalidInput(
            f"confidence is {confidence}; it must be above 0 and at most 1", field="confidence", value=confidence
        )
    place_name("source", source)
    if len(drawers) > MOST_DRAWERS:
        raise InvalidInput(
            f"drawers has {len(drawers)} ids; a fact takes at most {MOST_DRAWERS} at a time", field="drawers"
        )
