"""The facts of a palace in memory: which drawers are outdated, and what is known of the names in a question."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from graphpalace.domain.knowledge.entity import normalised_name
from graphpalace.domain.knowledge.fact_versions import StoredFact, sorted_facts
from graphpalace.domain.knowledge.facts import CurrentFact
from graphpalace.domain.moments import shown_time

MOST_BESIDE = 5  # facts beside an answer

_WORD = re.compile(r"\w+")
_MOST_WORDS = 8  # of a name that is looked for in a question
_SHORT = 3  # a name with fewer letters must be written in a question as the palace has it


@dataclass(frozen=True, slots=True)
class OutdatedDrawer:
    """Why a drawer is outdated.

    Attributes:
        since: When the last of its facts ended.
        certainty: Confidence of the least certain of its facts, above 0 and at most 1.
        replaced_by: The fact that holds instead of the last one, if any.
        drawer: The drawer that somebody said took its place, if any.
    """

    since: datetime
    certainty: float
    replaced_by: StoredFact | None
    drawer: str | None = None


@dataclass(frozen=True, slots=True)
class ReplacedDrawer:
    """That somebody said which drawer takes the place of another."""

    old: str
    new: str
    since: datetime


@dataclass(frozen=True, eq=False)
class FactIndex:
    """All versions of the facts of a palace. An index never changes; `updated` returns another one.

    Attributes:
        facts: By id.
        names: The names of entities, by id of the entity.
        replaced: The drawers whose place others have taken, by id.
    """

    facts: Mapping[str, StoredFact] = field(default_factory=dict)
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    replaced: Mapping[str, ReplacedDrawer] = field(default_factory=dict)
    _of_drawer: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # ids of all versions
    _of_entity: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # ids of what is known
    _closing: frozenset[str] = frozenset()  # drawers that are outdated at some time
    _spelled: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # names of entities, by their words

    @classmethod
    def of(cls, facts: Iterable[StoredFact], names: Mapping[str, Sequence[str]]) -> FactIndex:
        """Return the index of some facts."""
        return cls().updated(facts, names)

    def updated(self, facts: Iterable[StoredFact], names: Mapping[str, Sequence[str]]) -> FactIndex:
        """Return an index in which some facts are new or have changed; none of them has lost a name or a drawer.

        Args:
            names: The names of the entities that these facts are about.
        """
        fresh = {fact.id: fact for fact in facts}
        said: dict[str, list[str]] = defaultdict(list)
        about: dict[str, list[str]] = defaultdict(list)
        for fact in fresh.values():
            for drawer in fact.drawers:
                said[drawer].append(fact.id)
            for entity in {fact.subject.id, fact.object.id}:
                about[entity].append(fact.id)
        of_drawer = {
            **self._of_drawer,
            **{one: _joined(self._of_drawer.get(one, ()), ids) for one, ids in said.items()},
        }
        gone = {fact.id for fact in fresh.values() if fact.invalidated_at is not None}
        live = {
            one: tuple(fact for fact in _joined(self._of_entity.get(one, ()), ids) if fact not in gone)
            for one, ids in about.items()
        }
        spelled = dict(self._spelled)
        for entity, spellings in names.items():
            for name in spellings:
                if words := _words(normalised_name(name)):
                    spelled[words] = {entity: name} | dict(spelled.get(words, {}))
        changed = FactIndex(
            facts={**self.facts, **fresh},
            names={**self.names, **names},
            replaced=self.replaced,
            _of_drawer=of_drawer,
            _of_entity={**self._of_entity, **live},
            _spelled=spelled,
        )
        closing = (self._closing - said.keys()) | {drawer for drawer in said if changed._closes(drawer)}
        return replace(changed, _closing=closing)

    @property
    def may_be_outdated(self) -> bool:
        """Whether any drawer is or will be outdated."""
        return bool(self._closing or self.replaced)

    def outdated(self, drawers: Iterable[str], *, at: datetime) -> dict[str, OutdatedDrawer]:
        """Return those of some drawers that are outdated at a moment in the world's time, with the reason."""
        found: dict[str, OutdatedDrawer] = {}
        for drawer in drawers:
            if (other := self.replaced.get(drawer)) is not None and other.since <= at:
                found[drawer] = OutdatedDrawer(other.since, 1.0, None, other.new)
            elif drawer in self._closing and (reason := self._reason(self._versions(drawer), at)):
                found[drawer] = reason
        return found

    def count_outdated(self, *, at: datetime) -> int:
        """Return how many drawers are outdated at a moment."""
        return len(self.outdated({*self._closing, *self.replaced}, at=at))

    def said_in(self, drawer: str) -> list[StoredFact]:
        """Return the facts that were read from a drawer, sorted, without those that were taken back."""
        known = (self.facts[one] for one in self._of_drawer.get(drawer, ()))
        return sorted_facts(fact for fact in known if fact.invalidated_at is None)

    def about(self, question: str, *, at: datetime, most: int = MOST_BESIDE) -> list[StoredFact]:
        """Return the facts that hold at a moment on names that a question has.

        Facts whose predicate or other name is also in the question come first, then the surest, then the latest.
        """
        entities = self._named(question)
        if not entities:
            return []
        words = {_stem(word) for word in _WORD.findall(question.casefold())}

        def rank(fact: StoredFact) -> tuple[float, ...]:
            both = fact.subject.id in entities and fact.object.id in entities
            asked = sum(_stem(word) in words for word in fact.predicate.split("_"))
            begun = 0.0 if fact.valid_from is None else fact.valid_from.timestamp()
            return -both, -asked, -(fact.subject.id in entities), -fact.confidence, -begun

        known = {one for entity in entities for one in self._of_entity.get(entity, ())}
        found = [self.facts[one] for one in known if self.facts[one].holds_at(at)]
        return sorted(found, key=lambda fact: (rank(fact), fact.id))[:most]

    def _named(self, question: str) -> set[str]:
        """Return the entities whose names are in a question."""
        words = [word for part in normalised_name(question).split() for word in _WORD.findall(part)]
        entities: set[str] = set()
        for start in range(len(words)):
            for end in range(start + 1, min(start + _MOST_WORDS, len(words)) + 1):
                for entity, name in self._spelled.get(" ".join(words[start:end]), {}).items():
                    short = sum(map(str.isalnum, name)) < _SHORT
                    if not short or re.search(rf"(?<!\w){re.escape(name)}(?!\w)", question):
                        entities.add(entity)
        return entities

    def _versions(self, drawer: str) -> list[StoredFact]:
        """Return the facts of a drawer, each in the version that the palace knew last."""
        return [fact for one in self._of_drawer[drawer] if not self._revised(fact := self.facts[one])]

    def _closes(self, drawer: str) -> bool:
        """Return whether each of the facts of a drawer has an end."""
        return all(fact.valid_to is not None or fact.invalidated_at is not None for fact in self._versions(drawer))

    def _revised(self, fact: StoredFact) -> bool:
        """Return whether the palace knows another version of the fact instead."""
        if fact.invalidated_at is None or fact.superseded_by is None:
            return False
        later = self.facts.get(fact.superseded_by)
        return later is not None and (later.subject.id, later.predicate, later.object.id) == (
            fact.subject.id,
            fact.predicate,
            fact.object.id,
        )

    def _reason(self, facts: Sequence[StoredFact], at: datetime) -> OutdatedDrawer | None:
        ends = [_closed_at(fact) for fact in facts]
        if not all(end is not None and end <= at for end in ends):
            return None
        since, last = max(((end, fact) for end, fact in zip(ends, facts, strict=True) if end), key=lambda one: one[0])
        certainty = min(fact.confidence for fact in facts)
        return OutdatedDrawer(since, certainty, self._successor(last, at))

    def _successor(self, fact: StoredFact, at: datetime) -> StoredFact | None:
        """Return the last fact in the row of those that replaced a fact, as far as it had begun at a moment."""
        found, seen = None, {fact.id}
        while (following := fact.superseded_by) is not None and following not in seen and following in self.facts:
            seen.add(following)
            fact = self.facts[following]
            if fact.valid_from is not None and fact.valid_from > at:
                break
            found = fact
        return found


def current(fact: StoredFact) -> CurrentFact:
    """Return a fact as an answer shows it beside its hits."""
    since = None if fact.valid_from is None else shown_time(fact.valid_from)
    return CurrentFact(fact.id, fact.subject.name, fact.predicate, fact.object.name, since, fact.drawers)


def _closed_at(fact: StoredFact) -> datetime | None:
    """Return when a fact ended: in the world, or else when the palace unlearned it; None if it did not."""
    if fact.invalidated_at is None:
        return fact.valid_to
    if fact.superseded_by is not None and fact.valid_from is not None:  # another one has held from its beginning on
        return fact.valid_from
    return fact.invalidated_at if fact.valid_to is None else min(fact.valid_to, fact.invalidated_at)


def _words(name: str) -> str:
    words = _WORD.findall(name)
    return " ".join(words) if len(words) <= _MOST_WORDS else ""


def _stem(word: str) -> str:
    """Return the beginning of a word, so that "work" and "works" are one."""
    return word[:4]


def _joined(ids: tuple[str, ...], more: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*ids, *more)))
