"""Facts with two times, and what is answered about them: when they hold in the world, and when the palace knew them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from graphpalace.domain.field import Field

STATED, EXTRACTOR = "stated", "extractor"  # where facts come from, if nothing else is said


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
