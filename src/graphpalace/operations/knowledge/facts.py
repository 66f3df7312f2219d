"""Add, supersede and invalidate facts, and ask for them: at a moment, along time, and from name to name."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from graphpalace.domain.knowledge.contradictions import FoundContradictions, PredicateRules, contradictions
from graphpalace.domain.knowledge.entity import normalised_name
from graphpalace.domain.knowledge.fact_requests import (
    ContradictionQuery,
    FactQuery,
    Invalidation,
    NewFact,
    Supersession,
    TimelineQuery,
    TraversalQuery,
    predicate_name,
)
from graphpalace.domain.knowledge.fact_versions import FactName, StoredFact, shown_facts, sorted_facts
from graphpalace.domain.knowledge.facts import (
    AddedFact,
    FactStats,
    FactStep,
    FactTraversal,
    FoundFacts,
    InvalidatedFacts,
    ReachedName,
    SupersededFacts,
)
from graphpalace.domain.moments import optional_time
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.replica.known_facts import KnownFacts
from graphpalace.store.connection.database import Database
from graphpalace.store.knowledge.fact_writes import FactWriter
from graphpalace.store.knowledge.facts import FactStore, FactTimes
from graphpalace.store.palaces.palaces import PalaceStore


class Facts:
    """Changes the facts of palaces. Nothing is overwritten, and the same change twice is one."""

    def __init__(self, database: Database, *, rules: PredicateRules) -> None:
        self._palaces = PalaceStore(database)
        self._stored = FactStore(database)
        self._writer = FactWriter(database)
        self._rules = rules

    async def add(self, palace: str, new: NewFact) -> AddedFact:
        """Add a fact. If the palace knows it already, only its drawers and its confidence grow.

        Raises:
            InvalidInput: If a value is not valid.
            NotFound: If the palace or one of the drawers does not exist.
        """
        return (await self.add_all(palace, [new]))[0]

    async def add_all(self, palace: str, facts: Sequence[NewFact]) -> list[AddedFact]:
        """Add facts, all of them or none.

        Raises:
            InvalidInput, NotFound: As `add`, for one of the facts.
        """
        for new in facts:
            new.check()
        await self._palaces.get(palace)
        added = await self._writer.add_all(palace, facts) if facts else []
        return [AddedFact(one.fact.shown(), one.created) for one in added if one.fact]

    async def supersede(self, palace: str, new: Supersession) -> SupersededFacts:
        """Let a fact take the place of what holds at a moment: that one ends then, and this one begins.

        Raises:
            InvalidInput: If a value is not valid, or nothing says which of several facts is replaced.
            NotFound: If the palace or one of the drawers does not exist, or what is to be replaced does not hold then.
        """
        new.check()
        await self._palaces.get(palace)
        predicate = predicate_name("predicate", new.predicate)
        changed = await self._writer.supersede(palace, new, single_valued=predicate in self._rules.single_valued)
        assert changed.fact
        return SupersededFacts(changed.fact.shown(), changed.created, shown_facts(changed.ended))

    async def invalidate(self, palace: str, choice: Invalidation) -> InvalidatedFacts:
        """Unlearn facts, or learn that they did hold until a moment.

        Raises:
            InvalidInput: If the choice is not clear, or a fact does not hold just before that moment.
            NotFound: If the palace does not exist, or has no such fact.
        """
        choice.check()
        await self._palaces.get(palace)
        found = await self._meant(palace, choice)
        ended = optional_time("ended", choice.ended)
        changed = await self._writer.invalidate(palace, found, only=choice.fact, ended=ended)
        return InvalidatedFacts(shown_facts(changed.ended), shown_facts(changed.kept))

    async def _meant(self, palace: str, choice: Invalidation) -> StoredFact:
        """Return a version of the facts that are meant."""
        if choice.fact is not None:
            found = await self._stored.get(palace, choice.fact)
            if found is None:
                raise NotFound(f"fact {choice.fact!r} is not in palace {palace!r}", field="fact", value=choice.fact)
            return found
        assert choice.subject and choice.predicate and choice.object
        names = await self._stored.names(palace, [choice.subject, choice.object])
        subject, object = (names.get(normalised_name(one)) for one in (choice.subject, choice.object))
        predicate, versions = predicate_name("predicate", choice.predicate), []
        if subject is not None and object is not None:
            versions = await self._stored.versions(palace, subject=subject.id, predicate=predicate, object=object.id)
        if not versions:
            raise NotFound(
                f"palace {palace!r} has no fact that says {choice.subject!r} {predicate} {choice.object!r}",
                field="subject",
                value=choice.subject,
            )
        return versions[0]


_MOST_CHECKED = 200_000  # facts among which contradictions are looked for


class FactReading:
    """Reads the facts of palaces."""

    def __init__(self, database: Database, known: KnownFacts, *, rules: PredicateRules) -> None:
        self._palaces = PalaceStore(database)
        self._stored = FactStore(database)
        self._known = known
        self._rules = rules

    async def query(self, palace: str, asked: FactQuery) -> FoundFacts:
        """Return the facts that meet everything that is asked, sorted by subject, predicate and time.

        Raises:
            InvalidInput: If a value is not valid.
            NotFound: If the palace does not exist, or does not know a name.
        """
        asked.check()
        await self._palaces.get(palace)
        subject = None if asked.subject is None else (await self._entity(palace, "subject", asked.subject)).id
        object = None if asked.object is None else (await self._entity(palace, "object", asked.object)).id
        found = await self._stored.find(
            palace,
            subject=subject,
            predicate=None if asked.predicate is None else predicate_name("predicate", asked.predicate),
            object=object,
            times=FactTimes(optional_time("as_of", asked.as_of) or _now(), optional_time("known_at", asked.known_at)),
            limit=asked.limit + 1,
        )
        return _found(found, asked.limit)

    async def timeline(self, palace: str, asked: TimelineQuery) -> FoundFacts:
        """Return the facts on a name from all times, in the order in which they begin to hold.

        Raises:
            InvalidInput: If a value is not valid.
            NotFound: If the palace does not exist, or does not know the name.
        """
        asked.check()
        await self._palaces.get(palace)
        entity = await self._entity(palace, "name", asked.name)
        found = await self._stored.around(
            palace,
            [entity.id],
            predicate=None if asked.predicate is None else predicate_name("predicate", asked.predicate),
            times=FactTimes(known_at=optional_time("known_at", asked.known_at)),
            unlearned=asked.unlearned,
            limit=asked.limit + 1,
        )
        return _found(found, asked.limit)

    async def traverse(self, palace: str, asked: TraversalQuery) -> FactTraversal:
        """Return the facts that connect other names with a name, in either direction, the nearest first.

        Raises:
            InvalidInput: If a value is not valid.
            NotFound: If the palace does not exist, or does not know the name.
        """
        asked.check()
        await self._palaces.get(palace)
        entity = await self._entity(palace, "start", asked.start)
        times = FactTimes(optional_time("as_of", asked.as_of) or _now(), optional_time("known_at", asked.known_at))
        followed = None if asked.predicate is None else predicate_name("predicate", asked.predicate)
        steps: dict[str, FactStep] = {}
        names = {entity.id: ReachedName(0, entity.name, entity.id)}
        frontier, more = [entity.id], False
        for away in range(1, asked.depth + 1):
            found = await self._stored.around(
                palace, frontier, predicate=followed, times=times, limit=asked.limit + len(steps) + 1
            )
            frontier = []
            for fact in found:
                if fact.id in steps:
                    continue
                if len(steps) == asked.limit:
                    more = True
                    break
                steps[fact.id] = FactStep(away, fact.shown())
                for end in (fact.subject, fact.object):
                    if end.id not in names:
                        names[end.id] = ReachedName(away, end.name, end.id)
                        frontier.append(end.id)
            if more or not frontier:
                break
        return FactTraversal(entity.name, list(names.values())[1:], list(steps.values()), more)

    async def contradictions(self, palace: str, asked: ContradictionQuery) -> FoundContradictions:
        """Return pairs of known facts that cannot both be true, by what the settings declare of predicates.

        Raises:
            InvalidInput: If a value is not valid, or nothing is declared of the predicate.
            NotFound: If the palace does not exist, or does not know the name.
        """
        asked.check()
        await self._palaces.get(palace)
        predicates = self._declared(asked.predicate)
        facts: dict[str, StoredFact] = {}
        if asked.subject is not None:
            entity = await self._entity(palace, "subject", asked.subject)
            around = await self._stored.around(palace, [entity.id], times=FactTimes(), limit=_MOST_CHECKED)
            facts = {fact.id: fact for fact in around if fact.predicate in predicates}
        else:
            for one in sorted(predicates):
                found = await self._stored.find(palace, predicate=one, times=FactTimes(), limit=_MOST_CHECKED)
                facts |= {fact.id: fact for fact in found}
        return contradictions(sorted_facts(facts.values()), self._rules, limit=asked.limit)

    async def stats(self, palace: str) -> FactStats:
        """Return how many facts a palace has.

        Raises:
            NotFound: If the palace does not exist.
        """
        await self._palaces.get(palace)
        index, now = await self._known.latest(palace), _now()
        return await self._stored.count(palace, now=now, outdated=index.count_outdated(at=now))

    def _declared(self, predicate: str | None) -> frozenset[str]:
        """Return the predicates whose facts are compared."""
        if predicate is None:
            return self._rules.predicates
        wanted = predicate_name("predicate", predicate)
        if wanted not in self._rules.predicates:
            raise InvalidInput(
                f"predicate is {wanted!r}, which the settings do not declare; add it to [knowledge] "
                f"single_valued or inverses, or give one of {', '.join(sorted(self._rules.predicates)) or 'none'}",
                field="predicate",
                value=predicate,
            )
        return frozenset({wanted, self._rules.inverses.get(wanted, wanted)})

    async def _entity(self, palace: str, field: str, name: str) -> FactName:
        found = (await self._stored.names(palace, [name])).get(normalised_name(name))
        if found is None:
            raise NotFound(f"{field} is {name!r}, a name that palace {palace!r} does not know", field=field, value=name)
        return found


def _found(facts: list[StoredFact], limit: int) -> FoundFacts:
    return FoundFacts(shown_facts(facts[:limit]), len(facts) > limit)


def _now() -> datetime:
    return datetime.now(UTC)
