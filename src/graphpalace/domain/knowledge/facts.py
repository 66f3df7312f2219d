"""Facts with two times: when they hold in the world, and when the palace knew them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from graphpalace.domain.identity import MOST_NAME_CHARS, place_name
from graphpalace.domain.knowledge.entity import checked_name
from graphpalace.domain.knowledge.fact_times import FactTime, fact_time, optional_time
from graphpalace.errors import InvalidInput

STATED, EXTRACTOR = "stated", "extractor"  # where facts come from, if nothing else is said
MOST_DRAWERS = 1000  # that one request names
MOST_FACTS = 1000  # in one answer
MOST_DEPTH = 5  # steps from the name where a traversal starts

_GAPS = re.compile(r"[\s_\-]+")

Name = Annotated[str, Field(min_length=1, max_length=MOST_NAME_CHARS, examples=["Ada Lovelace"])]
Predicate = Annotated[str, Field(min_length=1, max_length=MOST_NAME_CHARS, examples=["works_at"])]
Confidence = Annotated[float, Field(gt=0, le=1)]
Drawers = Annotated[Sequence[str], Field(max_length=MOST_DRAWERS, description="ids of the drawers that say so")]


@dataclass(frozen=True, slots=True)
class Fact:
    """One version of a fact. A version never changes, but for the time when the palace unlearned it."""

    id: Annotated[str, Field(examples=["fact-0123456789abcdef0123456789"])]
    subject: str
    predicate: Annotated[str, Field(examples=["works_at"])]
    object: str
    valid_from: Annotated[str | None, Field(description="holds from this time on; null: since ever")]
    valid_to: Annotated[str | None, Field(description="and before this time; null: until further notice")]
    observed_at: Annotated[str, Field(description="when the palace learned it")]
    invalidated_at: Annotated[str | None, Field(description="when the palace unlearned it; null: it has not")]
    superseded_by: Annotated[str | None, Field(description="id of the fact that replaced it")]
    confidence: float
    source: Annotated[str, Field(description="who or what says so", examples=[STATED])]
    drawers: Annotated[Sequence[str], Field(description="ids of the drawers that it was read from")]


@dataclass(frozen=True, slots=True)
class NewFact:
    """A fact that somebody states."""

    subject: Name
    predicate: Predicate
    object: Name
    valid_from: Annotated[FactTime | None, Field(description="holds from this time on; default: since ever")] = None
    valid_to: Annotated[FactTime | None, Field(description="and before this time; default: until further notice")] = (
        None
    )
    confidence: Confidence = 1.0
    source: Annotated[str, Field(min_length=1, max_length=MOST_NAME_CHARS)] = STATED
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
    object: Annotated[str, Field(min_length=1, max_length=MOST_NAME_CHARS, description="the new object")]
    replaces: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=MOST_NAME_CHARS,
            description="the object that it replaces; default: the one that holds at that time",
        ),
    ] = None
    at: Annotated[FactTime | None, Field(description="when the new fact begins to hold; default: now")] = None
    confidence: Confidence = 1.0
    source: Annotated[str, Field(min_length=1, max_length=MOST_NAME_CHARS)] = STATED
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

    fact: Annotated[str | None, Field(description="id of the fact")] = None
    subject: Name | None = None
    predicate: Predicate | None = None
    object: Name | None = None
    ended: Annotated[
        FactTime | None,
        Field(description="it did hold until this time; default: it never did"),
    ] = None

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

    subject: Name | None = None
    predicate: Predicate | None = None
    object: Name | None = None
    as_of: Annotated[FactTime | None, Field(description="that hold in the world at this time; default: now")] = None
    known_at: Annotated[FactTime | None, Field(description="that the palace knew at this time; default: now")] = None
    limit: Annotated[int, Field(ge=1, le=MOST_FACTS)] = 100

    def check(self) -> None:
        """Check the values.

        Raises:
            InvalidInput: If a name or a time is not valid, or the limit is out of range.
        """
        check_names(subject=self.subject, object=self.object)
        check_reading(predicate=self.predicate, as_of=self.as_of, known_at=self.known_at, limit=self.limit)


@dataclass(frozen=True, slots=True)
class AddedFact:
    """A fact, and whether it is new."""

    fact: Fact
    created: Annotated[bool, Field(description="false: the palace knew it already")]


@dataclass(frozen=True, slots=True)
class SupersededFacts:
    """The fact that holds now, and what it replaced."""

    fact: Fact
    created: Annotated[bool, Field(description="false: the palace knew it already")]
    replaced: Annotated[Sequence[Fact], Field(description="the facts that it replaced, as they are known now")]


@dataclass(frozen=True, slots=True)
class InvalidatedFacts:
    """What the palace unlearned."""

    invalidated: Annotated[Sequence[Fact], Field(description="empty if the palace had unlearned it before")]
    kept: Annotated[Sequence[Fact], Field(description="what it knows instead, if the facts did hold until a time")]


@dataclass(frozen=True, slots=True)
class FoundFacts:
    """Facts, sorted by subject, predicate and time."""

    facts: Sequence[Fact]
    more: Annotated[bool, Field(description="whether there are more facts than the limit")]


@dataclass(frozen=True, slots=True)
class FactStep:
    """A fact on the way, and how many steps it is away from the start."""

    depth: int
    fact: Fact


@dataclass(frozen=True, slots=True)
class ReachedName:
    """A name, and how many steps it is away from the start."""

    depth: int
    name: str
    entity: Annotated[str, Field(description="its id")]


@dataclass(frozen=True, slots=True)
class FactTraversal:
    """What facts connect with a name, the nearest first."""

    start: str
    names: Sequence[ReachedName]
    steps: Sequence[FactStep]
    more: Annotated[bool, Field(description="whether there are more facts than the limit")]


@dataclass(frozen=True, slots=True)
class PredicateCount:
    """How many facts have a predicate, among those that the palace knows now."""

    predicate: str
    facts: int


@dataclass(frozen=True, slots=True)
class FactStats:
    """How many facts a palace has."""

    facts: Annotated[int, Field(description="that the palace knows now")]
    current: Annotated[int, Field(description="of these, that hold now")]
    invalidated: Annotated[int, Field(description="versions that the palace unlearned")]
    proposed: Annotated[int, Field(description="known facts with less confidence than 1")]
    names: Annotated[int, Field(description="that known facts are about")]
    drawers: Annotated[int, Field(description="that known facts were read from")]
    outdated: Annotated[int, Field(description="drawers all of whose facts are closed")]
    predicates: Annotated[Sequence[PredicateCount], Field(description="the most frequent first, at most 100")]


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


def check_names(**names: str | None) -> None:
    """Raise `InvalidInput` if one of the names that are given cannot be an entity's."""
    for field, name in names.items():
        if name is not None:
            checked_name(field, name)


def check_reading(
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
