"""How facts change: which versions are closed, and which are opened. Nothing is overwritten.

For example, the palace knows that Ada works at Acme, without an end. When it learns that she works at Initech since
2023, it unlearns that version, and knows two facts instead: she worked at Acme until 2023, and works at Initech since
then. What it knew before can still be asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from graphpalace.domain.identity import stable_id
from graphpalace.domain.knowledge.facts import Fact
from graphpalace.domain.moments import shown_time
from graphpalace.errors import InvalidInput, NotFound


@dataclass(frozen=True, slots=True)
class FactName:
    """An entity that a fact is about."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class StoredFact:
    """One version of a fact, as the graph has it.

    Attributes:
        stated: Whether it was ever stated without drawers, and so stays if its drawers are deleted.
    """

    id: str
    subject: FactName
    predicate: str
    object: FactName
    valid_from: datetime | None
    valid_to: datetime | None
    observed_at: datetime
    invalidated_at: datetime | None = None
    superseded_by: str | None = None
    confidence: float = 1.0
    source: str = ""
    drawers: tuple[str, ...] = ()
    stated: bool = False

    def holds_at(self, moment: datetime) -> bool:
        """Return whether the fact holds in the world at a moment."""
        return (self.valid_from is None or self.valid_from <= moment) and (
            self.valid_to is None or moment < self.valid_to
        )

    def known_at(self, moment: datetime) -> bool:
        """Return whether the palace knew this version at a moment."""
        return self.observed_at <= moment and (self.invalidated_at is None or moment < self.invalidated_at)

    @property
    def key(self) -> tuple[str, str, str, datetime | None, datetime | None]:
        """What two versions of the same fact have in common."""
        return self.subject.id, self.predicate, self.object.id, self.valid_from, self.valid_to

    def shown(self) -> Fact:
        """Return the fact as answers show it."""
        times = (self.valid_from, self.valid_to, self.observed_at, self.invalidated_at)
        start, end, observed, invalidated = (None if time is None else shown_time(time) for time in times)
        return Fact(
            id=self.id,
            subject=self.subject.name,
            predicate=self.predicate,
            object=self.object.name,
            valid_from=start,
            valid_to=end,
            observed_at=observed or "",
            invalidated_at=invalidated,
            superseded_by=self.superseded_by,
            confidence=self.confidence,
            source=self.source,
            drawers=self.drawers,
        )


@dataclass(slots=True)
class FactChanges:
    """What has to be written to change facts.

    Attributes:
        closed: Versions that the palace unlearns, with what replaced them.
        opened: New versions, each with the id of the version whose trail it continues.
        supported: Known versions that got more evidence, or a successor.
    """

    closed: list[StoredFact] = field(default_factory=list)
    opened: list[tuple[StoredFact, str | None]] = field(default_factory=list)
    supported: list[StoredFact] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.closed or self.opened or self.supported)

    def take(self, others: FactChanges) -> None:
        """Take over other changes."""
        self.closed += others.closed
        self.opened += others.opened
        self.supported += others.supported


class FactHistory:
    """All versions of the facts of one subject and predicate, and the changes that were made to them.

    Args:
        palace: Name of the palace.
        versions: All versions, unlearned ones too.
        now: The moment of the change, in the palace's time.
    """

    def __init__(self, palace: str, versions: Iterable[StoredFact], *, now: datetime) -> None:
        self._palace = palace
        self._now = now
        self._versions = {version.id: version for version in versions}
        self.changes = FactChanges()

    def version(self, fact: str) -> StoredFact:
        """Return a version as it is after the changes."""
        return self._versions[fact]

    @property
    def live(self) -> list[StoredFact]:
        """What the palace knows, in a fixed order."""
        return sorted((one for one in self._versions.values() if one.invalidated_at is None), key=lambda one: one.id)

    def add(self, wanted: StoredFact, *, trail_of: str | None = None) -> tuple[str, bool]:
        """Add a fact, or its evidence if the palace knows the fact; return its id, and whether it is new.

        Args:
            wanted: The fact; its id is set here.
            trail_of: Id of the version whose trail it continues.
        """
        for known in self.live:
            if known.key == wanted.key:
                self._support(known, wanted)
                return known.id, False
        opened = replace(wanted, id=self._free_id(wanted), observed_at=self._now)
        self._versions[opened.id] = opened
        self.changes.opened.append((opened, trail_of))
        return opened.id, True

    def supersede(
        self, wanted: StoredFact, *, at: datetime, replaces: str | None, single_valued: bool
    ) -> tuple[str, bool, list[str]]:
        """Let a fact hold from a moment on, and end what it replaces; return its id, whether it is new, and what ended.

        It holds until the next known fact begins. Where one of several objects is replaced, the next one of that object
        or of its own counts, because the others go on beside it.

        Args:
            replaces: Id of the object that it replaces; None: what holds at the moment.
            single_valued: Whether the predicate has one object at a time.

        Raises:
            NotFound: If the fact that is to be replaced does not hold at the moment.
            InvalidInput: If nothing says which of several facts is replaced.
        """
        live = self.live
        others = [one for one in live if one.object.id != wanted.object.id]
        ending = [one for one in others if one.holds_at(at) and replaces in (None, one.object.id)]
        same = next((one for one in live if one.object.id == wanted.object.id and one.holds_at(at)), None)
        if replaces is not None and not ending and same is None:
            raise NotFound(f"no fact with the object in replaces is true at {shown_time(at)}", field="replaces")
        if replaces is None and not single_valued and len(objects := sorted({one.object.name for one in ending})) > 1:
            raise InvalidInput(
                f"{wanted.predicate} of {wanted.subject.name!r} has several objects at {shown_time(at)}: name one of "
                f"{', '.join(map(repr, objects))} in replaces",
                field="replaces",
            )
        alone = single_valued or replaces is None
        bounding = [one for one in live if alone or one.object.id in (wanted.object.id, replaces)]
        later = [one.valid_from for one in bounding if one.valid_from is not None and one.valid_from > at]
        if same is None:
            fact, created = self.add(replace(wanted, valid_from=at, valid_to=min(later, default=None)))
        else:
            self._support(same, wanted)
            fact, created = same.id, False
        return fact, created, [self._end(one, at, successor=fact) or one.id for one in ending]

    def invalidate(self, version: StoredFact, *, ended: datetime | None) -> str | None:
        """Unlearn a known version; return the id of what the palace knows instead, if it did hold until a moment.

        Raises:
            InvalidInput: If it did not hold just before that moment.
        """
        if ended is None:
            self._close(version, None)
            return None
        if not (version.valid_from is None or version.valid_from < ended) or (
            version.valid_to is not None and ended > version.valid_to
        ):
            raise InvalidInput(
                f"ended is {shown_time(ended)}; the fact holds {_span(version)}, so it must be within that time",
                field="ended",
                value=shown_time(ended),
            )
        return version.id if version.valid_to == ended else self._end(version, ended, successor=None)

    def _end(self, version: StoredFact, at: datetime, *, successor: str | None) -> str | None:
        """Unlearn a version, and know instead that it held until a moment; return what is known instead."""
        if version.valid_from is not None and version.valid_from >= at:
            self._close(version, successor)
            return None
        rest = replace(version, valid_to=at, superseded_by=successor)
        shorter, _ = self.add(rest, trail_of=version.id)
        self._close(version, shorter)
        return shorter

    def _close(self, version: StoredFact, successor: str | None) -> None:
        closed = replace(self._versions[version.id], invalidated_at=self._now, superseded_by=successor)
        self._versions[version.id] = closed
        self.changes.closed.append(closed)

    def _support(self, known: StoredFact, more: StoredFact) -> None:
        sure = more.confidence > known.confidence
        supported = replace(
            known,
            confidence=more.confidence if sure else known.confidence,
            source=more.source if sure else known.source,
            drawers=tuple(dict.fromkeys((*known.drawers, *more.drawers))),
            stated=known.stated or more.stated,
            superseded_by=known.superseded_by or more.superseded_by,
        )
        if supported != known:
            self._versions[known.id] = supported
            self.changes.supported.append(supported)

    def _free_id(self, wanted: StoredFact) -> str:
        ends = ("" if end is None else shown_time(end) for end in (wanted.valid_from, wanted.valid_to))
        place = (self._palace, wanted.subject.id, wanted.predicate, wanted.object.id, *ends)
        number = 0
        while (found := stable_id("fact", *place, str(number))) in self._versions:
            number += 1
        return found


def sorted_facts(facts: Iterable[StoredFact]) -> list[StoredFact]:
    """Return facts by subject, predicate and the time when they begin to hold; what has no beginning comes first."""
    return sorted(facts, key=lambda one: (one.subject.name, one.predicate, *when(one), one.object.name, one.id))


def when(fact: StoredFact) -> tuple[bool, str]:
    """Return a key that sorts facts by the time when they begin to hold."""
    return fact.valid_from is not None, "" if fact.valid_from is None else fact.valid_from.isoformat()


def _span(fact: StoredFact) -> str:
    start = "since ever" if fact.valid_from is None else f"from {shown_time(fact.valid_from)}"
    return f"{start} {'until further notice' if fact.valid_to is None else f'until {shown_time(fact.valid_to)}'}"


def shown_facts(facts: Sequence[StoredFact]) -> list[Fact]:
    """Return facts as answers show them."""
    return [fact.shown() for fact in facts]
