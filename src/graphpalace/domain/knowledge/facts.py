"""Facts with two times, what is answered about them, and what an extractor proposes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from graphpalace.domain.field import NAMED, Field
from graphpalace.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class CurrentFact:
    """A fact that holds."""

    fact: Annotated[str, Field(description="its id")]
    subject: str
    predicate: Annotated[str, Field(examples=["works_at"])]
    object: str
    since: Annotated[str | None, Field(description="null: since ever")]
    drawers: Annotated[Sequence[str], Field(description="ids of the drawers that say so")]


@dataclass(frozen=True, slots=True)
class Outdated:
    """That everything that is known from a drawer has ended, or that another drawer took its place."""

    since: Annotated[str, Field(description="when the last of its facts ended, or the other drawer took its place")]
    replaced_by: Annotated[CurrentFact | None, Field(description="what holds instead; null: nothing that is known")]
    change: Annotated[
        float,
        Field(
            description="what it added to the score: 0 to -[search] outdated_penalty, or as much as it took to rank "
            "the drawer below the one that took its place"
        ),
    ]
    drawer: Annotated[str | None, Field(description="id of the drawer that took its place; null: none did")] = None


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


MOST_PROPOSED = 1_000_000  # drawers that one request reads


@dataclass(frozen=True, slots=True)
class ProposalRequest:
    """Which drawers an extractor is to read, of those that it has not read."""

    wing: Annotated[str | None, Field(description="only drawers of this wing"), NAMED] = None
    room: Annotated[str | None, Field(description="only drawers of rooms of this name"), NAMED] = None
    most: Annotated[int | None, Field(ge=1, le=MOST_PROPOSED, description="largest number of drawers")] = None

    def check(self) -> None:
        """Raise `InvalidInput` if so many drawers cannot be read in one request."""
        if self.most is not None and not 1 <= self.most <= MOST_PROPOSED:
            raise InvalidInput(f"most is {self.most}; it must be 1 to {MOST_PROPOSED}", field="most", value=self.most)


@dataclass(frozen=True, slots=True)
class ReadDrawer:
    """A drawer from which facts are to be read.

    Attributes:
        title: The title of its document.
        said_at: When it was said, or else stored, as ISO 8601 writes it.
        stamp: Differs once the text is changed.
    """

    id: str
    title: str
    text: str
    said_at: str
    stamp: str


@dataclass(frozen=True, slots=True)
class ProposalReport:
    """What an extractor has proposed so far."""

    drawers: Annotated[int, Field(description="that were read")] = 0
    added: Annotated[int, Field(description="new facts")] = 0
    known: Annotated[int, Field(description="facts that the palace knew already, which got another drawer")] = 0
    refused: Annotated[int, Field(description="proposals that the text does not bear, or that cannot be facts")] = 0
    unreadable: Annotated[int, Field(description="drawers for which there was no usable answer; try them again")] = 0
    due: Annotated[int, Field(description="drawers that are still to be read")] = 0

    def plus(self, **more: int) -> ProposalReport:
        """Return the report with more counted."""
        return replace(self, **{name: getattr(self, name) + count for name, count in more.items()})
