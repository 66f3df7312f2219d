"""Add, supersede and invalidate facts."""

from __future__ import annotations

from collections.abc import Sequence

from graphpalace.domain.knowledge.contradictions import PredicateRules
from graphpalace.domain.knowledge.entity import normalised_name
from graphpalace.domain.knowledge.fact_requests import Invalidation, NewFact, Supersession, predicate_name
from graphpalace.domain.knowledge.fact_times import optional_time
from graphpalace.domain.knowledge.fact_versions import StoredFact, shown_facts
from graphpalace.domain.knowledge.facts import AddedFact, InvalidatedFacts, SupersededFacts
from graphpalace.errors import NotFound
from graphpalace.store.connection.database import Database
from graphpalace.store.knowledge.fact_writes import FactWriter
from graphpalace.store.knowledge.facts import FactStore
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
