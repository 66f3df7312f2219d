"""Facts that cannot both be true: two objects at once where there is one, and a fact beside its inverse."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from typing import Annotated, Literal, get_args

from graphpalace.domain.field import Field
from graphpalace.domain.knowledge.fact_versions import StoredFact, when
from graphpalace.domain.knowledge.facts import Fact
from graphpalace.domain.moments import shown_time

ContradictionKind = Literal["two_objects", "inverse"]
CONTRADICTION_KINDS: tuple[str, ...] = get_args(ContradictionKind)

_EVER, _NEVER = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class PredicateRules:
    """What is declared of predicates.

    Attributes:
        single_valued: Predicates that have one object at a time.
        inverses: The inverse of each predicate that has one, in both directions. A predicate that is its own inverse is
            symmetric.
    """

    single_valued: frozenset[str] = frozenset()
    inverses: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, single_valued: Iterable[str], inverses: Mapping[str, str]) -> PredicateRules:
        """Return the rules, where each pair of inverses is given in one direction at least."""
        return cls(frozenset(single_valued), {**{right: left for left, right in inverses.items()}, **inverses})

    @property
    def predicates(self) -> frozenset[str]:
        """All predicates whose facts can contradict each other."""
        asked = {*self.single_valued, *(one for one, other in self.inverses.items() if one != other)}
        return frozenset(asked | {self.inverses[one] for one in asked if one in self.inverses})


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two facts that cannot both be true."""

    kind: Annotated[
        ContradictionKind,
        Field(description="two_objects: a predicate that has one object has two; inverse: a fact and its inverse"),
    ]
    predicate: Annotated[str, Field(description="the predicate that has one object, or that has an inverse")]
    first: Fact
    second: Fact
    since: Annotated[str | None, Field(description="when it begins; null: since ever")]
    until: Annotated[str | None, Field(description="when it ends; null: it does not")]


@dataclass(frozen=True, slots=True)
class FoundContradictions:
    """Contradictions between the facts of a palace."""

    contradictions: Sequence[Contradiction]
    more: Annotated[bool, Field(description="whether there are more than the limit")]


@dataclass(frozen=True, slots=True)
class _Reading:
    """A fact as it stands, or turned around by the inverse of its predicate."""

    subject: str
    predicate: str
    object: str
    fact: StoredFact


def contradictions(facts: Iterable[StoredFact], rules: PredicateRules, *, limit: int) -> FoundContradictions:
    """Return the contradictions between facts that are known at the same time.

    Args:
        facts: With predicates of `rules.predicates`.
        limit: Largest number of contradictions, >= 1.
    """
    readings = [reading for fact in facts for reading in _readings(fact, rules)]
    found = list(islice(_unique(_two_objects(readings, rules), _inverse(readings, rules)), limit + 1))
    return FoundContradictions(found[:limit], len(found) > limit)


def _readings(fact: StoredFact, rules: PredicateRules) -> Iterator[_Reading]:
    yield _Reading(fact.subject.id, fact.predicate, fact.object.id, fact)
    if (inverse := rules.inverses.get(fact.predicate)) is not None:
        yield _Reading(fact.object.id, inverse, fact.subject.id, fact)


def _two_objects(readings: Sequence[_Reading], rules: PredicateRules) -> Iterator[Contradiction]:
    by_subject: dict[tuple[str, str], list[_Reading]] = defaultdict(list)
    for reading in readings:
        if reading.predicate in rules.single_valued:
            by_subject[reading.subject, reading.predicate].append(reading)
    for (_, predicate), group in sorted(by_subject.items()):
        begun: list[_Reading] = []
        for reading in sorted(group, key=lambda one: (*when(one.fact), one.fact.id)):
            begun = [one for one in begun if _end(one.fact) > _start(reading.fact)]
            for one in begun:
                if one.object != reading.object:
                    yield _contradiction("two_objects", predicate, one.fact, reading.fact)
            begun.append(reading)


def _inverse(readings: Sequence[_Reading], rules: PredicateRules) -> Iterator[Contradiction]:
    directed = {one for one, other in rules.inverses.items() if one != other}
    named: dict[tuple[str, str, str], list[StoredFact]] = defaultdict(list)
    for reading in readings:
        if reading.predicate in directed:
            named[reading.subject, reading.predicate, reading.object].append(reading.fact)
    for (subject, predicate, other), facts in sorted(named.items()):
        if subject >= other:  # each pair once; a fact about itself and its inverse say the same
            continue
        for one in facts:
            for turned in named.get((other, predicate, subject), ()):
                if _start(one) < _end(turned) and _start(turned) < _end(one):
                    yield _contradiction("inverse", one.predicate, one, turned)


def _unique(*found: Iterator[Contradiction]) -> Iterator[Contradiction]:
    seen: set[tuple[str, frozenset[str]]] = set()
    for each in found:
        for one in each:
            key = one.kind, frozenset((one.first.id, one.second.id))
            if key not in seen:
                seen.add(key)
                yield one


def _contradiction(kind: ContradictionKind, predicate: str, one: StoredFact, other: StoredFact) -> Contradiction:
    since, until = max(_start(one), _start(other)), min(_end(one), _end(other))
    return Contradiction(
        kind,
        predicate,
        one.shown(),
        other.shown(),
        None if since == _EVER else shown_time(since),
        None if until == _NEVER else shown_time(until),
    )


def _start(fact: StoredFact) -> datetime:
    return fact.valid_from or _EVER


def _end(fact: StoredFact) -> datetime:
    return fact.valid_to or _NEVER
